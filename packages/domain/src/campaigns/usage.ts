import { DateTime, Effect } from "effect"
import { Plans, plans, Usage } from "../platform/entitlements/index.ts"
import { RecipientReservations } from "./RecipientReservations.ts"

/** The month that it is, by UTC. */
export const thisMonth = Effect.map(DateTime.now, (now) => DateTime.startOf(now, "month"))

/** What broadcasts take of this month. They give back under no lock, as that only makes room. */
export const broadcastRecipientsUse = {
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
