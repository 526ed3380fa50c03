import {
  allFactGroups,
  type FactGroup,
  type FactGroups,
  factGroupsOf,
  contactFactGroups,
  type Trigger
} from "../../automations/index.ts"
import type { Graph } from "./Graph.ts"
import type { NodeId, WorkflowNode } from "./Node.ts"

/** Edge between two nodes, with its pointer in the node and its label. */
export interface Edge {
  readonly to: NodeId
  readonly pointer: string
  readonly label: string | null
}

const edge = (to: NodeId, pointer: string, label: string | null = null): Edge => ({ to, pointer, label })

export const edgesOf = (node: WorkflowNode): ReadonlyArray<Edge> => {
  switch (node.kind) {
    case "action": {
      const { next, onError } = node
      const failing = typeof onError === "object" ? [edge(onError.to, "/onError/to", "failed")] : []
      return [edge(next, "/next"), ...failing]
    }
    case "wait":
      return [edge(node.next, "/next")]
    case "wait_for":
      return [edge(node.next, "/next", "event"), edge(node.timeout, "/timeout", "timeout")]
    case "branch":
      return [
        ...node.branches.map(({ next }, index) => edge(next, `/branches/${index}/next`, `${index + 1}`)),
        edge(node.else, "/else", "else")
      ]
    case "split":
      return node.paths.map(({ next, percent }, index) => edge(next, `/paths/${index}/next`, `${percent} %`))
    case "end":
      return []
  }
}

/** Whether a run waits in the node. A cycle through it cannot run without delay. */
export const isWaiting = ({ kind }: WorkflowNode): boolean => kind === "wait" || kind === "wait_for"

/** Successors of each node. */
export type Adjacency = ReadonlyMap<NodeId, ReadonlyArray<NodeId>>

/** Nodes that are reachable from these nodes, including themselves. */
export const findReachable = (starts: Iterable<NodeId>, ways: Adjacency): ReadonlySet<NodeId> => {
  const reached = new Set(starts)
  // The loop also visits elements that are added during the iteration.
  for (const each of reached) for (const next of ways.get(each) ?? []) reached.add(next)
  return reached
}

export const reverseAdjacency = (ways: Adjacency): Adjacency => {
  const back = new Map<NodeId, Array<NodeId>>()
  for (const [from, nexts] of ways) {
    for (const next of nexts) {
      const known = back.get(next)
      if (known === undefined) back.set(next, [from])
      else known.push(from)
    }
  }
  return back
}

/** Facts that an event provides; without an event, only contact facts. */
export const groupsOnEvent = (event: Trigger | null | undefined): FactGroups =>
  event === null || event === undefined ? contactFactGroups : factGroupsOf(event)

/** Facts at the start of a run; all facts without an entry. */
export const groupsAtEntry = ({ entry }: Graph): FactGroups =>
  entry === undefined ? allFactGroups : groupsOnEvent(entry.event)

/** Successors of a node, with their facts: facts of the start event, until another event wakes the run. */
const nextNodesWithGroups = (node: WorkflowNode, groups: FactGroups): ReadonlyArray<readonly [NodeId, FactGroups]> =>
  node.kind === "wait_for"
    ? [
        [node.next, factGroupsOf(node.event)],
        [node.timeout, groups]
      ]
    : edgesOf(node).map(({ to }) => [to, groups])

/** Facts that can be available in each reachable node, on any path. */
export const groupsAtNodes = (graph: Graph): ReadonlyMap<NodeId, FactGroups> => {
  const nodes = new Map(graph.nodes.toReversed().map((node) => [node.id, node]))
  const known = new Map<NodeId, ReadonlySet<FactGroup>>()
  const arriving: Array<readonly [NodeId, FactGroups]> =
    graph.entry === undefined ? [] : [[graph.entry.next, groupsAtEntry(graph)]]
  // The loop also visits elements that are added during the iteration. It ends, because the number of groups is finite.
  for (const [id, groups] of arriving) {
    const node = nodes.get(id)
    const before = known.get(id)
    if (node === undefined || (before !== undefined && Array.from(groups).every((group) => before.has(group)))) continue
    const now = new Set([...(before ?? []), ...groups])
    known.set(id, now)
    arriving.push(...nextNodesWithGroups(node, now))
  }
  return known
}
