import { DateTime, Effect, Schedule } from "effect"
import type { ContactId } from "../../crm/index.ts"
import { retryThroughOutage, transact } from "../../kernel/index.ts"
import { type ChatAccountId, DailyRecipients } from "../../messaging/chat/index.ts"
import { Conversations, messageErrorCodes } from "../../messaging/inbox/index.ts"
import type { BroadcastId } from "../Ids.ts"
import { RecipientLedger, type RecipientOutcome, type RecipientResult } from "../RecipientLedger.ts"
import { RecipientReservations } from "../RecipientReservations.ts"
import { publishProgress } from "../broadcastChanges.ts"
import { saveOptOuts } from "../receipts/RecipientReceipts.ts"
import { addToConversations, lockOpenConversations } from "../receipts/conversations.ts"
import type { DailyRecipientEntry } from "./prepareCalls.ts"

/** Result of a call, its contact and its entry for the daily limit. */
export interface CallResult extends RecipientResult {
  readonly chatAccountId: ChatAccountId
  readonly contactId: ContactId
  readonly counted: DailyRecipientEntry | null
}

/** Whether a contact was counted for the daily limit and then not sent to. */
export const freesCapacity = ({ counted, outcome }: CallResult): boolean =>
  counted !== null && outcome.kind !== "sent" && outcome.kind !== "in_doubt"

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
  isTold: boolean
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
  if (isTold) yield* publishProgress(id)
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

/** Stores call results. `isTold`: a progress event is due. */
export const saveCallResults = (id: BroadcastId, results: ReadonlyArray<CallResult>, isTold: boolean) =>
  runReliably(saveResultsOnce(id, results, isTold), `What came of recipients of ${id} could not be kept`)

export const publishProgressReliably = (id: BroadcastId) =>
  runReliably(transact(publishProgress(id)), `How far ${id} is could not be told`)
