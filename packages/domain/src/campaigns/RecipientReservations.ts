import { Context, DateTime, Effect } from "effect"
import { type TenantScoped, transact, type Transaction } from "../kernel/index.ts"
import { withinLimit, Plans, plans, Usage } from "../platform/entitlements/index.ts"
import { Broadcast } from "./Broadcast.ts"
import { Broadcasts } from "./Broadcasts.ts"
import type { BroadcastId } from "./Ids.ts"
import { Audiences } from "./audience/Audiences.ts"
import { planAudience } from "./audience/planAudience.ts"
import { AudienceEmpty } from "./errors.ts"

/** Reservations of broadcasts from the monthly recipients of the plan. */
export class RecipientReservations extends Context.Service<
  RecipientReservations,
  TenantScoped<{
    /** Returns the number reserved in the month that starts at this time. */
    readonly takenIn: (month: DateTime.Utc) => Effect.Effect<number>
    /** Returns the number that the broadcast has reserved, in any month. */
    readonly takenBy: (broadcastId: BroadcastId) => Effect.Effect<number>
    /** Reserves recipients for a broadcast, once and in one month. */
    readonly insert: (
      broadcastId: BroadcastId,
      month: DateTime.Utc,
      amount: number
    ) => Effect.Effect<void, never, Transaction>
    /** Reduces the reservation by this amount, at most to zero. */
    readonly giveBack: (broadcastId: BroadcastId, amount: number) => Effect.Effect<void, never, Transaction>
    /** Increases the reservation again by an amount that was released before. */
    readonly takeBack: (broadcastId: BroadcastId, amount: number) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/campaigns/RecipientReservations") {}

/** Start of the current month in UTC. */
const thisMonth = Effect.map(DateTime.now, (now) => DateTime.startOf(now, "month"))

/** Reservations of this month. A release needs no lock, because it only frees capacity. */
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

/** Reserves recipients of this month's plan for a starting broadcast: all of them, or none if the plan lacks capacity. */
export const reserveRecipients = Effect.fnUntraced(function* (broadcastId: BroadcastId, amount: number) {
  const reservations = yield* RecipientReservations
  yield* reservations
    .insert(broadcastId, yield* thisMonth, amount)
    .pipe(withinLimit("broadcastRecipientsPerMonth", amount))
})

/** Maximum contacts per slice. The first message goes out after the first slice. */
export const maxSliceSize = 20_000

/**
 * Adds the next slice of the audience of a sending broadcast to its list. Returns whether it was the last one. Only the lane owner calls it. After
 * the last slice, unused reservations return to the plan.
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

/** Counts the recipients of a broadcast that starts at this time and reserves them from the plan. Fails without recipients. */
export const reserveAudience = Effect.fnUntraced(function* (broadcast: Broadcast, startsAt: DateTime.Utc) {
  const plan = yield* planAudience(broadcast, startsAt)
  const { matched, toSend } = yield* (yield* Audiences).size(plan, broadcast.audienceSnapshotId)
  if (toSend === 0) return yield* new AudienceEmpty({ matched })
  yield* reserveRecipients(broadcast.id, toSend)
})
