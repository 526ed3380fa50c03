import { Effect } from "effect"
import type { WorkflowId } from "../../automations/index.ts"
import type { Fault } from "../../../kernel/index.ts"
import type { Graph } from "../graph/Graph.ts"
import { Workflows } from "../Workflows.ts"
import type { WorkflowRunsMove } from "./WorkflowRunsMove.ts"

const pointerTo = (name: string) => `/map/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`

const has = ({ nodes }: Graph, name: string) => nodes.some(({ id }) => id === name)

/** Everything in a move that names nothing, and where. */
export const faultsOfMove = Effect.fnUntraced(function* (
  workflowId: WorkflowId,
  published: number,
  { fromVersion, map = {} }: WorkflowRunsMove
) {
  const workflows = yield* Workflows
  const fault = (pointer: string, message: string): Fault => ({ pointer, message })
  if (fromVersion === published) {
    return [fault("/fromVersion", "Expected another version than the published one: its runs are there already")]
  }
  const [from, to] = yield* Effect.all([
    Effect.option(workflows.version(workflowId, fromVersion)),
    Effect.orDie(workflows.version(workflowId, published))
  ])
  if (from._tag === "None") return [fault("/fromVersion", "There is no published version with this number")]
  return Object.entries(map).flatMap(([one, other]) => [
    ...(has(from.value.graph, one) ? [] : [fault(pointerTo(one), `There is no such node in version ${fromVersion}`)]),
    ...(has(to.graph, other) ? [] : [fault(pointerTo(one), `There is no node ${other} in version ${published}`)])
  ])
})
