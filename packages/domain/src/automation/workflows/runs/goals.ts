import { Effect } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import type { LoggedEvent } from "../../../platform/events/index.ts"
import {
  type ConditionInput,
  allFactGroups,
  type FactGroups,
  type Facts,
  factsForContact,
  matchesTrigger,
  evaluateCondition,
  buildEventContext,
  type SourceEvent,
  type Trigger,
  type TriggerEvent,
  triggerEventOf,
  withStepGroup,
  type WorkflowId
} from "../../automations/index.ts"
import type { ScheduleId } from "../../schedules/index.ts"
import type { Graph } from "../graph/Graph.ts"
import type { NodeId, RunKey } from "../graph/Node.ts"
import type { WorkflowRun } from "./WorkflowRun.ts"
import type { GoalCheck } from "./runState.ts"

/** Log event with its trigger. */
export interface TriggerOccurrence {
  readonly logged: LoggedEvent<SourceEvent>
  /** Trigger that the event matches; `null` if it starts nothing. */
  readonly trigger: TriggerEvent | null
}

export const toTriggerOccurrence = (logged: LoggedEvent<SourceEvent>): TriggerOccurrence => ({
  logged,
  trigger: triggerEventOf(logged.event)
})

/** Whether the event matches a trigger of the graph. */
export const matchesOccurrence = ({ logged, trigger }: TriggerOccurrence, wanted: Trigger): boolean =>
  wanted.event === trigger && matchesTrigger(wanted, logged.event)

/** Whether the workflow itself caused the event. */
export const isCausedByWorkflow = ({ logged: { causation } }: TriggerOccurrence, workflowId: WorkflowId): boolean => {
  const by = causation?.via.at(-1)
  return by !== undefined && by.kind === "workflow" && by.id === workflowId
}

/** Contact, conversation, order or cart of an event; `null` if it has none. */
export const subjectOf = (
  by: RunKey,
  event: SourceEvent | null,
  { contactId, conversationId }: { readonly contactId: ContactId; readonly conversationId: Facts["conversationId"] }
): string | null => {
  switch (by) {
    case "contact":
      return contactId
    case "conversation":
      return conversationId
    case "order":
      return event !== null && "orderId" in event ? event.orderId : null
    case "cart":
      return event !== null && "cartId" in event ? event.cartId : null
  }
}

/** Facts that conditions of a run can use. Conditions on missing facts do not hold. */
export const runFactGroups: FactGroups = allFactGroups

/** Facts that branches can use: also the results of the nodes. */
export const branchFactGroups = withStepGroup(allFactGroups)

/** Loads the current facts for the last event of a run, or for its contact alone; `null` if the contact is deleted. */
export const factsForRun = Effect.fnUntraced(function* (
  { contactId, event }: Pick<WorkflowRun, "contactId" | "event">,
  schedules: ReadonlyArray<ScheduleId>
) {
  const nobody: Facts | null = null
  if (contactId === null) return nobody
  const found = event === null ? null : yield* buildEventContext(event.position, contactId, schedules)
  return found ?? (yield* factsForContact(contactId, schedules))
})

interface GoalOrExit {
  readonly event?: Trigger | null
  readonly if?: ConditionInput
}

export const hasGoalsOrExits = ({ exits = [], goals = [] }: Graph): boolean => goals.length + exits.length > 0

/** Whether a goal or an exit is met. One with an event is never met without an occurrence. */
const isMet = Effect.fnUntraced(function* (mark: GoalOrExit, facts: Facts, occurrence: TriggerOccurrence | null) {
  const { event = null, if: condition = {} } = mark
  if (event !== null && (occurrence === null || !matchesOccurrence(occurrence, event))) return false
  return (yield* evaluateCondition(condition, runFactGroups, facts)).held
})

/** Evaluates unreached goals and all exits. */
export const reachedGoals = Effect.fnUntraced(function* (
  { exits = [], goals = [] }: Graph,
  reached: ReadonlyArray<NodeId>,
  facts: Facts,
  occurrence: TriggerOccurrence | null
) {
  const found: Array<NodeId> = []
  let leaves: GoalCheck["leaves"] = null
  for (const goal of goals) {
    if (reached.includes(goal.id) || !(yield* isMet(goal, facts, occurrence))) continue
    found.push(goal.id)
    if (goal.exit !== false) leaves ??= { reason: "goal", id: goal.id }
  }
  if (leaves === null) {
    for (const exit of exits) {
      if (!(yield* isMet(exit, facts, occurrence))) continue
      leaves = { reason: "exit", id: exit.id }
      break
    }
  }
  const marked: GoalCheck = { goals: found, leaves }
  return marked
})
