import {
  everyGroup,
  type Group,
  type Groups,
  groupsOf,
  groupsOfContact,
  type Trigger
} from "../../automations/index.ts"
import { edgesOf } from "./edges.ts"
import type { Graph } from "./Graph.ts"
import type { WorkflowNode } from "./Node.ts"
import type { NodeId } from "./NodeId.ts"

/** What is known once this has happened; of the contact alone where nothing has. */
export const groupsOnEvent = (event: Trigger | null | undefined): Groups =>
  event === null || event === undefined ? groupsOfContact : groupsOf(event)

/** What is known when a run begins. Anything may be, until it is said how. */
export const groupsAtEntry = ({ entry }: Graph): Groups =>
  entry === undefined ? everyGroup : groupsOnEvent(entry.event)

/** A way on, and what is known there: what the run began with, until something else has woken it. */
const waysOn = (node: WorkflowNode, groups: Groups): ReadonlyArray<readonly [NodeId, Groups]> =>
  node.kind === "wait_for"
    ? [
        [node.next, groupsOf(node.event)],
        [node.timeout, groups]
      ]
    : edgesOf(node).map(({ to }) => [to, groups])

/** What may be known in each node that runs come to, on one way or another. */
export const groupsAtNodes = (graph: Graph): ReadonlyMap<NodeId, Groups> => {
  const nodes = new Map(graph.nodes.toReversed().map((node) => [node.id, node]))
  const known = new Map<NodeId, ReadonlySet<Group>>()
  const arriving: Array<readonly [NodeId, Groups]> =
    graph.entry === undefined ? [] : [[graph.entry.next, groupsAtEntry(graph)]]
  // What is added while a list is gone through is gone through as well. It ends, as there are only so many groups.
  for (const [id, groups] of arriving) {
    const node = nodes.get(id)
    const before = known.get(id)
    if (node === undefined || (before !== undefined && Array.from(groups).every((group) => before.has(group)))) continue
    const now = new Set([...(before ?? []), ...groups])
    known.set(id, now)
    arriving.push(...waysOn(node, now))
  }
  return known
}
