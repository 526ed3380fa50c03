import { DateTime, Duration } from "effect"
import type { InboundContent, Recipient } from "../../chat/index.ts"
import { Conversation, type LastMessage } from "../Conversation.ts"
import type { ContactAccountPair } from "../Conversations.ts"
import type { ConversationId, Message } from "../Message.ts"
import { withEpisodeStarted, maxReopenDays, nextEpisode } from "../conversationStates.ts"
import { withRecipient, withWindow, hasWrittenLater } from "../recipients.ts"
import { withWaitingSince } from "../waiting/waitTransitions.ts"

/** Time after a contact's message that allows free-form messages. */
const serviceWindow = Duration.hours(24)

/** Effect of an incoming message on its conversation. */
export interface InboundActivity {
  readonly message: Message
  /** Recipient of an answer: the sender, or the sender's new identity; `null` if the contact does not have it. */
  readonly from: Recipient | null
  /** All identities of the sender that accept messages now. */
  readonly ways: ReadonlyArray<Recipient>
  /** Written by the contact, not by the provider. */
  readonly byContact: boolean
  /** Needs no attention: it opens no conversation and does not count as unread. */
  readonly quiet: boolean
  /** Starts a wait. */
  readonly awaitsReply: boolean
}

const later = (one: DateTime.Utc | null, other: DateTime.Utc) => (one === null ? other : DateTime.max(one, other))

const maxPreviewLength = 200

/** Returns a message in brief, for lists of conversations. */
export const toLastMessage = ({ at, direction, id, kind, text }: Message): LastMessage => ({
  id,
  direction,
  kind,
  text: text === null ? null : text.slice(0, maxPreviewLength).toWellFormed(),
  at
})

/** Whether a message is later than the last one: by time of writing, then by arrival. */
const isLaterMessage = (last: LastMessage | null, { at, id }: Pick<Message, "at" | "id">) =>
  last === null || DateTime.isGreaterThan(at, last.at) || (DateTime.Equivalence(at, last.at) && id > last.id)

/** Whether a resolved conversation is too old to reopen. Then a message starts a new one. */
const isReopenExpired = ({ resolvedAt, status }: Conversation, now: DateTime.Utc) =>
  status === "resolved" &&
  resolvedAt !== null &&
  DateTime.isLessThan(DateTime.add(resolvedAt, { days: maxReopenDays }), now)

/**
 * Returns the conversation of a message; `null` if the message starts a new one. The choice ignores the content; otherwise it would depend on the
 * order of arrival.
 */
export const findCurrentConversation = (latest: Conversation | null, now: DateTime.Utc): Conversation | null =>
  latest === null || isReopenExpired(latest, now) ? null : latest

/** Starts a conversation with a message. A quiet message leaves it resolved. */
export const startConversation = (
  id: ConversationId,
  pair: ContactAccountPair,
  quiet: boolean,
  at: DateTime.Utc,
  now: DateTime.Utc
): Conversation =>
  new Conversation({
    id,
    ...pair,
    status: quiet ? "resolved" : "open",
    priority: "none",
    assigneeId: null,
    snoozedUntil: null,
    labels: [],
    inboundCount: 0,
    readCount: 0,
    lastMessage: null,
    lastInboundAt: null,
    recipient: null,
    recipientAt: null,
    windowExpiresAt: null,
    otherWindows: [],
    waitingSince: null,
    firstRepliedAt: null,
    firstReplyId: null,
    waitRound: 0,
    episode: quiet ? null : nextEpisode(null, at),
    resolvedAt: quiet ? now : null,
    lastActivityAt: at,
    createdAt: now,
    updatedAt: now,
    version: 1
  })

/** Whether the content opens the service window; a correction does not. A call of the contact does. */
export const isWindowOpening = (content: InboundContent): boolean => {
  switch (content.kind) {
    case "system":
      return content.isWelcome === true
    case "edit":
    case "revocation":
    case "group":
      return false
    case "call":
      return content.call.direction === "user_initiated"
    default:
      return true
  }
}

const quietKinds: ReadonlySet<InboundContent["kind"]> = new Set(["system", "revocation", "call", "group"])

export const isQuiet = ({ kind }: InboundContent): boolean => quietKinds.has(kind)

/** Applies a message that the business wrote outside of Parley. It creates no work for the team, and incoming messages count as read. */
export const withEcho = (before: Conversation, message: Message, now: DateTime.Utc): Conversation =>
  new Conversation({
    ...before,
    lastMessage: isLaterMessage(before.lastMessage, message) ? toLastMessage(message) : before.lastMessage,
    lastActivityAt: later(before.lastActivityAt, message.at),
    updatedAt: now
  })

/** Applies a message from before the connection of the number. It counts as read, and opens nothing. */
export const withPastMessage = (before: Conversation, message: Message, now: DateTime.Utc): Conversation => {
  const count = message.direction === "inbound" ? 1 : 0
  return new Conversation({
    ...withEcho(before, message, now),
    inboundCount: before.inboundCount + count,
    readCount: before.readCount + count
  })
}

/** Applies an incoming message to the conversation. The result does not depend on the order of messages. */
export const withInbound = (
  before: Conversation,
  { awaitsReply, byContact, from, message, quiet, ways }: InboundActivity,
  now: DateTime.Utc
): Conversation => {
  const { at } = message
  const until = DateTime.addDuration(at, serviceWindow)
  const answering = from !== null && hasWrittenLater(before, from, at) ? withRecipient(before, from, at) : before
  const opened = byContact ? ways.reduce((each, way) => withWindow(each, way, until), answering) : answering
  const after = new Conversation({
    ...opened,
    ...(!quiet && { status: "open" as const, snoozedUntil: null, resolvedAt: null }),
    inboundCount: before.inboundCount + 1,
    readCount: before.readCount + (quiet ? 1 : 0),
    lastMessage: isLaterMessage(before.lastMessage, message) ? toLastMessage(message) : before.lastMessage,
    ...(byContact && { lastInboundAt: later(before.lastInboundAt, at) }),
    ...(awaitsReply && withWaitingSince(before, at)),
    lastActivityAt: later(before.lastActivityAt, at),
    updatedAt: now
  })
  return withEpisodeStarted(before, after, at)
}
