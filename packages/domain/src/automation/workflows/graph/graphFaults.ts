import type { Fault } from "../../../kernel/index.ts"
import type { Exit, Goal, Graph } from "./Graph.ts"
import type { NodeId, WorkflowNode } from "./Node.ts"
import { edgesOf, isWaiting, reachableFrom, reversed, type Ways } from "./graphPaths.ts"

const faultsOfEntry = ({ entry, nodes }: Graph): ReadonlyArray<Fault> => {
  if (entry === undefined) return [{ pointer: "/graph/entry", message: "Expected an entry: where runs begin" }]
  return nodes.some(({ id }) => id === entry.next)
    ? []
    : [{ pointer: "/graph/entry/next", message: "There is no node with this id" }]
}

/** Each id that was there before. */
const doubled = (ids: ReadonlyArray<readonly [id: NodeId, pointer: string]>, message: string): ReadonlyArray<Fault> => {
  const seen = new Set<NodeId>()
  return ids.flatMap(([id, pointer]) => {
    if (seen.has(id)) return [{ pointer: `${pointer}/id`, message }]
    seen.add(id)
    return []
  })
}

const faultsOfNode = (node: WorkflowNode, pointer: string): ReadonlyArray<Fault> => {
  if (node.kind === "wait") {
    const { scheduleId, seconds, until } = node
    const isNothing = seconds === undefined && until === undefined && scheduleId === undefined
    return isNothing ? [{ pointer, message: "Expected at least one of: seconds, until, scheduleId" }] : []
  }
  if (node.kind !== "split") return []
  const sum = node.paths.reduce((total, { percent }) => total + percent, 0)
  return sum === 100
    ? []
    : [{ pointer: `${pointer}/paths`, message: `Expected percents that add up to 100, not to ${sum}` }]
}

const faultsOfMark = ({ event, if: condition }: Goal | Exit, pointer: string): ReadonlyArray<Fault> => {
  const asksNothing = condition === undefined || Object.keys(condition).length === 0
  return (event ?? null) === null && asksNothing
    ? [{ pointer, message: "Expected an event, a condition or both: this would hold at once" }]
    : []
}

/** What is wrong with the parts of a graph, each by itself. */
const faultsOfParts = (graph: Graph): ReadonlyArray<Fault> => {
  const { exits = [], goals = [], nodes } = graph
  const marks = [
    ...goals.map((mark, index) => ({ mark, pointer: `/graph/goals/${index}` })),
    ...exits.map((mark, index) => ({ mark, pointer: `/graph/exits/${index}` }))
  ]
  return [
    ...faultsOfEntry(graph),
    ...doubled(
      nodes.map(({ id }, index) => [id, `/graph/nodes/${index}`]),
      "Expected an id that no other node has"
    ),
    ...nodes.flatMap((node, index) => faultsOfNode(node, `/graph/nodes/${index}`)),
    ...doubled(
      marks.map(({ mark, pointer }) => [mark.id, pointer]),
      "Expected an id that no other goal or exit has"
    ),
    ...marks.flatMap(({ mark, pointer }) => faultsOfMark(mark, pointer))
  ]
}

interface Placed {
  readonly node: WorkflowNode
  readonly pointer: string
}

/** Nodes by their ids; of two with the same id the first one counts. */
const placedNodes = (nodes: ReadonlyArray<WorkflowNode>): ReadonlyMap<NodeId, Placed> => {
  const placed = new Map<NodeId, Placed>()
  for (const [index, node] of nodes.entries()) {
    if (!placed.has(node.id)) placed.set(node.id, { node, pointer: `/graph/nodes/${index}` })
  }
  return placed
}

const waysOf = (placed: Iterable<Placed>): Ways =>
  new Map(Array.from(placed, ({ node }) => [node.id, edgesOf(node).map(({ to }) => to)]))

const unknown = (nodes: ReadonlyMap<NodeId, Placed>): ReadonlyArray<Fault> =>
  Array.from(nodes.values()).flatMap(({ node, pointer }) =>
    edgesOf(node).flatMap((edge) =>
      nodes.has(edge.to) ? [] : [{ pointer: `${pointer}${edge.pointer}`, message: "There is no node with this id" }]
    )
  )

const unreachable = (nodes: ReadonlyMap<NodeId, Placed>, ways: Ways, { entry }: Graph): ReadonlyArray<Fault> => {
  // Without a beginning nothing is reachable: one fault says so.
  if (entry === undefined || !nodes.has(entry.next)) return []
  const reached = reachableFrom([entry.next], ways)
  return Array.from(nodes.values()).flatMap(({ node, pointer }) =>
    reached.has(node.id) ? [] : [{ pointer, message: "There is no way to this node" }]
  )
}

const endless = (nodes: ReadonlyMap<NodeId, Placed>, ways: Ways): ReadonlyArray<Fault> => {
  // Where an unknown node would lead is not known: that it is unknown is the fault.
  const ends = Array.from(nodes.values()).flatMap(({ node }) =>
    node.kind === "end" || edgesOf(node).some(({ to }) => !nodes.has(to)) ? [node.id] : []
  )
  const ending = reachableFrom(ends, reversed(ways))
  return Array.from(nodes.values()).flatMap(({ node, pointer }) =>
    ending.has(node.id) ? [] : [{ pointer, message: "There is no way from this node to an end" }]
  )
}

/** One fault for each circle, at the way from its first node into it. */
const restless = (nodes: ReadonlyMap<NodeId, Placed>): ReadonlyArray<Fault> => {
  const hasty = Array.from(nodes.values()).filter(({ node }) => !isWaiting(node))
  const ways = waysOf(hasty)
  const said = new Set<NodeId>()
  return hasty.flatMap(({ node, pointer }) => {
    if (said.has(node.id)) return []
    const back = edgesOf(node).find(({ to }) => reachableFrom([to], ways).has(node.id) && ways.has(to))
    if (back === undefined) return []
    for (const id of reachableFrom([node.id], ways)) {
      if (reachableFrom([id], ways).has(node.id)) said.add(id)
    }
    return [{ pointer: `${pointer}${back.pointer}`, message: "Expected a wait in this circle" }]
  })
}

/** Everything that is wrong with how the parts of a graph hang together, and where. */
export const faultsOfGraph = (graph: Graph): ReadonlyArray<Fault> => {
  const nodes = placedNodes(graph.nodes)
  const ways = waysOf(nodes.values())
  return [
    ...faultsOfParts(graph),
    ...unknown(nodes),
    ...unreachable(nodes, ways, graph),
    ...endless(nodes, ways),
    ...restless(nodes)
  ]
}
