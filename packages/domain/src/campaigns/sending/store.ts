import { DateTime, Effect, Schedule } from "effect"
import type { ContactId } from "../../crm/index.ts"
import { retryThroughOutage, transact } from "../../kernel/index.ts"
import { DailyRecipients } from "../../messaging/chat/index.ts"
import { Conversations, messageErrorCodes, type PaceControl, sendLaneAccountId } from "../../messaging/inbox/index.ts"
import { type LaneLease, LaneQueue } from "../../platform/background/index.ts"
import type { BroadcastId } from "../Ids.ts"
import { RecipientLedger, type RecipientOutcome } from "../RecipientLedger.ts"
import { RecipientReservations } from "../RecipientReservations.ts"
import { publishProgress } from "../broadcastChanges.ts"
import { saveOptOuts } from "../receipts/RecipientReceipts.ts"
import { addToConversations, lockOpenConversations } from "../receipts/conversations.ts"
import { maxClaimAge } from "./limits.ts"
import { type CallResult, freesCapacity } from "./prepareCalls.ts"

const hasOptedOut = (outcome: RecipientOutcome) =>
  outcome.kind === "failed" && outcome.error.code === messageErrorCodes.opt_out

/** Releases the daily limit of contacts that were not sent to. */
const releaseDailyRecipients = Effect.fnUntraced(function* (results: ReadonlyArray<CallResult>) {
  const unreached = results.filter(freesCapacity).flatMap(({ counted }) => counted ?? [])
  const byClaim = Map.groupBy(unreached, ({ at }) => DateTime.toEpochMillis(at))
  const reach = yield* DailyRecipients
  for (const all of byClaim.values()) {
    const [first] = all
    if (first === undefined) continue
    const recipients = all.map(({ recipient }) => recipient)
    yield* reach.takeBack(first.business, recipients, first.at)
  }
})

const isSent = ({ outcome }: CallResult) => outcome.kind === "sent"

/** All results belong to one account, because a broadcast has one account. */
const accountOf = (results: ReadonlyArray<CallResult>) => results.find(isSent)?.chatAccountId ?? null

const lockConversations = (results: ReadonlyArray<CallResult>) => {
  const chatAccountId = accountOf(results)
  return chatAccountId === null
    ? Effect.succeed(null)
    : Effect.map(
        lockOpenConversations(
          chatAccountId,
          results.filter(isSent).map(({ contactId }) => contactId)
        ),
        (conversations) => ({ chatAccountId, conversations })
      )
}

const saveResultsOnce = Effect.fnUntraced(function* (
  id: BroadcastId,
  results: ReadonlyArray<CallResult>,
  reportsProgress: boolean
) {
  // The business is locked before recipients, in the same order as in claims.
  yield* releaseDailyRecipients(results)
  const talking = yield* lockConversations(results)
  const ledger = yield* RecipientLedger
  yield* ledger.settle(id, results)
  if (talking !== null) yield* addToConversations(talking.chatAccountId, id, talking.conversations)
  yield* saveOptOuts(
    results.flatMap(({ at, outcome, seq }) => (hasOptedOut(outcome) ? [{ broadcastId: id, seq, at }] : []))
  )
  const refused = results.filter(({ outcome }) => outcome.kind === "failed").length
  if (refused > 0) yield* (yield* RecipientReservations).giveBack(id, refused)
  if (reportsProgress) yield* publishProgress(id)
}, transact)

/** Runs despite other failures, because no other process has this information. */
const runReliably = <E, R>(effect: Effect.Effect<void, E, R>, failed: string) =>
  retryThroughOutage(effect).pipe(
    Effect.sandbox,
    Effect.retry({ schedule: Schedule.exponential("100 millis"), times: 5 }),
    Effect.catchCause((cause) => Effect.logError(failed, cause)),
    Effect.uninterruptible
  )

/** Finds the contacts of sent messages with an unresolved conversation, which the message must join. */
export const findContactsInConversation = Effect.fnUntraced(function* (results: ReadonlyArray<CallResult>) {
  const chatAccountId = accountOf(results)
  return chatAccountId === null
    ? new Set<ContactId>()
    : yield* (yield* Conversations).talking(
        chatAccountId,
        results.filter(isSent).map(({ contactId }) => contactId)
      )
})

/** Stores call results, with a progress event if requested. */
export const saveCallResults = (id: BroadcastId, results: ReadonlyArray<CallResult>, reportsProgress: boolean) =>
  runReliably(saveResultsOnce(id, results, reportsProgress), `The results of recipients of ${id} could not be stored`)

export const publishProgressReliably = (id: BroadcastId) =>
  runReliably(transact(publishProgress(id)), `The progress of ${id} could not be published`)

const markInDoubt = Effect.fnUntraced(function* (lane: LaneLease) {
  // A new turn has no recipients in flight, so recipients of an earlier turn of this process are in doubt too.
  const lost = yield* (yield* RecipientLedger).takeOver(sendLaneAccountId(lane), lane.fence + 1, yield* DateTime.now)
  if (lost > 0) yield* (yield* LaneQueue).hold(lane)
  return lost
}, transact)

/** Puts recipients that earlier owners left in flight in doubt, and rejects later claims of these owners. */
export const recoverFromPreviousOwner = Effect.fnUntraced(function* (lane: LaneLease, pace: PaceControl) {
  // Commits before the read: an earlier claim is visible to it, and a later one is void.
  yield* (yield* RecipientLedger).fenceOff(sendLaneAccountId(lane), lane.fence)
  // A replaced owner that does not know it can still call its claimed recipients until the claim is too old.
  if ((yield* markInDoubt(lane)) > 0) yield* pace.shareFor(maxClaimAge)
})
