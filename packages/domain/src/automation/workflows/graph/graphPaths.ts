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

/** A way from a node to another one, where it stands in the node, and what it is taken for. */
export interface Edge {
  readonly to: NodeId
  readonly pointer: string
  readonly label: string | null
}

const edge = (to: NodeId, pointer: string, label: string | null = null): Edge => ({ to, pointer, label })

/** The ways from a node. */
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

/** Whether a run rests in the node, so that a circle through it goes round no faster than time. */
export const isWaiting = ({ kind }: WorkflowNode): boolean => kind === "wait" || kind === "wait_for"

/** Where nodes lead to. */
export type Adjacency = ReadonlyMap<NodeId, ReadonlyArray<NodeId>>

/** Everything that can be come to from these nodes, they themselves included. */
export const findReachable = (starts: Iterable<NodeId>, ways: Adjacency): ReadonlySet<NodeId> => {
  const reached = new Set(starts)
  // What is added while a set is gone through is gone through as well.
  for (const each of reached) for (const next of ways.get(each) ?? []) reached.add(next)
  return reached
}

/** The same ways, the other way round. */
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

/** What is known once this has happened; of the contact alone where nothing has. */
export const groupsOnEvent = (event: Trigger | null | undefined): FactGroups =>
  event === null || event === undefined ? contactFactGroups : factGroupsOf(event)

/** What is known when a run begins. Anything may be, until it is said how. */
export const groupsAtEntry = ({ entry }: Graph): FactGroups =>
  entry === undefined ? allFactGroups : groupsOnEvent(entry.event)

/** A way on, and what is known there: what the run began with, until something else has woken it. */
const nextNodesWithGroups = (node: WorkflowNode, groups: FactGroups): ReadonlyArray<readonly [NodeId, FactGroups]> =>
  node.kind === "wait_for"
    ? [
        [node.next, factGroupsOf(node.event)],
        [node.timeout, groups]
      ]
    : edgesOf(node).map(({ to }) => [to, groups])

/** What may be known in each node that runs come to, on one way or another. */
export const groupsAtNodes = (graph: Graph): ReadonlyMap<NodeId, FactGroups> => {
  const nodes = new Map(graph.nodes.toReversed().map((node) => [node.id, node]))
  const known = new Map<NodeId, ReadonlySet<FactGroup>>()
  const arriving: Array<readonly [NodeId, FactGroups]> =
    graph.entry === undefined ? [] : [[graph.entry.next, groupsAtEntry(graph)]]
  // What is added while a list is gone through is gone through as well. It ends, as there are only so many groups.
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
