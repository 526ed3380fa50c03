import { DateTime, Effect, Schedule } from "effect"
import type { ContactId } from "../../crm/index.ts"
import { outlast, transact } from "../../kernel/index.ts"
import { type ChatAccountId, DailyReach } from "../../messaging/chat/index.ts"
import { Conversations, messageErrorCodes } from "../../messaging/inbox/index.ts"
import type { BroadcastId } from "../Ids.ts"
import { RecipientLedger, type RecipientOutcome, type RecipientResult } from "../RecipientLedger.ts"
import { RecipientReservations } from "../RecipientReservations.ts"
import { tellProgress } from "../broadcastMoves.ts"
import { storeOptOuts } from "../receipts/RecipientReceipts.ts"
import { joinConversations, lockOpenConversations } from "../receipts/conversations.ts"
import type { Counted } from "./prepareCalls.ts"

/** What came of a call, to whom it was, and as whom that counts for the daily limit. */
export interface CallResult extends RecipientResult {
  readonly chatAccountId: ChatAccountId
  readonly contactId: ContactId
  readonly counted: Counted | null
}

/** Whether somebody was counted for the daily limit who was not written to after all. */
export const leavesRoom = ({ counted, outcome }: CallResult): boolean =>
  counted !== null && outcome.kind !== "sent" && outcome.kind !== "in_doubt"

const hasOptedOut = (outcome: RecipientOutcome) =>
  outcome.kind === "failed" && outcome.error.code === messageErrorCodes.opt_out

/** Of those who were not written to after all, others can be today. */
const uncount = Effect.fnUntraced(function* (results: ReadonlyArray<CallResult>) {
  const unreached = results.filter(leavesRoom).flatMap(({ counted }) => counted ?? [])
  const byClaim = Map.groupBy(unreached, ({ at }) => DateTime.toEpochMillis(at))
  const reach = yield* DailyReach
  for (const all of byClaim.values()) {
    const [first] = all
    if (first === undefined) continue
    const recipients = all.map(({ recipient }) => recipient)
    yield* reach.takeBack(first.business, recipients, first.at)
  }
})

const isSent = ({ outcome }: CallResult) => outcome.kind === "sent"

/** Of one account: a broadcast goes over one. */
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

const store = Effect.fnUntraced(function* (id: BroadcastId, results: ReadonlyArray<CallResult>, isTold: boolean) {
  // Whoever counts for a business locks it before recipients, also where they are claimed.
  yield* uncount(results)
  const talking = yield* lockConversations(results)
  const ledger = yield* RecipientLedger
  yield* ledger.settle(id, results)
  if (talking !== null) yield* joinConversations(talking.chatAccountId, id, talking.conversations)
  yield* storeOptOuts(
    results.flatMap(({ at, outcome, seq }) => (hasOptedOut(outcome) ? [{ broadcastId: id, seq, at }] : []))
  )
  const refused = results.filter(({ outcome }) => outcome.kind === "failed").length
  if (refused > 0) yield* (yield* RecipientReservations).giveBack(id, refused)
  if (isTold) yield* tellProgress(id)
}, transact)

/** Whatever else happens: nobody else knows it. */
const surely = <E, R>(effect: Effect.Effect<void, E, R>, failed: string) =>
  outlast(effect).pipe(
    Effect.sandbox,
    Effect.retry({ schedule: Schedule.exponential("100 millis"), times: 5 }),
    Effect.catchCause((cause) => Effect.logError(failed, cause)),
    Effect.uninterruptible
  )

/** Those with whom a conversation is not resolved, of those who were sent to: the message is to join it. */
export const talkingOf = Effect.fnUntraced(function* (results: ReadonlyArray<CallResult>) {
  const chatAccountId = accountOf(results)
  return chatAccountId === null
    ? new Set<ContactId>()
    : yield* (yield* Conversations).talking(
        chatAccountId,
        results.filter(isSent).map(({ contactId }) => contactId)
      )
})

/** Stores what has come of calls. `isTold`: it is time to say how far the broadcast is. */
export const storeResults = (id: BroadcastId, results: ReadonlyArray<CallResult>, isTold: boolean) =>
  surely(store(id, results, isTold), `What came of recipients of ${id} could not be kept`)

/** Says how far the broadcast is. */
export const tellSurely = (id: BroadcastId) => surely(transact(tellProgress(id)), `How far ${id} is could not be told`)
