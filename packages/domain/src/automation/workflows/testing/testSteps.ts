import type { DateTime } from "effect"
import type { TriedAction } from "../../automations/index.ts"
import type { NodeId, WorkflowNode } from "../graph/Node.ts"
import type { PositionedStep } from "../runs/WorkflowRuns.ts"
import type { WorkflowTestStep } from "./WorkflowTest.ts"

/** First and last step of a run at a place. A wait has two of them. */
interface Visit {
  readonly first: PositionedStep["step"]
  readonly last: PositionedStep["step"]
}

const toVisits = (steps: ReadonlyArray<PositionedStep>): ReadonlyMap<number, Visit> => {
  const visits = new Map<number, Visit>()
  for (const { place, step } of steps) visits.set(place, { first: visits.get(place)?.first ?? step, last: step })
  return visits
}

const isCut = ({ last }: Visit) => last.state === "waiting" || last.state === "calling"

/** Builds the preview of each visited node. `tried` has the rendered actions by place. */
export const toTestSteps = (
  steps: ReadonlyArray<PositionedStep>,
  tried: ReadonlyMap<number, TriedAction>,
  nodes: ReadonlyMap<NodeId, WorkflowNode>,
  endedAt: DateTime.Utc | null
): ReadonlyArray<WorkflowTestStep> =>
  [...toVisits(steps)].flatMap(([place, visit]) => {
    const { conditions, effect, error, node, output, state, visit: number } = visit.last
    const kind = nodes.get(node)?.kind
    if (kind === undefined) return []
    return [
      {
        node,
        kind,
        visit: number,
        state: isCut(visit) ? "skipped" : state,
        enteredAt: visit.first.at,
        leftAt: isCut(visit) ? endedAt : visit.last.at,
        conditions,
        output,
        rendered: tried.get(place)?.rendered ?? null,
        effect: effect?.kind ?? null,
        refusal: error
      }
    ]
  })
