import { Context, type DateTime, type Effect } from "effect"
import type { TenantScoped, Transaction } from "../kernel/index.ts"
import type { BroadcastId } from "./Ids.ts"

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
