import { DateTime, Duration, Effect } from "effect"
import { type ContactId, Contacts, currentContactId } from "../../../crm/index.ts"
import { type Causation, Ids } from "../../../kernel/index.ts"
import { type ConversationId, Conversations } from "../../../messaging/inbox/index.ts"
import type { LoggedEvent } from "../../../platform/events/index.ts"
import type { EnabledAutomation } from "../Automations.ts"
import type { SourceEvent } from "../triggers/Trigger.ts"
import { AutomationRun, AutomationRunId, abortReason, type RunAction } from "./AutomationRun.ts"
import type { NewAutomationRun } from "./AutomationRuns.ts"
import { laneOf } from "./contactLanes.ts"

/** What happened longer ago starts nothing. */
const startWindow = Duration.hours(24)

/** Whether something that happened then may start anything now. */
export const isWithinStartWindow = (at: DateTime.Utc, now: DateTime.Utc): boolean =>
  !DateTime.isLessThan(at, DateTime.subtractDuration(now, startWindow))

/** Whom a conversation is with; `null` where it is gone. */
const contactOf = Effect.fnUntraced(function* (id: ConversationId) {
  const found = yield* Effect.option((yield* Conversations).get(id))
  return found._tag === "None" ? null : found.value.conversation.contactId
})

/** Whom an event is about; `null` where it is about nobody who is known. */
export const eventContact = ({ event }: LoggedEvent<SourceEvent>) => {
  if ("contactId" in event) return Effect.succeed(event.contactId)
  return "conversationId" in event ? contactOf(event.conversationId) : Effect.succeed(null)
}

/** Who is meant by these ids: the contacts themselves, or whoever they have become a part of. Those who are gone are left out. */
export const resolveCurrentContacts = Effect.fnUntraced(function* (ids: ReadonlySet<ContactId>) {
  const contacts = yield* Contacts
  const found = new Map((yield* contacts.find([...ids])).map((contact) => [contact.id, contact]))
  for (const id of ids) {
    const whole = found.has(id) ? null : yield* currentContactId(id)
    const [contact] = whole === null ? [] : yield* contacts.find([whole])
    if (contact !== undefined) found.set(id, contact)
  }
  return found
})

/**
 * For whom anything may start that is about these contacts: they are there, and not blocked. What is about somebody who has become a part of
 * another contact meanwhile is about that one.
 */
export const eligibleContacts = Effect.fnUntraced(function* (ids: ReadonlyArray<ContactId>) {
  if (ids.length === 0) return new Map<ContactId, ContactId>()
  const meant = yield* resolveCurrentContacts(new Set(ids))
  return new Map([...meant].flatMap(([id, contact]) => (contact.blockedAt === null ? [[id, contact.id] as const] : [])))
})

/** What starts a run. */
export interface AutomationRunStart {
  /** Names it among all that start runs of the automation: an event by its position, a clock by what it is of. */
  readonly key: string
  /** The event, or the one that a clock counts from. */
  readonly event: AutomationRun["event"]
  readonly contactId: ContactId
  readonly causation: Causation | null
}

const toPendingActions = ({ actions }: EnabledAutomation): ReadonlyArray<RunAction> =>
  actions.map((type, index) => ({
    index,
    type,
    state: "pending",
    error: null,
    effect: null,
    attempts: 0,
    until: null
  }))

/** A run of the automation, in line or cut at once. The same start makes the same run. */
export const buildAutomationRun = Effect.fnUntraced(function* (
  rule: EnabledAutomation,
  { causation, contactId, event, key }: AutomationRunStart
) {
  const now = yield* DateTime.now
  const reason = abortReason(causation, { kind: "automation", id: rule.id })
  const actions = toPendingActions(rule)
  const run = new AutomationRun({
    id: AutomationRunId.make(yield* (yield* Ids).derived(rule.id, key)),
    automationId: rule.id,
    automationVersion: rule.version,
    state: reason === null ? "queued" : "cut",
    reason,
    event,
    contactId,
    causation,
    conditions: null,
    actions: reason === null ? actions : actions.map((action) => ({ ...action, state: "skipped" })),
    createdAt: now,
    startedAt: null,
    finishedAt: reason === null ? null : now
  })
  return { run, ordinal: rule.position, lane: laneOf(contactId) } satisfies NewAutomationRun
})
