import type { Fault } from "../../../kernel/index.ts"
import type { Exit, Goal, Graph } from "./Graph.ts"
import type { WorkflowNode } from "./Node.ts"
import type { NodeId } from "./NodeId.ts"

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
export const faultsOfParts = (graph: Graph): ReadonlyArray<Fault> => {
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
