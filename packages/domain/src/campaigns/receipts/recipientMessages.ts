import { DateTime, Duration, Effect, Equal } from "effect"
import { MessageId, type ReferringReceipt } from "../../messaging/inbox/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { RecipientId } from "../Ids.ts"
import { RecipientLedger } from "../RecipientLedger.ts"
import {
  type CalledRecipient,
  type MovedRecipient,
  type ProgressedBroadcast,
  RecipientReceipts
} from "../RecipientReceipts.ts"
import { StoredBroadcastSettings } from "../StoredBroadcastSettings.ts"
import { storeAnswers } from "../replies/storeAnswers.ts"
import { receipted } from "./receipted.ts"
import { storeOptOuts } from "./storeOptOuts.ts"

/** How often it is told how far a broadcast is. */
const secondsBetween = 10

const quarterHour = Duration.toMillis("15 minutes")

/** The quarter hour in which it was accepted, by the earliest that is known. */
const acceptedIn = ({ deliveredAt, readAt, sentAt }: CalledRecipient) =>
  Math.min(
    ...[sentAt, deliveredAt, readAt].map((at) =>
      at === null ? Infinity : Math.floor(DateTime.toEpochMillis(at) / quarterHour)
    )
  )

/** Whether only its times have moved, so that no count tells it: it was read earlier, or accepted in another quarter hour, than was known. */
const isMovedInTime = ({ after, before }: MovedRecipient) =>
  after.status === before.status &&
  ((before.readAt !== null && after.readAt !== null && !DateTime.Equivalence(after.readAt, before.readAt)) ||
    acceptedIn(after) !== acceptedIn(before))

const tellProgress = Effect.fnUntraced(function* (
  { broadcastId, stats, toldAt }: ProgressedBroadcast,
  isUrgent: boolean
) {
  const now = yield* DateTime.now
  if (!isUrgent && toldAt !== null && DateTime.isLessThan(now, DateTime.add(toldAt, { seconds: secondsBetween })))
    return
  yield* (yield* RecipientLedger).tell(broadcastId, now)
  yield* appendEvent({ type: "broadcast.progressed", broadcastId, stats })
})

const store = Effect.fnUntraced(function* (moved: ReadonlyArray<MovedRecipient>) {
  if (moved.length === 0) return
  const progressed = yield* (yield* RecipientReceipts).save(moved)
  const urgent = new Set(moved.filter(isMovedInTime).map(({ after }) => after.broadcastId))
  yield* Effect.forEach(progressed, (each) => tellProgress(each, urgent.has(each.broadcastId)), { discard: true })
})

const lock = Effect.fnUntraced(function* (receipts: ReadonlyArray<ReferringReceipt>) {
  const recipients = yield* RecipientReceipts
  const accounts = new Set(receipts.map(({ chatAccountId }) => chatAccountId))
  const found = yield* Effect.forEach(Array.from(accounts).toSorted(), (account) => {
    const mine = receipts.filter(({ chatAccountId }) => chatAccountId === account)
    return recipients.lock(account, Array.from(new Set(mine.map(({ reference }) => RecipientId.make(reference)))))
  })
  return found.flat()
})

/** The id of the message to a recipient is that of the recipient. */
const messageIdOf = ({ id }: CalledRecipient) => MessageId.make(id)

const isMoved = ({ after, before }: MovedRecipient) => !Equal.equals(after, before)

/** Messages to the recipients of broadcasts: receipts name each by its recipient's id. */
export const recipientMessages = {
  answer: storeAnswers,
  words: Effect.flatMap(StoredBroadcastSettings, (settings) => settings.get()),
  take: Effect.fnUntraced(function* (receipts: ReadonlyArray<ReferringReceipt>) {
    const byReference = Map.groupBy(receipts, ({ reference }) => reference)
    const found = yield* lock(receipts)
    const moved = found.map((before) => ({
      before,
      after: (byReference.get(messageIdOf(before)) ?? []).reduce<CalledRecipient>(receipted, before)
    }))
    const refused = found.flatMap((recipient) => {
      const receipt = byReference.get(messageIdOf(recipient))?.find(({ error }) => error?.remedy === "opt_out")
      const { broadcastId, calledAt, seq } = recipient
      return receipt === undefined || calledAt === null ? [] : [{ broadcastId, seq, at: receipt.at }]
    })
    return {
      references: new Set(found.map(messageIdOf)),
      store: Effect.andThen(store(moved.filter(isMoved)), storeOptOuts(refused))
    }
  })
}
