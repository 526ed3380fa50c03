import type { Groups } from "../../automations/index.ts"
import type { Fault } from "../../../kernel/index.ts"
import type { Graph } from "./Graph.ts"
import { groupsAtEntry, groupsAtNodes, groupsOnEvent } from "./known.ts"
import type { RunKey } from "./Node.ts"

const faultOfKey = (key: RunKey | undefined, groups: Groups, pointer: string): ReadonlyArray<Fault> =>
  key === undefined || groups.has(key) ? [] : [{ pointer, message: `Nothing is known of any ${key} when this happens` }]

/** What tells runs apart, or an awaited event, and is not known then. */
export const faultsOfKeys = (graph: Graph): ReadonlyArray<Fault> => {
  const { entry, nodes } = graph
  const known = groupsAtNodes(graph)
  const own: ReadonlyArray<RunKey> = entry?.by === undefined ? [] : [entry.by]
  return [
    ...(entry === undefined ? [] : faultOfKey(entry.by, groupsAtEntry(graph), "/graph/entry/by")),
    ...nodes.flatMap((node, index) => {
      if (node.kind !== "wait_for" || node.match === undefined) return []
      const pointer = `/graph/nodes/${index}/match`
      const before = known.get(node.id)
      const faults = faultOfKey(node.match, groupsOnEvent(node.event), pointer)
      if (faults.length > 0 || before === undefined || before.has(node.match) || own.includes(node.match)) return faults
      return [{ pointer, message: `A run knows of no ${node.match} here` }]
    })
  ]
}
