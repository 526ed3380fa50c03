import { DateTime, Effect } from "effect"
import { Contacts } from "../../../crm/index.ts"
import { type ActorRef, CurrentActor, nextId, NotFound, refer } from "../../../kernel/index.ts"
import { record } from "../../../platform/audit/index.ts"
import type { LanePriority } from "../../../platform/background/index.ts"
import { Conversation } from "../Conversation.ts"
import { Conversations, type Pair } from "../Conversations.ts"
import { ConversationId, Message, type MessageAuthor, MessageId, type NewMessage } from "../Message.ts"
import { Messages } from "../Messages.ts"
import { Sends } from "../SendQueue.ts"
import { isUnread, lockConversation } from "../conversationChanges.ts"
import { inStatus } from "../conversationStates.ts"
import { appendEvent } from "../events.ts"
import { isAnswer } from "../messageProgress.ts"
import { begun, conversationFor, inBrief } from "../receiving/inboundActivity.ts"
import { addressed, sameRecipient } from "../recipients.ts"
import { compose } from "./messageComposition.ts"
import { reach } from "./reach.ts"

/** Who writes what the inbox answers by itself: that somebody who has opted out has. */
export const serviceAuthor = { kind: "automation", id: "inbox" } as const satisfies MessageAuthor

const kinds: Readonly<Record<ActorRef["kind"], MessageAuthor["kind"]>> = {
  user: "user",
  token: "token",
  plugin: "token",
  automation: "automation",
  workflow: "automation",
  operator: "operator",
  system: "automation",
  anonymous: "automation"
}

/** Whoever acts, as the author of a message. */
export const authorNow = Effect.map(CurrentActor, (actor): MessageAuthor => {
  const { id, kind } = refer(actor)
  return { kind: kinds[kind], id }
})

/** Whether a person waits for what is sent, or a program. */
export const urgency = Effect.map(CurrentActor, ({ kind }): LanePriority =>
  kind === "user" || kind === "operator" ? "person" : "bulk"
)

/** Where a message goes to somebody else, so do those that follow: until another identity of the contact writes. */
const redirected = (before: Conversation, { at, recipient }: Message): Conversation => {
  const isSame = recipient === null || (before.recipient !== null && sameRecipient(before.recipient, recipient))
  return isSame ? before : addressed(before, recipient, at)
}

/** A resolved conversation after a message: reopened, or still resolved, and then an answer to it reopens it for as long as if it had just been. */
const after = (before: Conversation, at: DateTime.Utc, reopens: boolean) => {
  if (before.status !== "resolved") return Effect.succeed(before)
  return reopens
    ? Effect.orDie(inStatus(before, "open", at))
    : Effect.succeed(new Conversation({ ...before, resolvedAt: at }))
}

/** A conversation that was written in. Whoever answers has read what came in. */
const written = Effect.fnUntraced(function* (before: Conversation, message: Message, reopens: boolean) {
  const { at } = message
  const taken = redirected(yield* after(before, at, reopens), message)
  const isReading = isAnswer(message) && isUnread(before)
  yield* (yield* Conversations).saveAll([
    new Conversation({
      ...taken,
      ...(isReading && { readCount: taken.inboundCount }),
      lastMessage: inBrief(message),
      lastActivityAt: at,
      updatedAt: at
    })
  ])
  const { chatAccountId, id: conversationId, status: from } = before
  const { status: to } = taken
  if (from !== to) yield* appendEvent({ type: "conversation.status_changed", conversationId, from, to, chatAccountId })
  if (isReading) yield* appendEvent({ type: "conversation.read", conversationId })
})

/** Who writes a message, and how. */
export interface Writing {
  readonly author: MessageAuthor
  readonly priority: LanePriority
  /** Whether a resolved conversation is reopened by it: it is, if nothing is said. */
  readonly reopens?: boolean
}

/** Puts a message to the contact into the conversation, if it may be sent: right after the commit it is. */
export const writeMessage = Effect.fnUntraced(function* (
  conversationId: ConversationId,
  said: NewMessage,
  { author, priority, reopens = true }: Writing
) {
  const conversation = yield* lockConversation(conversationId)
  const { chatAccountId } = conversation
  const recipient = yield* reach(conversation, said.kind, { chosen: said.recipient })
  const content = yield* compose(said, { chatAccountId, conversationId })
  const now = yield* DateTime.now
  const message = new Message({
    ...content,
    id: yield* nextId(MessageId),
    conversationId,
    direction: "outbound",
    author,
    recipient,
    status: "queued",
    error: null,
    providerMessageId: null,
    at: now,
    sentAt: null,
    deliveredAt: null,
    readAt: null,
    failedAt: null,
    createdAt: now
  })
  const { id: messageId, kind } = message
  yield* (yield* Messages).insert(chatAccountId, [message])
  yield* (yield* Sends).enqueue({ messageId, conversationId, chatAccountId, priority, now })
  yield* written(conversation, message, reopens)
  yield* appendEvent({ type: "message.queued", conversationId, messageId, kind })
  return message
})

/** Writes to a contact what nobody of the team has written: a resolved conversation stays so, until the contact answers. */
export const writeUnasked = Effect.fnUntraced(function* (conversationId: ConversationId, said: NewMessage) {
  const how = { author: yield* authorNow, priority: yield* urgency, reopens: false }
  const message = yield* writeMessage(conversationId, said, how)
  const { id, kind } = message
  yield* record("message.sent", { kind: "message", id }, { after: { conversationId, kind } })
  return message
})

/**
 * The conversation for what is written to a contact with whom none is going on: the one that an answer will open. Where there is none
 * yet it begins resolved, and nobody is told of it.
 */
export const restingConversation = Effect.fnUntraced(function* (pair: Pair) {
  const [contact] = yield* (yield* Contacts).lock([pair.contactId])
  if (contact === undefined) return yield* new NotFound({ resource: "contact" })
  const conversations = yield* Conversations
  const [latest] = yield* conversations.lockLatest([pair])
  const now = yield* DateTime.now
  const found = conversationFor(latest ?? null, now)
  if (found !== null) return found.id
  const id = yield* nextId(ConversationId)
  yield* Effect.orDie(conversations.insert([begun(id, pair, true, now, now)]))
  return id
})
