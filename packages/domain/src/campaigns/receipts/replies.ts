import { Context, DateTime, Effect } from "effect"
import { Contacts } from "../../crm/index.ts"
import type { TenantScoped, Transaction } from "../../kernel/index.ts"
import type { ChatAccountId, MessageTemplate } from "../../messaging/chat/index.ts"
import { type Confirmation, type InboundAnswer, type Message, Messages } from "../../messaging/inbox/index.ts"
import { Organizations } from "../../platform/identity/index.ts"
import type { VariantKey } from "../Broadcast.ts"
import { StoredBroadcastSettings } from "../BroadcastSettings.ts"
import type { BroadcastId } from "../Ids.ts"
import { isAccepted } from "../RecipientStatus.ts"
import { publishProgress } from "../broadcastChanges.ts"
import { appendEvent } from "../events.ts"
import { type AcceptedRecipient, RecipientReplies } from "./RecipientReceipts.ts"
import { toConversationMessage, readAcceptedMessages } from "./conversations.ts"

/** Number of taps on a button of a broadcast message. */
export interface ButtonTally {
  readonly variant: VariantKey | null
  /** Button text. */
  readonly button: string
  readonly count: number
}

/** Button taps on the organization's broadcasts. */
export class ButtonTaps extends Context.Service<
  ButtonTaps,
  TenantScoped<{
    /** Adds taps to the counts. */
    readonly add: (
      taps: ReadonlyArray<ButtonTally & { readonly broadcastId: BroadcastId }>
    ) => Effect.Effect<void, never, Transaction>
    /** Returns all counts of a broadcast, in no order. */
    readonly tally: (id: BroadcastId) => Effect.Effect<ReadonlyArray<ButtonTally>>
  }>
>()("@parley/domain/campaigns/ButtonTaps") {}

/** Returns the template button of this tap; `null` if the message is no tap. */
const findTappedButton = (
  { components: { buttons = [] } }: Pick<MessageTemplate, "components">,
  { message: { interactive } }: InboundAnswer
): string | null => {
  if (interactive?.type !== "reply") return null
  const { title } = interactive
  return buttons.some((button) => button.type === "quick_reply" && button.text === title) ? title : null
}

const secondOf = (at: DateTime.Utc) => Math.floor(DateTime.toEpochMillis(at) / 1_000)

const byAcceptance = (one: AcceptedRecipient, other: AcceptedRecipient) =>
  DateTime.Order(one.sentAt, other.sentAt) || (one.id < other.id ? -1 : 1)

/** Whether the message counts as a reply by its time. Provider times are whole seconds. */
const isWithinReplyWindow = ({ sentAt }: AcceptedRecipient, at: DateTime.Utc, hours: number) =>
  secondOf(at) >= secondOf(sentAt) && DateTime.isLessThan(at, DateTime.add(sentAt, { hours }))

/** Finds the recipient that a message answers. It is the recipient of the quoted message, else the latest accepted one within the reply window. */
export const findAnsweredRecipient = (
  accepted: ReadonlyArray<AcceptedRecipient>,
  { message: { at }, quoted }: Pick<InboundAnswer, "quoted"> & { readonly message: { readonly at: DateTime.Utc } },
  replyHours: (recipient: AcceptedRecipient) => number
): AcceptedRecipient | null =>
  (quoted === null ? undefined : accepted.find(({ providerMessageId }) => providerMessageId === quoted)) ??
  accepted
    .filter((each) => secondOf(each.sentAt) <= secondOf(at))
    .toSorted(byAcceptance)
    .slice(-1)
    .find((each) => isWithinReplyWindow(each, at, replyHours(each))) ??
  null

/** Returns the text for a locale, else for its language. */
const findLocalizedText = (texts: Readonly<Record<string, string>>, locale: string | null): string | null => {
  if (locale === null) return null
  const [language] = locale.split("-")
  return texts[locale] ?? (language === undefined ? undefined : texts[language]) ?? null
}

/** Confirms opt-outs in the language of the contact, else of the organization. */
const confirmOptOuts = Effect.fnUntraced(function* (answers: ReadonlyArray<InboundAnswer>) {
  const none: ReadonlyArray<Confirmation> = []
  const optOuts = answers.filter(({ optsOut }) => optsOut)
  if (optOuts.length === 0) return none
  const { optOutReply } = yield* (yield* StoredBroadcastSettings).get()
  if (optOutReply === null) return none
  const { locale } = yield* (yield* Organizations).current()
  const found = yield* (yield* Contacts).find(optOuts.map(({ contactId }) => contactId))
  const contacts = new Map(found.map((contact) => [contact.id, contact]))
  return optOuts.flatMap(({ contactId, message: { conversationId } }): ReadonlyArray<Confirmation> => {
    const text =
      findLocalizedText(optOutReply, contacts.get(contactId)?.locale ?? null) ?? findLocalizedText(optOutReply, locale)
    return text === null ? [] : [{ conversationId, text }]
  })
})

