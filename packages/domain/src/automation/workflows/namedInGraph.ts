import { nameOfNamed, namedBy, schedulesNamed } from "../automations/index.ts"
import type { Graph } from "./graph/Graph.ts"
import { actionsOf, conditionsOf } from "./graph/said.ts"

/** What a graph names of areas that ask before something of theirs goes. */
export const namedInGraph = (graph: Graph): ReadonlyArray<string> => [
  ...new Set([
    ...namedBy(
      conditionsOf(graph).map(({ said }) => said),
      actionsOf(graph).map(({ said }) => said)
    ),
    ...graph.nodes.flatMap((node) =>
      node.kind === "wait" && node.scheduleId !== undefined ? [nameOfNamed("scheduleId", node.scheduleId)] : []
    )
  ])
]

/** The schedules that conditions of a graph look at, and those that its texts may name. */
export const schedulesInGraph = (graph: Graph) =>
  schedulesNamed(
    conditionsOf(graph).map(({ said }) => said),
    actionsOf(graph).map(({ said }) => said)
  )

/** The schedules that the condition of its entry looks at. */
export const schedulesAtEntry = ({ entry }: Graph) => schedulesNamed(entry?.if === undefined ? [] : [entry.if], [])
