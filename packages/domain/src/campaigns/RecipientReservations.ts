import { Context, DateTime, Effect } from "effect"
import { type TenantScoped, transact, type Transaction } from "../kernel/index.ts"
import { withinLimit, Plans, plans, Usage } from "../platform/entitlements/index.ts"
import { Broadcast } from "./Broadcast.ts"
import { Broadcasts } from "./Broadcasts.ts"
import type { BroadcastId } from "./Ids.ts"
import { Audiences } from "./audience/Audiences.ts"
import { planAudience } from "./audience/planAudience.ts"
import { AudienceEmpty } from "./errors.ts"

/** What broadcasts take of the plan's recipients of a month. */
export class RecipientReservations extends Context.Service<
  RecipientReservations,
  TenantScoped<{
    /** How many are taken of the month that begins then. */
    readonly takenIn: (month: DateTime.Utc) => Effect.Effect<number>
    /** How many the broadcast still takes, of whichever month. */
    readonly takenBy: (broadcastId: BroadcastId) => Effect.Effect<number>
    /** A broadcast takes of one month, once. */
    readonly insert: (
      broadcastId: BroadcastId,
      month: DateTime.Utc,
      amount: number
    ) => Effect.Effect<void, never, Transaction>
    /** Lets the broadcast take so many less, at the most as many as it takes. */
    readonly giveBack: (broadcastId: BroadcastId, amount: number) => Effect.Effect<void, never, Transaction>
    /** Lets the broadcast take so many again that it had given back. */
    readonly takeBack: (broadcastId: BroadcastId, amount: number) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/campaigns/RecipientReservations") {}

/** The month that it is, by UTC. */
const thisMonth = Effect.map(DateTime.now, (now) => DateTime.startOf(now, "month"))

/** What broadcasts take of this month. They give back under no lock, as that only makes room. */
export const broadcastRecipientsUsage = {
  limit: "broadcastRecipientsPerMonth",
  lock: "broadcast_recipients",
  count: Effect.gen(function* () {
    return yield* (yield* RecipientReservations).takenIn(yield* thisMonth)
  })
} as const

/** Recipients of the plan used this month, and the plan limit. */
export const readPlanQuota = Effect.gen(function* () {
  const used = yield* (yield* Usage).count("broadcastRecipientsPerMonth")
  return { used, max: plans[yield* (yield* Plans).current()].limits.broadcastRecipientsPerMonth }
})

/** Takes so many of the plan's recipients of this month for a broadcast that starts: all of them, or none where the plan lacks room. */
export const reserveRecipients = Effect.fnUntraced(function* (broadcastId: BroadcastId, amount: number) {
  const reservations = yield* RecipientReservations
  yield* reservations
    .insert(broadcastId, yield* thisMonth, amount)
    .pipe(withinLimit("broadcastRecipientsPerMonth", amount))
})

/** How many contacts are frozen at once at the most: the first message goes out after the first slice. */
export const maxSliceSize = 20_000

/**
 * Puts the next part of the audience of a broadcast that is sending on its list, and says whether that was all. It is for the owner of the
 * broadcast's account. When all are on the list, what was taken of the plan and is not needed goes back.
 */
export const freezeSlice = Effect.fnUntraced(function* (id: BroadcastId, limit = maxSliceSize) {
  const [audiences, broadcasts] = [yield* Audiences, yield* Broadcasts]
  const reservations = yield* RecipientReservations
  const { audienceSnapshotId: snapshotId, frozenAt, startedAt, ...planned } = yield* broadcasts.get(id)
  if (frozenAt !== null || startedAt === null) return true
  const plan = yield* planAudience(planned, startedAt)
  const { delivered, inDoubt, inFlight, pending, read, sent } = planned.stats
  const reserved = yield* reservations.takenBy(id)
  const room = Math.max(0, reserved - (pending + inFlight + inDoubt + sent + delivered + read))
  const { done, toSend } = yield* audiences.freeze(id, plan, { limit, room, snapshotId })
  if (done) {
    const before = yield* broadcasts.get(id)
    yield* broadcasts.save(new Broadcast({ ...before, frozenAt: yield* DateTime.now }), null)
    if (room > toSend) yield* reservations.giveBack(id, room - toSend)
  }
  return done
}, transact)

/** Counts whom a broadcast goes to that starts then, and takes so much of the plan. Refuses one that nobody would get. */
export const reserveAudience = Effect.fnUntraced(function* (broadcast: Broadcast, startsAt: DateTime.Utc) {
  const plan = yield* planAudience(broadcast, startsAt)
  const { matched, toSend } = yield* (yield* Audiences).size(plan, broadcast.audienceSnapshotId)
  if (toSend === 0) return yield* new AudienceEmpty({ matched })
  yield* reserveRecipients(broadcast.id, toSend)
})