/** Reactions, corrections and notices of the provider are no replies. */
const isAnswer = ({ message: { kind } }: InboundAnswer) =>
  kind !== "reaction" && kind !== "edit" && kind !== "revocation" && kind !== "system"

const earliestTime = (one: DateTime.Utc | null, other: DateTime.Utc) =>
  one === null ? other : DateTime.min(one, other)

const appendReplyEvent = ({ contactId, meaning, message }: InboundAnswer, { broadcastId }: AcceptedRecipient) =>
  appendEvent({
    type: meaning === "opt_out" ? "broadcast.opted_out" : "broadcast.replied",
    broadcastId,
    contactId,
    messageId: message.id
  })

/** A call in flight has no stored result yet. The process that stores the result adds the message to the conversation. */
const isInFlight = ({ status }: AcceptedRecipient) => status === "in_flight"

const withReply = (before: AcceptedRecipient, { meaning, message }: InboundAnswer): AcceptedRecipient => ({
  ...before,
  ...(meaning === "opt_out"
    ? { optedOutAt: earliestTime(before.optedOutAt, message.at) }
    : { repliedAt: earliestTime(before.repliedAt, message.at) }),
  conversationId: before.conversationId ?? (isInFlight(before) ? null : message.conversationId)
})

/** Whether an earlier reply became known. No count reports this change. */
const isEarlierReply = (before: AcceptedRecipient, { repliedAt }: AcceptedRecipient) =>
  before.repliedAt !== null && repliedAt !== null && DateTime.isLessThan(repliedAt, before.repliedAt)

const saveAccountReplies = Effect.fnUntraced(function* (account: ChatAccountId, answers: ReadonlyArray<InboundAnswer>) {
  const replies = yield* RecipientReplies
  const now = yield* DateTime.now
  const contactIds = Array.from(new Set(answers.map(({ contactId }) => contactId)))
  const found = (yield* replies.lock(account, contactIds)).filter(
    (each) => isAccepted(each.status) || each.status === "in_doubt" || isInFlight(each)
  )
  if (found.length === 0) return
  const { broadcasts, templateOf } = yield* readAcceptedMessages(found)
  const current = new Map(found.map((recipient) => [recipient.id, recipient]))
  const joining: Array<Message> = []
  const taps: Array<ButtonTally & { readonly broadcastId: BroadcastId }> = []
  for (const answer of answers.toSorted((one, other) => DateTime.Order(one.message.at, other.message.at))) {
    const mine = Array.from(current.values()).filter(({ contactId }) => contactId === answer.contactId)
    const before = findAnsweredRecipient(
      mine,
      answer,
      ({ broadcastId }) => broadcasts.get(broadcastId)?.replyHours ?? 0
    )
    if (before === null) continue
    const after = withReply(before, answer)
    current.set(before.id, after)
    const isFirst = answer.meaning === "opt_out" ? before.optedOutAt === null : before.repliedAt === null
    if (isFirst) yield* appendReplyEvent(answer, before)
    else if (isEarlierReply(before, after)) yield* Effect.orDie(publishProgress(before.broadcastId))
    const template = templateOf(before)
    // A message without a quote can be a tap on another message. The provider's id of a message in flight is not known yet.
    const isOwn = answer.quoted === before.providerMessageId || isInFlight(before)
    const isTap = template !== undefined && answer.quoted !== null && isOwn
    const button = isTap ? findTappedButton(template, answer) : null
    if (button !== null) taps.push({ broadcastId: before.broadcastId, variant: before.variant, button, count: 1 })
    if (before.conversationId === null && !isInFlight(before) && template !== undefined) {
      const { at, conversationId } = answer.message
      joining.push(toConversationMessage(before, template, conversationId, at, now))
    }
  }
  yield* (yield* Messages).insert(account, joining)
  yield* (yield* ButtonTaps).add(taps)
  yield* replies.save(
    found.flatMap((before) => {
      const after = current.get(before.id) ?? before
      return after === before ? [] : [after]
    })
  )
})

/** Stores the replies and opt-outs in these messages, adds the answered messages to conversations and confirms the opt-outs. */
export const saveReplies = Effect.fnUntraced(function* (answers: ReadonlyArray<InboundAnswer>) {
  const accounts = Map.groupBy(answers.filter(isAnswer), ({ chatAccountId }) => chatAccountId)
  yield* Effect.forEach(
    Array.from(accounts).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ([account, group]) => saveAccountReplies(account, group),
    { discard: true }
  )
  return yield* confirmOptOuts(answers)
})
