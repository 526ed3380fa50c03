import { Effect } from "effect"
import type { WorkflowId } from "../../automations/index.ts"
import type { ScheduleId } from "../../schedules/index.ts"
import type { Graph } from "../graph/Graph.ts"
import type { WorkflowNode } from "../graph/Node.ts"
import type { NodeId } from "../graph/NodeId.ts"
import { schedulesInGraph } from "../namedInGraph.ts"
import { Workflows } from "../Workflows.ts"
import type { WorkflowRun } from "./WorkflowRun.ts"

/** What a run goes by: a version that never changes. */
export interface Course {
  readonly graph: Graph
  readonly nodes: ReadonlyMap<NodeId, WorkflowNode>
  /** The schedules that it may name. */
  readonly schedules: ReadonlyArray<ScheduleId>
}

const noNodes: ReadonlyMap<NodeId, WorkflowNode> = new Map()

const noCourse: Course = { graph: { nodes: [] }, nodes: noNodes, schedules: [] }

/** Reads what runs go by, each version once. */
export const makeCourses = () => {
  const known = new Map<string, Course>()
  return Effect.fnUntraced(function* (workflowId: WorkflowId, number: number) {
    const name = `${workflowId} ${number}`
    const read = known.get(name)
    if (read !== undefined) return read
    const found = yield* Effect.option((yield* Workflows).version(workflowId, number))
    if (found._tag === "None") return noCourse
    const { graph } = found.value
    const nodes = new Map(graph.nodes.map((node) => [node.id, node]))
    const course: Course = { graph, nodes, schedules: schedulesInGraph(graph) }
    known.set(name, course)
    return course
  })
}

/** Reads what runs go by. */
export type Courses = ReturnType<typeof makeCourses>

/** The node that a run is in. */
export const nodeIn = ({ nodes }: Course, { node }: Pick<WorkflowRun, "node">): WorkflowNode | null =>
  node === null ? null : (nodes.get(node) ?? null)
