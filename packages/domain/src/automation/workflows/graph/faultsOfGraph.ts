import type { Fault } from "../../../kernel/index.ts"
import { edgesOf, isWaiting } from "./edges.ts"
import type { Graph } from "./Graph.ts"
import type { WorkflowNode } from "./Node.ts"
import type { NodeId } from "./NodeId.ts"
import { faultsOfParts } from "./faultsOfParts.ts"
import { reachableFrom, reversed, type Ways } from "./paths.ts"

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
