import { Effect } from "effect"
import { RunMoved } from "../../automations/index.ts"
import type { NodeId } from "../graph/NodeId.ts"
import { tellEnded, tellGoals } from "./tellRuns.ts"
import { type KeptWorkflowRun, type PlacedStep, WorkflowRuns } from "./WorkflowRuns.ts"

/** A run after what was done, with what is kept and told of that. */
export interface Trip {
  readonly kept: KeptWorkflowRun
  readonly steps: ReadonlyArray<PlacedStep>
  readonly goals: ReadonlyArray<NodeId>
}

/** A run of which nothing was done yet. */
export const tripOf = (kept: KeptWorkflowRun): Trip => ({ kept, steps: [], goals: [] })

/** Keeps a run as it is now, in the unit of work of what was done, and tells of it; gives what is kept then. */
export const keepRun = Effect.fnUntraced(function* ({ goals, kept, steps }: Trip) {
  if (!(yield* (yield* WorkflowRuns).save(kept, steps))) return yield* new RunMoved()
  yield* tellGoals(kept.run, goals)
  yield* tellEnded([kept.run])
  const after: KeptWorkflowRun = { ...kept, revision: kept.revision + 1 }
  return after
})
