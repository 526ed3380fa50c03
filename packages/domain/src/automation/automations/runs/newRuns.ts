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

/** Older events start nothing. */
export const startWindow = Duration.hours(24)

/** Whether an event at this time can still start a run. */
export const isWithinStartWindow = (at: DateTime.Utc, now: DateTime.Utc): boolean =>
  !DateTime.isLessThan(at, DateTime.subtractDuration(now, startWindow))

/** Contact of a conversation; `null` if the conversation is deleted. */
const contactOf = Effect.fnUntraced(function* (id: ConversationId) {
  const found = yield* Effect.option((yield* Conversations).get(id))
  return found._tag === "None" ? null : found.value.conversation.contactId
})

/** Contact of an event; `null` if there is no known contact. */
export const eventContact = ({ event }: LoggedEvent<SourceEvent>) => {
  if ("contactId" in event) return Effect.succeed(event.contactId)
  return "conversationId" in event ? contactOf(event.conversationId) : Effect.succeed(null)
}

/** Resolves merged contacts to the surviving ones. Deleted contacts are omitted. */
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

/** Finds contacts that runs can start for: they exist and are not blocked. A merged contact resolves to the surviving one. */
export const eligibleContacts = Effect.fnUntraced(function* (ids: ReadonlyArray<ContactId>) {
  if (ids.length === 0) return new Map<ContactId, ContactId>()
  const meant = yield* resolveCurrentContacts(new Set(ids))
  return new Map([...meant].flatMap(([id, contact]) => (contact.blockedAt === null ? [[id, contact.id] as const] : [])))
})

/** Origin of a run. */
export interface AutomationRunStart {
  /** Identifies the start within the automation: the event position, the timer subject, or the due time with the contact. */
  readonly key: string
  /** The event, or the start event of a timer. */
  readonly event: AutomationRun["event"]
  readonly contactId: ContactId
  readonly causation: Causation | null
}

const toPendingActions = ({ actions }: Pick<EnabledAutomation, "actions">): ReadonlyArray<RunAction> =>
  actions.map((type, index) => ({
    index,
    type,
    state: "pending",
    error: null,
    effect: null,
    attempts: 0,
    until: null
  }))

/** Builds a queued or cut run. The same start builds the same run. */
export const buildAutomationRun = Effect.fnUntraced(function* (
  rule: Omit<EnabledAutomation, "when">,
  { causation, contactId, event, key }: AutomationRunStart
) {
  const now = yield* DateTime.now
  const reason = abortReason(causation, { kind: "automation", id: rule.id })
  const actions = toPendingActions(rule)
  const run = new AutomationRun({
    id: AutomationRunId.make(yield* (yield* Ids).derived(rule.id, key)),
    automationId: rule.id,
    automationVersion: rule.version,
    state: reason === null ? "queued" : "aborted",
    reason,
    event,
    contactId,
    causation,
    conditions: null,
    actions: reason === null ? actions : actions.map((action) => ({ ...action, state: "skipped" })),
    rerunOf: null,
    createdAt: now,
    startedAt: null,
    finishedAt: reason === null ? null : now
  })
  return { run, ordinal: rule.position, lane: laneOf(contactId) } satisfies NewAutomationRun
})
