import { DateTime, Duration, Effect, Equal } from "effect"
import { layerPort } from "../../kernel/index.ts"
import {
  BulkMessages,
  toMessageError,
  type MessageError,
  MessageId,
  type ReferringReceipt
} from "../../messaging/inbox/index.ts"
import { StoredBroadcastSettings } from "../BroadcastSettings.ts"
import { RecipientId } from "../Ids.ts"
import { RecipientLedger } from "../RecipientLedger.ts"
import { type RecipientStatus, recipientTransitions } from "../RecipientStatus.ts"
import { appendEvent } from "../events.ts"
import {
  type CalledRecipient,
  type RecipientChange,
  type BroadcastProgress,
  RecipientReceipts,
  saveOptOuts
} from "./RecipientReceipts.ts"
import { saveReplies } from "./replies.ts"

const earliestTime = (one: DateTime.Utc | null, other: DateTime.Utc): DateTime.Utc =>
  one === null || DateTime.isLessThan(other, one) ? other : one

/** Whether a recipient with this status was called, so a receipt can change it. */
const wasCalled = (status: RecipientStatus): boolean =>
  status === "in_flight" || recipientTransitions[status].includes("read") || status === "read"

/** A recipient in flight counts as one in doubt. */
const canTransition = (from: RecipientStatus, to: RecipientStatus): boolean =>
  recipientTransitions[from === "in_flight" ? "in_doubt" : from].includes(to)

/** Of two failures, the earlier one applies. A fixed order decides between equal times. */
const hasPrecedence = ({ error: known, failedAt }: CalledRecipient, at: DateTime.Utc, error: MessageError | null) => {
  if (failedAt === null || known === null) return true
  if (!DateTime.Equivalence(at, failedAt)) return DateTime.isLessThan(at, failedAt)
  return (error?.providerCode ?? 0) < (known.providerCode ?? 0)
}

const withFailure = (before: CalledRecipient, at: DateTime.Utc, error: MessageError | null): CalledRecipient => {
  const isFailure = before.status === "failed" || canTransition(before.status, "failed")
  return isFailure && hasPrecedence(before, at, error) ? { ...before, status: "failed", failedAt: at, error } : before
}

/**
 * Applies a receipt to a recipient. The result does not depend on the order or repetition of receipts: the furthest status and the first of each time
 * apply. A read message counts as delivered, even without a delivery receipt.
 */
export const applyReceipt = (
  before: CalledRecipient,
  {
    at: reportedAt,
    error,
    providerMessageId,
    status
  }: Pick<ReferringReceipt, "at" | "error" | "providerMessageId" | "status">
): CalledRecipient => {
  if (!wasCalled(before.status)) return before
  // Provider times are whole seconds of another clock, so a receipt is never older than the call.
  const at = before.calledAt === null ? reportedAt : DateTime.max(reportedAt, before.calledAt)
  const named = { ...before, providerMessageId: before.providerMessageId ?? providerMessageId }
  if (status === "failed") return withFailure(named, at, error === null ? null : toMessageError(error))
  const isRead = status === "read"
  const isThere = isRead || status === "delivered"
  const times = {
    sentAt: earliestTime(named.sentAt, at),
    deliveredAt: isThere ? earliestTime(named.deliveredAt, at) : named.deliveredAt,
    readAt: isRead ? earliestTime(named.readAt, at) : named.readAt
  }
  if (!canTransition(named.status, status)) return { ...named, ...times }
  // The message arrived, so an earlier failure no longer counts.
  return { ...named, ...times, status, failedAt: null, error: null }
}

/** Minimum time between progress events. */
const progressIntervalSeconds = 10

const quarterHour = Duration.toMillis("15 minutes")

/** Returns the quarter hour of acceptance by the earliest known time. */
const acceptedQuarterHour = ({ deliveredAt, readAt, sentAt }: CalledRecipient) =>
  Math.min(
    ...[sentAt, deliveredAt, readAt].map((at) =>
      at === null ? Infinity : Math.floor(DateTime.toEpochMillis(at) / quarterHour)
    )
  )

/** Whether only times have changed, so no count reports the change. The message was read earlier, or accepted in another quarter hour. */
const hasOnlyTimesChanged = ({ after, before }: RecipientChange) =>
  after.status === before.status &&
  ((before.readAt !== null && after.readAt !== null && !DateTime.Equivalence(after.readAt, before.readAt)) ||
    acceptedQuarterHour(after) !== acceptedQuarterHour(before))

const publishReceiptProgress = Effect.fnUntraced(function* (
  { broadcastId, stats, toldAt }: BroadcastProgress,
  isUrgent: boolean
) {
  const now = yield* DateTime.now
  if (
    !isUrgent &&
    toldAt !== null &&
    DateTime.isLessThan(now, DateTime.add(toldAt, { seconds: progressIntervalSeconds }))
  )
    return
  yield* (yield* RecipientLedger).tell(broadcastId, now)
  yield* appendEvent({ type: "broadcast.progressed", broadcastId, stats })
})

const saveChanges = Effect.fnUntraced(function* (moved: ReadonlyArray<RecipientChange>) {
  if (moved.length === 0) return
  const progressed = yield* (yield* RecipientReceipts).save(moved)
  const urgent = new Set(moved.filter(hasOnlyTimesChanged).map(({ after }) => after.broadcastId))
  yield* Effect.forEach(progressed, (each) => publishReceiptProgress(each, urgent.has(each.broadcastId)), {
    discard: true
  })
})

const lockRecipients = Effect.fnUntraced(function* (receipts: ReadonlyArray<ReferringReceipt>) {
  const recipients = yield* RecipientReceipts
  const accounts = new Set(receipts.map(({ chatAccountId }) => chatAccountId))
  const found = yield* Effect.forEach(Array.from(accounts).toSorted(), (account) => {
    const mine = receipts.filter(({ chatAccountId }) => chatAccountId === account)
    return recipients.lock(account, Array.from(new Set(mine.map(({ reference }) => RecipientId.make(reference)))))
  })
  return found.flat()
})

/** The message id equals the recipient id. */
const messageIdOf = ({ id }: CalledRecipient) => MessageId.make(id)

const isChanged = ({ after, before }: RecipientChange) => !Equal.equals(after, before)

/** Messages of broadcasts. A receipt contains the recipient id. */
export const layerBulkMessages = layerPort(BulkMessages, {
  answer: saveReplies,
  words: () => Effect.flatMap(StoredBroadcastSettings, (settings) => settings.get()),
  take: Effect.fnUntraced(function* (receipts: ReadonlyArray<ReferringReceipt>) {
    const byReference = Map.groupBy(receipts, ({ reference }) => reference)
    const found = yield* lockRecipients(receipts)
    const moved = found.map((before) => ({
      before,
      after: (byReference.get(messageIdOf(before)) ?? []).reduce<CalledRecipient>(applyReceipt, before)
    }))
    const refused = found.flatMap((recipient) => {
      const receipt = byReference.get(messageIdOf(recipient))?.find(({ error }) => error?.remedy === "opt_out")
      const { broadcastId, calledAt, seq } = recipient
      return receipt === undefined || calledAt === null ? [] : [{ broadcastId, seq, at: receipt.at }]
    })
    const store = Effect.andThen(saveChanges(moved.filter(isChanged)), saveOptOuts(refused))
    const context = yield* Effect.context<Effect.Services<typeof store>>()
    return { references: new Set(found.map(messageIdOf)), store: Effect.provide(store, context) }
  })
})
