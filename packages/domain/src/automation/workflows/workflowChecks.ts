import { DateTime, Effect, Option } from "effect"
import { type ValidationIssue, NotFound } from "../../kernel/index.ts"
import {
  type ConditionInput,
  findConditionLeaves,
  makeConditionReader,
  loadConditionContext,
  loadOutputSchemas,
  validateAction,
  type FactGroups,
  isInactivityTrigger,
  isKnownResource,
  loadKnownResources,
  referencesInTrigger,
  type TriggerEvent
} from "../automations/index.ts"
import { statusAt, type WeeklySchedule, WeeklySchedules, zoneOf } from "../schedules/index.ts"
import type { Graph } from "./graph/Graph.ts"
import type { RunKey } from "./graph/Node.ts"
import { actionsOf, conditionsOf, triggersOf } from "./graph/graphContents.ts"
import { validateGraphStructure } from "./graph/graphValidation.ts"
import { groupsAtEntry, groupsAtNodes, groupsOnEvent } from "./graph/graphPaths.ts"

const automationTriggers: ReadonlySet<TriggerEvent> = new Set([
  "webhook.received",
  "schedule.reached",
  "contact.date_reached"
])

/**
 * Reports calls of trigger URLs, schedules and dates, which start automations only, and timer events outside the entry. A time without activity is not logged, so it can only
 * start runs.
 */
const validateTriggerKinds = (graph: Graph): ReadonlyArray<ValidationIssue> =>
  triggersOf(graph).flatMap(({ pointer, input }) => {
    if (automationTriggers.has(input.event)) {
      return [{ pointer, message: `Only automations can use ${input.event}. Expected an event of the feed` }]
    }
    return isInactivityTrigger(input) && input !== graph.entry?.event
      ? [{ pointer, message: `Only an entry can use ${input.event}. Expected an event of the feed` }]
      : []
  })

const validateKey = (key: RunKey | undefined, groups: FactGroups, pointer: string): ReadonlyArray<ValidationIssue> =>
  key === undefined || groups.has(key) ? [] : [{ pointer, message: `The event has no ${key}` }]

/** Reports keys of the entry or of awaited events that their event does not provide. */
const validateKeys = (graph: Graph): ReadonlyArray<ValidationIssue> => {
  const { entry, nodes } = graph
  const known = groupsAtNodes(graph)
  const own: ReadonlyArray<RunKey> = entry?.by === undefined ? [] : [entry.by]
  return [
    ...(entry === undefined ? [] : validateKey(entry.by, groupsAtEntry(graph), "/graph/entry/by")),
    ...nodes.flatMap((node, index) => {
      if (node.kind !== "wait_for" || node.match === undefined) return []
      const pointer = `/graph/nodes/${index}/match`
      const before = known.get(node.id)
      const faults = validateKey(node.match, groupsOnEvent(node.event), pointer)
      if (faults.length > 0 || before === undefined || before.has(node.match) || own.includes(node.match)) return faults
      return [{ pointer, message: `The run has no ${node.match} at this node` }]
    })
  ]
}

/** Whether a wait for the schedule never ends. */
const staysClosed = Effect.fnUntraced(function* (schedule: WeeklySchedule) {
  const { nextChangeAt, open } = statusAt(schedule, yield* zoneOf(schedule), yield* DateTime.now)
  return !open && nextChangeAt === null
})

/** Reports schedules of waits that do not exist or never open. */
const validateSchedules = Effect.fnUntraced(function* ({ nodes }: Graph) {
  const schedules = yield* WeeklySchedules
  const faults = yield* Effect.forEach(
    nodes.entries(),
    Effect.fnUntraced(function* ([index, node]) {
      const none: ReadonlyArray<ValidationIssue> = []
      if (node.kind !== "wait" || node.scheduleId === undefined) return none
      const pointer = `/graph/nodes/${index}/scheduleId`
      const found = Option.getOrNull(yield* Effect.option(schedules.get(node.scheduleId)))
      if (found === null) return [{ pointer, message: "There is no schedule with this id" }]
      return (yield* staysClosed(found)) ? [{ pointer, message: "Expected a schedule with opening hours" }] : none
    })
  )
  return faults.flat()
})

const toMissingIssues = (
  things: ReadonlyArray<{ readonly resource: string; readonly pointer: string }>
): ReadonlyArray<ValidationIssue> =>
  things.map(({ pointer, resource }) => ({ pointer, message: new NotFound({ resource }).message }))

/** Reports conditions on the results of nodes that do not exist. */
const unknownSteps = ({ nodes }: Graph, condition: ConditionInput, pointer: string): ReadonlyArray<ValidationIssue> =>
  findConditionLeaves(condition, pointer).flatMap(({ input: { field, key = "" }, pointer: at }) => {
    const [name] = key.split(".")
    return field !== "steps" || nodes.some(({ id }) => id === name)
      ? []
      : [{ pointer: `${at}/key`, message: "There is no node with this id" }]
  })

const validateTriggers = Effect.fnUntraced(function* (graph: Graph) {
  const named = triggersOf(graph).flatMap(({ pointer, input }) => referencesInTrigger(input, pointer))
  const known = yield* loadKnownResources(named)
  return toMissingIssues(
    named.filter((thing) => !isKnownResource(known, thing)).map(({ kind, pointer }) => ({ resource: kind, pointer }))
  )
})

/** Reports conditions with errors, or with missing resources. */
const validateConditions = Effect.fnUntraced(function* (graph: Graph) {
  const conditions = conditionsOf(graph)
  const surroundings = yield* loadConditionContext(conditions.map(({ input }) => input))
  return conditions.flatMap(({ groups, pointer, input }) => {
    const { faults, missing } = makeConditionReader(surroundings, groups)(input, pointer)
    return [...faults, ...toMissingIssues(missing), ...unknownSteps(graph, input, pointer)]
  })
})

/** Additional template variables of workflows: the run input and the step results. */
const runVariables = ({ nodes }: Graph): ReadonlyArray<string> => [
  "input",
  "steps",
  ...nodes.map(({ id }) => `steps.${id}`)
]

const namedActions = ({ nodes }: Graph) =>
  nodes.flatMap((node) => (node.kind === "action" ? [{ name: node.id, action: node.action }] : []))

const validateGraphActions = Effect.fnUntraced(function* (graph: Graph) {
  const always = runVariables(graph)
  const outputs = yield* loadOutputSchemas(namedActions(graph))
  const faults = yield* Effect.forEach(actionsOf(graph), ({ groups, pointer, input }) =>
    validateAction(input, new Set([...groups, ...always]), pointer, outputs)
  )
  return faults.flat()
})

/** Finds the problems of a graph that prevent a test. */
export const validateForTest = Effect.fnUntraced(function* (graph: Graph) {
  return [...(yield* validateConditions(graph)), ...(yield* validateSchedules(graph))]
})

/** Finds all current problems of a graph, with their pointers. */
export const validateWorkflowGraph = Effect.fnUntraced(function* (graph: Graph) {
  return [
    ...validateGraphStructure(graph),
    ...validateKeys(graph),
    ...validateTriggerKinds(graph),
    ...(yield* validateSchedules(graph)),
    ...(yield* validateTriggers(graph)),
    ...(yield* validateConditions(graph)),
    ...(yield* validateGraphActions(graph))
  ]
})
