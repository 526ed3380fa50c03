import { DateTime } from "effect"
import type { InboundAnswer } from "../../messaging/inbox/index.ts"
import type { AcceptedRecipient } from "../RecipientReplies.ts"

const secondOf = (at: DateTime.Utc) => Math.floor(DateTime.toEpochMillis(at) / 1_000)

const byAcceptance = (one: AcceptedRecipient, other: AcceptedRecipient) =>
  DateTime.Order(one.sentAt, other.sentAt) || (one.id < other.id ? -1 : 1)

/** Whether the message was written while it counts as an answer. Providers give whole seconds. */
const isWithin = ({ sentAt }: AcceptedRecipient, at: DateTime.Utc, hours: number) =>
  secondOf(at) >= secondOf(sentAt) && DateTime.isLessThan(at, DateTime.add(sentAt, { hours }))

/**
 * Whom of a contact's recipients a message answers: the one whose message it quotes, else the last one that was accepted, if that is
 * not too long ago.
 */
export const answeredRecipient = (
  accepted: ReadonlyArray<AcceptedRecipient>,
  { message: { at }, quoted }: Pick<InboundAnswer, "quoted"> & { readonly message: { readonly at: DateTime.Utc } },
  replyHours: (recipient: AcceptedRecipient) => number
): AcceptedRecipient | null =>
  (quoted === null ? undefined : accepted.find(({ providerMessageId }) => providerMessageId === quoted)) ??
  accepted
    .filter((each) => secondOf(each.sentAt) <= secondOf(at))
    .toSorted(byAcceptance)
    .slice(-1)
    .find((each) => isWithin(each, at, replyHours(each))) ??
  null
