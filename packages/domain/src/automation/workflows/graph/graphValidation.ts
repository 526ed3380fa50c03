import type { ValidationIssue } from "../../../kernel/index.ts"
import type { WorkflowExit, WorkflowGoal, Graph } from "./Graph.ts"
import type { NodeId, WorkflowNode } from "./Node.ts"
import { edgesOf, isWaiting, findReachable, reverseAdjacency, type Adjacency } from "./graphPaths.ts"

const validateEntry = ({ entry, nodes }: Graph): ReadonlyArray<ValidationIssue> => {
  if (entry === undefined) return [{ pointer: "/graph/entry", message: "Expected an entry" }]
  return nodes.some(({ id }) => id === entry.next)
    ? []
    : [{ pointer: "/graph/entry/next", message: "There is no node with this id" }]
}

/** Reports repeated ids. */
const findDuplicateIds = (
  ids: ReadonlyArray<readonly [id: NodeId, pointer: string]>,
  message: string
): ReadonlyArray<ValidationIssue> => {
  const seen = new Set<NodeId>()
  return ids.flatMap(([id, pointer]) => {
    if (seen.has(id)) return [{ pointer: `${pointer}/id`, message }]
    seen.add(id)
    return []
  })
}

const validateNode = (node: WorkflowNode, pointer: string): ReadonlyArray<ValidationIssue> => {
  if (node.kind === "wait") {
    const { scheduleId, seconds, until } = node
    const isNothing = seconds === undefined && until === undefined && scheduleId === undefined
    return isNothing ? [{ pointer, message: "Expected at least one of: seconds, until, scheduleId" }] : []
  }
  if (node.kind !== "split") return []
  const sum = node.paths.reduce((total, { percent }) => total + percent, 0)
  return sum === 100
    ? []
    : [{ pointer: `${pointer}/paths`, message: `Expected percentages with the sum 100, got ${sum}` }]
}

const validateGoalOrExit = (
  { event, if: condition }: WorkflowGoal | WorkflowExit,
  pointer: string
): ReadonlyArray<ValidationIssue> => {
  const asksNothing = condition === undefined || Object.keys(condition).length === 0
  return (event ?? null) === null && asksNothing
    ? [{ pointer, message: "Expected an event, a condition or both: this goal is always reached" }]
    : []
}

/** Finds problems within single parts of a graph. */
const validateParts = (graph: Graph): ReadonlyArray<ValidationIssue> => {
  const { exits = [], goals = [], nodes } = graph
  const marks = [
    ...goals.map((mark, index) => ({ mark, pointer: `/graph/goals/${index}` })),
    ...exits.map((mark, index) => ({ mark, pointer: `/graph/exits/${index}` }))
  ]
  return [
    ...validateEntry(graph),
    ...findDuplicateIds(
      nodes.map(({ id }, index) => [id, `/graph/nodes/${index}`]),
      "Expected a unique node id"
    ),
    ...nodes.flatMap((node, index) => validateNode(node, `/graph/nodes/${index}`)),
    ...findDuplicateIds(
      marks.map(({ mark, pointer }) => [mark.id, pointer]),
      "Expected a unique id among goals and exits"
    ),
    ...marks.flatMap(({ mark, pointer }) => validateGoalOrExit(mark, pointer))
  ]
}

interface LocatedNode {
  readonly node: WorkflowNode
  readonly pointer: string
}

/** Maps ids to nodes. The first node counts for a repeated id. */
const locateNodes = (nodes: ReadonlyArray<WorkflowNode>): ReadonlyMap<NodeId, LocatedNode> => {
  const placed = new Map<NodeId, LocatedNode>()
  for (const [index, node] of nodes.entries()) {
    if (!placed.has(node.id)) placed.set(node.id, { node, pointer: `/graph/nodes/${index}` })
  }
  return placed
}

const toAdjacency = (placed: Iterable<LocatedNode>): Adjacency =>
  new Map(Array.from(placed, ({ node }) => [node.id, edgesOf(node).map(({ to }) => to)]))

const findUnknownTargets = (nodes: ReadonlyMap<NodeId, LocatedNode>): ReadonlyArray<ValidationIssue> =>
  Array.from(nodes.values()).flatMap(({ node, pointer }) =>
    edgesOf(node).flatMap((edge) =>
      nodes.has(edge.to) ? [] : [{ pointer: `${pointer}${edge.pointer}`, message: "There is no node with this id" }]
    )
  )

const findUnreachableNodes = (
  nodes: ReadonlyMap<NodeId, LocatedNode>,
  ways: Adjacency,
  { entry }: Graph
): ReadonlyArray<ValidationIssue> => {
  // Without an entry no node is reachable. The missing entry is a single problem.
  if (entry === undefined || !nodes.has(entry.next)) return []
  const reached = findReachable([entry.next], ways)
  return Array.from(nodes.values()).flatMap(({ node, pointer }) =>
    reached.has(node.id) ? [] : [{ pointer, message: "No path leads to this node" }]
  )
}

const findEndlessNodes = (nodes: ReadonlyMap<NodeId, LocatedNode>, ways: Adjacency): ReadonlyArray<ValidationIssue> => {
  // The successors of an unknown node are unknown. The unknown node is a separate problem.
  const ends = Array.from(nodes.values()).flatMap(({ node }) =>
    node.kind === "end" || edgesOf(node).some(({ to }) => !nodes.has(to)) ? [node.id] : []
  )
  const ending = findReachable(ends, reverseAdjacency(ways))
  return Array.from(nodes.values()).flatMap(({ node, pointer }) =>
    ending.has(node.id) ? [] : [{ pointer, message: "No path leads from this node to an end" }]
  )
}

/** Reports one problem per cycle without a wait, at the edge from its first node. */
const findBusyLoops = (nodes: ReadonlyMap<NodeId, LocatedNode>): ReadonlyArray<ValidationIssue> => {
  const hasty = Array.from(nodes.values()).filter(({ node }) => !isWaiting(node))
  const ways = toAdjacency(hasty)
  const reported = new Set<NodeId>()
  return hasty.flatMap(({ node, pointer }) => {
    if (reported.has(node.id)) return []
    const back = edgesOf(node).find(({ to }) => findReachable([to], ways).has(node.id) && ways.has(to))
    if (back === undefined) return []
    for (const id of findReachable([node.id], ways)) {
      if (findReachable([id], ways).has(node.id)) reported.add(id)
    }
    return [{ pointer: `${pointer}${back.pointer}`, message: "Expected a wait in this loop" }]
  })
}

/** Finds all problems of the connections between graph parts, with their pointers. */
export const validateGraphStructure = (graph: Graph): ReadonlyArray<ValidationIssue> => {
  const nodes = locateNodes(graph.nodes)
  const ways = toAdjacency(nodes.values())
  return [
    ...validateParts(graph),
    ...findUnknownTargets(nodes),
    ...findUnreachableNodes(nodes, ways, graph),
    ...findEndlessNodes(nodes, ways),
    ...findBusyLoops(nodes)
  ]
}
