import {
  type Action,
  type ConditionInput,
  allFactGroups,
  type FactGroups,
  collectReferenceKeys,
  toReferenceKey,
  referencedSchedules,
  type Trigger,
  withStepGroup
} from "../../automations/index.ts"
import type { Graph } from "./Graph.ts"
import { groupsAtEntry, groupsAtNodes, groupsOnEvent } from "./graphPaths.ts"

/** Part of a graph, with its pointer. */
export interface GraphElement<A> {
  readonly input: A
  readonly pointer: string
}

/** Part of a graph, with the facts that are available there. */
export interface GraphElementWithGroups<A> extends GraphElement<A> {
  readonly groups: FactGroups
}

const at = (list: string, index: number) => `/graph/${list}/${index}`

/** Events that a graph waits for or starts with. */
export const triggersOf = ({ entry, exits = [], goals = [], nodes }: Graph): ReadonlyArray<GraphElement<Trigger>> => {
  const saying = (event: Trigger | null | undefined, pointer: string): ReadonlyArray<GraphElement<Trigger>> =>
    event === null || event === undefined ? [] : [{ input: event, pointer: `${pointer}/event` }]
  return [
    ...saying(entry?.event, "/graph/entry"),
    ...goals.flatMap(({ event }, index) => saying(event, at("goals", index))),
    ...exits.flatMap(({ event }, index) => saying(event, at("exits", index))),
    ...nodes.flatMap((node, index) => (node.kind === "wait_for" ? saying(node.event, at("nodes", index)) : []))
  ]
}

/** Conditions of a graph. A goal or an exit without an event is evaluated in every node. */
export const conditionsOf = (graph: Graph): ReadonlyArray<GraphElementWithGroups<ConditionInput>> => {
  const { entry, exits = [], goals = [], nodes } = graph
  const known = groupsAtNodes(graph)
  const anywhere: FactGroups = new Set([
    ...groupsAtEntry(graph),
    ...Array.from(known.values()).flatMap((each) => [...each])
  ])
  const saying = (
    condition: ConditionInput | undefined,
    groups: FactGroups,
    pointer: string
  ): ReadonlyArray<GraphElementWithGroups<ConditionInput>> =>
    condition === undefined ? [] : [{ input: condition, groups, pointer: `${pointer}/if` }]
  const ofMarks = (marks: ReadonlyArray<Pick<(typeof exits)[number], "event" | "if">>, list: string) =>
    marks.flatMap(({ event, if: condition }, index) =>
      saying(condition, (event ?? null) === null ? anywhere : groupsOnEvent(event), at(list, index))
    )
  return [
    ...saying(entry?.if, groupsAtEntry(graph), "/graph/entry"),
    ...ofMarks(goals, "goals"),
    ...ofMarks(exits, "exits"),
    ...nodes.flatMap((node, index) => {
      if (node.kind === "wait_for") return saying(node.if, groupsOnEvent(node.event), at("nodes", index))
      if (node.kind !== "branch") return []
      const groups = withStepGroup(known.get(node.id) ?? allFactGroups)
      return node.branches.flatMap((branch, place) =>
        saying(branch.if, groups, `${at("nodes", index)}/branches/${place}`)
      )
    })
  ]
}

export const actionsOf = (graph: Graph): ReadonlyArray<GraphElementWithGroups<Action>> => {
  const known = groupsAtNodes(graph)
  return graph.nodes.flatMap((node, index) =>
    node.kind === "action"
      ? [{ input: node.action, groups: known.get(node.id) ?? allFactGroups, pointer: `${at("nodes", index)}/action` }]
      : []
  )
}

/** References of a graph to areas that check their dependents before a deletion. */
export const referencesInGraph = (graph: Graph): ReadonlyArray<string> => [
  ...new Set([
    ...collectReferenceKeys(
      conditionsOf(graph).map(({ input }) => input),
      actionsOf(graph).map(({ input }) => input)
    ),
    ...graph.nodes.flatMap((node) =>
      node.kind === "wait" && node.scheduleId !== undefined ? [toReferenceKey("scheduleId", node.scheduleId)] : []
    )
  ])
]

/** Schedules that conditions and texts of a graph can name. */
export const schedulesInGraph = (graph: Graph) =>
  referencedSchedules(
    conditionsOf(graph).map(({ input }) => input),
    actionsOf(graph).map(({ input }) => input)
  )

/** Schedules in the entry condition. */
export const schedulesAtEntry = ({ entry }: Graph) => referencedSchedules(entry?.if === undefined ? [] : [entry.if], [])
