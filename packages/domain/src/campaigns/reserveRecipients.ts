import { Effect } from "effect"
import { admitting } from "../platform/entitlements/index.ts"
import type { BroadcastId } from "./Ids.ts"
import { RecipientReservations } from "./RecipientReservations.ts"
import { thisMonth } from "./usage.ts"

/** Takes so many of the plan's recipients of this month for a broadcast that starts: all of them, or none where the plan lacks room. */
export const reserveRecipients = Effect.fnUntraced(function* (broadcastId: BroadcastId, amount: number) {
  const reservations = yield* RecipientReservations
  yield* reservations
    .insert(broadcastId, yield* thisMonth, amount)
    .pipe(admitting("broadcastRecipientsPerMonth", amount))
})
