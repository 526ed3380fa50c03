import { DateTime, Effect } from "effect"
import { marketingAllowance } from "../../../campaigns/index.ts"
import { type Contact, type ContactId, lockContact } from "../../../crm/index.ts"
import { Locks, NotFound } from "../../../kernel/index.ts"
import { type ChatAccountId, type MessageTemplate, MessageTemplates } from "../../../messaging/chat/index.ts"
import {
  type Conversation,
  type ConversationId,
  Messages,
  type NewMessage,
  dormantConversation,
  sendAutomatedMessage
} from "../../../messaging/inbox/index.ts"
import { sendAwayReply } from "../../schedules/index.ts"
import type { ActionOf, ActionTemplate } from "./Action.ts"
import { type ActionFacts, type ActionResult, doneResult } from "./ActionResult.ts"
import { targetConversation, latestConversation, ownConversation, unresolved } from "./conversationActions.ts"
import { ActionRefused } from "./errors.ts"

const maxMessagesPerHour = 10
const maxMessagesPerDay = 30

/** Locks the contact to count its automated messages without concurrent senders. Refuses above the limits. */
const lockContactWithinLimits = Effect.fnUntraced(function* (id: ContactId) {
  const contact = yield* lockContact(id)
  const now = yield* DateTime.now
  const times = yield* (yield* Messages).automatedSince(id, DateTime.subtract(now, { days: 1 }), maxMessagesPerDay)
  const hourAgo = DateTime.subtract(now, { hours: 1 })
  const inHour = times.filter((time) => DateTime.isGreaterThan(time, hourAgo)).length
  if (times.length >= maxMessagesPerDay || inHour >= maxMessagesPerHour)
    return yield* new ActionRefused({ reason: "message_limit" })
  return contact
})

/** Finds the unresolved conversation of the event, or another unresolved one; else the resolved conversation of the event. */
const resolveConversation = Effect.fnUntraced(function* (
  facts: ActionFacts,
  over: ChatAccountId | null
): Effect.fn.Return<
  Conversation | null,
  ActionRefused,
  Effect.Services<ReturnType<typeof ownConversation | typeof latestConversation>>
> {
  const found = yield* ownConversation(facts)
  const own = over === null || found?.chatAccountId === over ? found : null
  if (own !== null && own.status !== "resolved") return own
  const chatAccountId = over ?? own?.chatAccountId ?? null
  return (yield* latestConversation(facts.contactId, { chatAccountId, statuses: unresolved })) ?? own
})

const write = Effect.fnUntraced(function* (conversationId: ConversationId, input: NewMessage) {
  const { id } = yield* sendAutomatedMessage(conversationId, input)
  return doneResult({ kind: "message", id })
})

/**
 * Whether marketing can be sent now. Before an action waits, it reads settings and time zone again under shared locks. A concurrent change commits
 * before that read, or recalls the waiting run.
 */
const currentMarketingAllowance = Effect.fnUntraced(function* (contact: Contact) {
  const room = yield* marketingAllowance(contact)
  if (room.kind !== "quiet") return room
  const { shared } = yield* Locks
  yield* shared("broadcast_settings")
  yield* shared("organization")
  return yield* marketingAllowance(contact)
})

/** Returns why marketing cannot be sent now; `null` if it can. */
const checkMarketing = Effect.fnUntraced(function* ({ category }: MessageTemplate, contact: Contact) {
  if (category !== "marketing") return null
  const room = yield* currentMarketingAllowance(contact)
  switch (room.kind) {
    case "free":
      return null
    case "quiet":
      return { kind: "wait", until: room.until, reason: "quiet_hours" } satisfies ActionResult
    default:
      return yield* new ActionRefused({ reason: room.kind })
  }
})

const findTemplate = Effect.fnUntraced(function* (id: ActionTemplate["id"]) {
  const [template] = yield* (yield* MessageTemplates).find([id])
  return template ?? (yield* new NotFound({ resource: "message template", pointer: "/template/id" }))
})

/** Sends a template into the unresolved conversation over its number. Without one, an answer will open the conversation. */
export const sendTemplate = Effect.fnUntraced(function* (
  { chatAccountId: over, template: { id, values = {} } }: Pick<ActionOf<"send_template">, "template" | "chatAccountId">,
  facts: ActionFacts
) {
  const contact = yield* lockContactWithinLimits(facts.contactId)
  const template = yield* findTemplate(id)
  const chatAccountId = over ?? template.chatAccountId
  const waits = yield* checkMarketing(template, contact)
  if (waits !== null) return waits
  const found = yield* resolveConversation(facts, chatAccountId)
  const isGoingOn = found !== null && found.status !== "resolved"
  const to = isGoingOn ? found.id : yield* dormantConversation({ contactId: contact.id, chatAccountId })
  return yield* write(to, { kind: "template", template: { id, values } })
})

/** Sends a free-form message into the unresolved conversation or the conversation of the event, else the template. */
export const sendMessage = Effect.fnUntraced(function* (action: ActionOf<"send_message">, facts: ActionFacts) {
  const { chatAccountId = null, message, whenClosed } = action
  const conversation = yield* resolveConversation(facts, chatAccountId)
  if (conversation === null) {
    return whenClosed === undefined
      ? yield* new ActionRefused({ reason: "no_conversation" })
      : yield* sendTemplate({ template: whenClosed }, facts)
  }
  yield* lockContactWithinLimits(facts.contactId)
  const written = write(conversation.id, message)
  return whenClosed === undefined
    ? yield* written
    : yield* Effect.catchTag(written, "ServiceWindowClosed", () => sendTemplate({ template: whenClosed }, facts))
})

/** Number of latest messages to search for a message of the contact. */
const maxScannedMessages = 20

/** Finds the message of the event, or else the latest message of the contact in the conversation. */
const findReceivedMessage = Effect.fnUntraced(function* (conversationId: ConversationId, facts: ActionFacts) {
  const messages = yield* Messages
  if (facts.messageId !== undefined && facts.messageId !== null && facts.conversationId === conversationId) {
    const own = yield* messages.get(conversationId, facts.messageId)
    return own.direction === "inbound" ? own : null
  }
  const latest = yield* messages.list(conversationId, { limit: maxScannedMessages, after: null })
  return latest.find(({ direction }) => direction === "inbound") ?? null
})

/** Sends the away reply to the contact. */
export const executeSendAway = Effect.fnUntraced(function* (
  { message, scheduleId }: ActionOf<"send_away">,
  facts: ActionFacts
) {
  const { id: conversationId } = yield* targetConversation(facts)
  const received = yield* findReceivedMessage(conversationId, facts)
  if (received === null) return doneResult(null)
  const outcome = yield* sendAwayReply(
    { scheduleId, received: { conversationId, messageId: received.id } },
    sendMessage({ type: "send_message", message }, { ...facts, conversationId })
  )
  return outcome.kind === "sent" ? outcome.sent : doneResult(null)
})
