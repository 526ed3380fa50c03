import { DateTime, Duration } from "effect"
import type { InboundContent, Recipient } from "../../chat/index.ts"
import { Conversation, type LastMessage } from "../Conversation.ts"
import type { ContactAccountPair } from "../Conversations.ts"
import type { ConversationId, Message } from "../Message.ts"
import { withEpisodeStarted, maxReopenDays, nextEpisode } from "../conversationStates.ts"
import { withRecipient, withWindow, hasWrittenLater } from "../recipients.ts"
import { withWaitingSince } from "../waiting/waitTransitions.ts"

/** For how long after a contact has written free-form messages may go out. */
const serviceWindow = Duration.hours(24)

/** The same, after a message that an advertisement has led to. */
const advertisementWindow = Duration.hours(72)

/** A message that came in, as far as the conversation is concerned. */
export interface InboundActivity {
  readonly message: Message
  /** Whom to answer: who wrote, or has become, as far as this is told; `null` where the contact is not known by it. */
  readonly from: Recipient | null
  /** All that who wrote is known by, by which they may be written to now. */
  readonly ways: ReadonlyArray<Recipient>
  readonly fromAdvertisement: boolean
  /** The contact has written it, and not the provider. */
  readonly byContact: boolean
  /** Asks for nobody's attention: nothing is opened by it, and nobody has to read it. */
  readonly quiet: boolean
  /** The contact waits for an answer to it. */
  readonly awaitsReply: boolean
}

const later = (one: DateTime.Utc | null, other: DateTime.Utc) => (one === null ? other : DateTime.max(one, other))

const maxPreviewLength = 200

/** A message in brief, for lists of conversations. */
export const toLastMessage = ({ at, direction, id, kind, text }: Message): LastMessage => ({
  id,
  direction,
  kind,
  text: text === null ? null : text.slice(0, maxPreviewLength).toWellFormed(),
  at
})

/** Of two messages, the one that lists show last: by when they were written, then by when they came. */
const isLaterMessage = (last: LastMessage | null, { at, id }: Pick<Message, "at" | "id">) =>
  last === null || DateTime.isGreaterThan(at, last.at) || (DateTime.Equivalence(at, last.at) && id > last.id)

/** Whether a resolved conversation has been so for too long: what is written now begins another one. */
const isReopenExpired = ({ resolvedAt, status }: Conversation, now: DateTime.Utc) =>
  status === "resolved" &&
  resolvedAt !== null &&
  DateTime.isLessThan(DateTime.add(resolvedAt, { days: maxReopenDays }), now)

/**
 * The conversation that a message belongs to, as it was; `null` where a new one begins with it. Which one that is does not
 * depend on what it says, or it would depend on what was told before it.
 */
export const findCurrentConversation = (latest: Conversation | null, now: DateTime.Utc): Conversation | null =>
  latest === null || isReopenExpired(latest, now) ? null : latest

/** A conversation that begins with a message. One that asks for nobody's attention leaves it resolved. */
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
    stretch: quiet ? null : nextEpisode(null, at),
    resolvedAt: quiet ? now : null,
    lastActivityAt: at,
    createdAt: now,
    updatedAt: now,
    version: 1
  })

/** Whether it says that a contact has written, so that free-form messages may go out: a correction does not. */
export const isWindowOpening = ({ kind }: InboundContent): boolean =>
  kind !== "system" && kind !== "edit" && kind !== "revocation"

/** Whether it asks for nobody's attention. */
export const isQuiet = ({ kind }: InboundContent): boolean => kind === "system" || kind === "revocation"

/** The conversation after a message that the business wrote elsewhere: nothing waits for the team because of it, and what came in was read. */
export const withEcho = (before: Conversation, message: Message, now: DateTime.Utc): Conversation =>
  new Conversation({
    ...before,
    lastMessage: isLaterMessage(before.lastMessage, message) ? toLastMessage(message) : before.lastMessage,
    lastActivityAt: later(before.lastActivityAt, message.at),
    updatedAt: now
  })

/** The conversation after a message that came in: the same in whatever order messages come. */
export const withInbound = (
  before: Conversation,
  { awaitsReply, byContact, from, fromAdvertisement, message, quiet, ways }: InboundActivity,
  now: DateTime.Utc
): Conversation => {
  const { at } = message
  const until = DateTime.addDuration(at, fromAdvertisement ? advertisementWindow : serviceWindow)
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
