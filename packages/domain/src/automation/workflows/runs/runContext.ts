import { Effect, Schema } from "effect"
import { ContactHistory, ContactId, ContactMergeId } from "../../../crm/index.ts"
import type { WorkflowId } from "../../automations/index.ts"
import type { ScheduleId } from "../../schedules/index.ts"
import { Workflows } from "../Workflow.ts"
import type { Graph } from "../graph/Graph.ts"
import type { NodeId, WorkflowNode } from "../graph/Node.ts"
import { schedulesInGraph } from "../graph/graphContents.ts"
import type { WorkflowRun } from "./WorkflowRun.ts"

/** Workflow version of a run. It never changes. */
export interface LoadedWorkflow {
  readonly graph: Graph
  readonly nodes: ReadonlyMap<NodeId, WorkflowNode>
  /** Schedules that the version can name. */
  readonly schedules: ReadonlyArray<ScheduleId>
}

const noNodes: ReadonlyMap<NodeId, WorkflowNode> = new Map()

const missingWorkflow: LoadedWorkflow = { graph: { nodes: [] }, nodes: noNodes, schedules: [] }

export const toLoadedWorkflow = (graph: Graph): LoadedWorkflow => ({
  graph,
  nodes: new Map(graph.nodes.map((node) => [node.id, node])),
  schedules: schedulesInGraph(graph)
})

/** Creates a loader that reads each workflow version once. */
export const makeWorkflowLoader = () => {
  const known = new Map<string, LoadedWorkflow>()
  return Effect.fnUntraced(function* (workflowId: WorkflowId, number: number) {
    const name = `${workflowId} ${number}`
    const read = known.get(name)
    if (read !== undefined) return read
    const found = yield* Effect.option((yield* Workflows).version(workflowId, number))
    if (found._tag === "None") return missingWorkflow
    const course = toLoadedWorkflow(found.value.graph)
    known.set(name, course)
    return course
  })
}

export type WorkflowLoader = ReturnType<typeof makeWorkflowLoader>

export const findCurrentNode = ({ nodes }: LoadedWorkflow, { node }: Pick<WorkflowRun, "node">): WorkflowNode | null =>
  node === null ? null : (nodes.get(node) ?? null)

/** The contact was merged while the run started, so the merge did not move the run. */
export class ContactMerged extends Schema.TaggedError<ContactMerged>()("ContactMerged", {
  from: ContactId,
  to: ContactId,
  mergeId: ContactMergeId
}) {
  override get message() {
    return "The contact was merged into another contact."
  }
}

/** Fails if a missing contact was merged into another one. */
export const requireNotMerged = Effect.fnUntraced(function* (from: ContactId | null) {
  const survivor = from === null ? null : yield* (yield* ContactHistory).survivorOf(from)
  if (from === null || survivor === null) return
  return yield* new ContactMerged({ from, to: survivor.id, mergeId: survivor.mergeId })
})
