import { Context, type DateTime, type Effect } from "effect"
import type { TenantScoped, Transaction } from "../kernel/index.ts"
import type { BroadcastId } from "./Ids.ts"

/** The recipients of the organization's broadcasts that are kept longer than they have to be. */
export class ExpiredRecipients extends Context.Service<
  ExpiredRecipients,
  TenantScoped<{
    /** Up to `limit` broadcasts whose recipients were to go by now and are still there, those that waited longest first. */
    readonly find: (now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<BroadcastId>>
    /** Deletes recipients of a broadcast, at most `limit` of them, and says how many. Its statistics stay. */
    readonly remove: (id: BroadcastId, limit: number) => Effect.Effect<number, never, Transaction>
    /** Notes that none are left. */
    readonly close: (id: BroadcastId, now: DateTime.Utc) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/campaigns/ExpiredRecipients") {}
