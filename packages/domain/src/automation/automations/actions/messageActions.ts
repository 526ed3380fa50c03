import { DateTime, Effect } from "effect"
import { marketingRoom } from "../../../campaigns/index.ts"
import { type Contact, type ContactId, lockContact } from "../../../crm/index.ts"
import { Locks, NotFound } from "../../../kernel/index.ts"
import { type ChatAccountId, type MessageTemplate, MessageTemplates } from "../../../messaging/chat/index.ts"
import {
  type Conversation,
  type ConversationId,
  Messages,
  type NewMessage,
  restingConversation,
  writeUnasked
} from "../../../messaging/inbox/index.ts"
import { sendAway } from "../../schedules/index.ts"
import type { ActionOf, ActionTemplate } from "./Action.ts"
import { type ActionFacts, type ActionResult, done } from "./ActionResult.ts"
import { conversationMeant, latestConversation, ownConversation, unresolved } from "./conversationActions.ts"
import { ActionRefused } from "./errors.ts"

const mostInHour = 10
const mostInDay = 30

/** Takes the contact, so that of all who write to them one at a time counts what they were written. */
const takeContact = Effect.fnUntraced(function* (id: ContactId) {
  const contact = yield* lockContact(id)
  const now = yield* DateTime.now
  const times = yield* (yield* Messages).automatedSince(id, DateTime.subtract(now, { days: 1 }), mostInDay)
  const hourAgo = DateTime.subtract(now, { hours: 1 })
  const inHour = times.filter((time) => DateTime.isGreaterThan(time, hourAgo)).length
  if (times.length >= mostInDay || inHour >= mostInHour) return yield* new ActionRefused({ reason: "message_limit" })
  return contact
})

/** The conversation that goes on with the contact: that of the event, or another one; else that of the event, resolved as it is. */
const conversationWith = Effect.fnUntraced(function* (
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

const write = Effect.fnUntraced(function* (conversationId: ConversationId, said: NewMessage) {
  const { id } = yield* writeUnasked(conversationId, said)
  return done({ kind: "message", id })
})

/**
 * Whether marketing can be sent now. Before an action waits, it reads settings and time zone again under shared locks. A concurrent change commits
 * before that read, or recalls the waiting run.
 */
const roomNow = Effect.fnUntraced(function* (contact: Contact) {
  const room = yield* marketingRoom(contact)
  if (room.kind !== "quiet") return room
  const { shared } = yield* Locks
  yield* shared("broadcast_settings")
  yield* shared("organization")
  return yield* marketingRoom(contact)
})

/** What stands against marketing now; `null` if nothing does. */
const marketed = Effect.fnUntraced(function* ({ category }: MessageTemplate, contact: Contact) {
  if (category !== "marketing") return null
  const room = yield* roomNow(contact)
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

/** Sends a template: into the conversation that goes on over its number, or else into the one that an answer will open. */
export const sendTemplate = Effect.fnUntraced(function* (
  { chatAccountId: over, template: { id, values = {} } }: Pick<ActionOf<"send_template">, "template" | "chatAccountId">,
  facts: ActionFacts
) {
  const contact = yield* takeContact(facts.contactId)
  const template = yield* findTemplate(id)
  const chatAccountId = over ?? template.chatAccountId
  const waits = yield* marketed(template, contact)
  if (waits !== null) return waits
  const found = yield* conversationWith(facts, chatAccountId)
  const isGoingOn = found !== null && found.status !== "resolved"
  const to = isGoingOn ? found.id : yield* restingConversation({ contactId: contact.id, chatAccountId })
  return yield* write(to, { kind: "template", template: { id, values } })
})

/** Sends a free-form message into the conversation that goes on, or into that of the event; where it may not go out, the template. */
export const sendMessage = Effect.fnUntraced(function* (action: ActionOf<"send_message">, facts: ActionFacts) {
  const { chatAccountId = null, message, whenClosed } = action
  const conversation = yield* conversationWith(facts, chatAccountId)
  if (conversation === null) {
    return whenClosed === undefined
      ? yield* new ActionRefused({ reason: "no_conversation" })
      : yield* sendTemplate({ template: whenClosed }, facts)
  }
  yield* takeContact(facts.contactId)
  const written = write(conversation.id, message)
  return whenClosed === undefined
    ? yield* written
    : yield* Effect.catchTag(written, "ServiceWindowClosed", () => sendTemplate({ template: whenClosed }, facts))
})

/** So many of the last messages are looked through for what the contact has written. */
const recent = 20

/** What the contact has written: the message of the event, or where that is about none the last one in the conversation. */
const receivedIn = Effect.fnUntraced(function* (conversationId: ConversationId, facts: ActionFacts) {
  const messages = yield* Messages
  if (facts.messageId !== undefined && facts.messageId !== null && facts.conversationId === conversationId) {
    const own = yield* messages.get(conversationId, facts.messageId)
    return own.direction === "inbound" ? own : null
  }
  const latest = yield* messages.list(conversationId, { limit: recent, after: null })
  return latest.find(({ direction }) => direction === "inbound") ?? null
})

/** Tells whoever has written that nobody is there. */
export const tellAway = Effect.fnUntraced(function* (
  { message, scheduleId }: ActionOf<"send_away">,
  facts: ActionFacts
) {
  const { id: conversationId } = yield* conversationMeant(facts)
  const received = yield* receivedIn(conversationId, facts)
  if (received === null) return done(null)
  const outcome = yield* sendAway(
    { scheduleId, received: { conversationId, messageId: received.id } },
    sendMessage({ type: "send_message", message }, { ...facts, conversationId })
  )
  return outcome.kind === "sent" ? outcome.sent : done(null)
})
