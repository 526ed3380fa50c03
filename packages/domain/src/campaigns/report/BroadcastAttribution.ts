import { Context, type DateTime, type Effect } from "effect"
import type { Money, TenantScoped } from "../../kernel/index.ts"
import type { VariantKey } from "../Broadcast.ts"
import type { BroadcastId } from "../Ids.ts"

/** Orders attributed to a broadcast or a variant, with net amounts per currency. */
export interface BroadcastCredit {
  readonly attributedOrders: number
  readonly attributed: ReadonlyArray<Money>
}

/** No attributed orders. */
export const noCredit: BroadcastCredit = { attributedOrders: 0, attributed: [] }

/** Orders attributed to a broadcast. An order of an erased contact or a removed store has no contact, so it belongs to no variant. */
export interface BroadcastCredits {
  readonly total: BroadcastCredit
  readonly byVariant: ReadonlyMap<VariantKey, BroadcastCredit>
}

/** Attribution of orders to the organization's broadcasts. The area that counts orders implements this port. */
export class BroadcastAttribution extends Context.Service<
  BroadcastAttribution,
  TenantScoped<{ readonly read: (id: BroadcastId) => Effect.Effect<BroadcastCredits> }>
>()("@parley/domain/campaigns/BroadcastAttribution") {}

/** Contacts drawn for a group of a broadcast, with any message outcome, and the buyers among them in time. */
export interface BuyerCount {
  readonly variant: VariantKey | null
  readonly isHeldOut: boolean
  readonly assigned: number
  readonly converted: number
  /** Due time of the last contact. */
  readonly lastDueAt: DateTime.Utc
}

/** Purchases of contacts after their due time in a broadcast. The area that stores orders implements this port. */
export class BroadcastBuyers extends Context.Service<
  BroadcastBuyers,
  TenantScoped<{
    /** Whether orders are known. */
    readonly areKnown: () => Effect.Effect<boolean>
    /**
     * Counts the groups of a broadcast with a hold-out, in no order. A buyer placed a counted order at or after the due time, within this number of
     * days.
     */
    readonly count: (id: BroadcastId, days: number) => Effect.Effect<ReadonlyArray<BuyerCount>>
  }>
>()("@parley/domain/campaigns/BroadcastBuyers") {}
