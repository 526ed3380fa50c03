import { Effect } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import type { LoggedEvent } from "../../../platform/events/index.ts"
import {
  type ConditionInput,
  allFactGroups,
  type Facts,
  factsForContact,
  matchesTrigger,
  evaluateCondition,
  buildEventContext,
  type SourceEvent,
  type Trigger,
  type TriggerEvent,
  triggerEventOf,
  type WorkflowId
} from "../../automations/index.ts"
import type { ScheduleId } from "../../schedules/index.ts"
import type { Graph } from "../graph/Graph.ts"
import type { NodeId, RunKey } from "../graph/Node.ts"
import type { WorkflowRun } from "./WorkflowRun.ts"

/** Something that has happened, as workflows see it. */
export interface TriggerOccurrence {
  readonly logged: LoggedEvent<SourceEvent>
  /** What it is as triggers name it; `null` where nothing begins on it. */
  readonly trigger: TriggerEvent | null
}

/** What an event is as workflows see it. */
export const toTriggerOccurrence = (logged: LoggedEvent<SourceEvent>): TriggerOccurrence => ({
  logged,
  trigger: triggerEventOf(logged.event)
})

/** Whether it is what a graph says. */
export const matchesOccurrence = ({ logged, trigger }: TriggerOccurrence, wanted: Trigger): boolean =>
  wanted.event === trigger && matchesTrigger(wanted, logged.event)

/** Whether a workflow has done it itself. */
export const isCausedByWorkflow = ({ logged: { causation } }: TriggerOccurrence, workflowId: WorkflowId): boolean => {
  const by = causation?.via.at(-1)
  return by !== undefined && by.kind === "workflow" && by.id === workflowId
}

/** The contact, the conversation, the order or the cart that it is about; `null` where it is about none. */
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

/** What conditions of a run may look at: what is not there when they do holds for nobody. */
export const runFactGroups = allFactGroups

/** What is known today of what a run was last woken by, or of its contact alone; `null` where the contact is gone. */
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

/** What a run has come to by what has happened, or by what holds now. */
export interface GoalCheck {
  /** The goals that are new. */
  readonly goals: ReadonlyArray<NodeId>
  /** Why it leaves; `null` where it stays. */
  readonly leaves: "goal" | "exit" | null
}

/** Whether there is anything to look at. */
export const hasGoalsOrExits = ({ exits = [], goals = [] }: Graph): boolean => goals.length + exits.length > 0

/** Where nothing has just happened, what asks for an event is not met. */
const isMet = Effect.fnUntraced(function* (mark: GoalOrExit, facts: Facts, occurrence: TriggerOccurrence | null) {
  const { event = null, if: condition = {} } = mark
  if (event !== null && (occurrence === null || !matchesOccurrence(occurrence, event))) return false
  return (yield* evaluateCondition(condition, runFactGroups, facts)).held
})

/** Looks at the goals that a run has not reached yet, and at the exits. */
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
    if (goal.exit !== false) leaves = "goal"
  }
  if (leaves === null) {
    for (const exit of exits) {
      if (!(yield* isMet(exit, facts, occurrence))) continue
      leaves = "exit"
      break
    }
  }
  const marked: GoalCheck = { goals: found, leaves }
  return marked
})
