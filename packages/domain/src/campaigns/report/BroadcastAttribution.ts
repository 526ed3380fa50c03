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

/** Orders attributed to a broadcast. An order without a contact, because the person was erased, belongs to no variant. */
export interface BroadcastCredits {
  readonly total: BroadcastCredit
  readonly byVariant: ReadonlyMap<VariantKey, BroadcastCredit>
}

/** Attribution of orders to the organization's broadcasts. The area that counts orders implements this port. */
export class BroadcastAttribution extends Context.Service<
  BroadcastAttribution,
  TenantScoped<{ readonly read: (id: BroadcastId) => Effect.Effect<BroadcastCredits> }>
>()("@parley/domain/campaigns/BroadcastAttribution") {}

/** How many contacts were drawn for a group of a broadcast, whatever became of the message, and how many of them have bought something in time. */
export interface BuyerCount {
  readonly variant: VariantKey | null
  readonly isHeldOut: boolean
  readonly assigned: number
  readonly converted: number
  /** When the last of them was due. */
  readonly lastDueAt: DateTime.Utc
}

/** What contacts have bought after their turn in one of the organization's broadcasts: told by the area that knows their orders. */
export class BroadcastBuyers extends Context.Service<
  BroadcastBuyers,
  TenantScoped<{
    /** Whether orders are known at all. */
    readonly areKnown: () => Effect.Effect<boolean>
    /**
     * The groups of a broadcast that holds contacts out, in no order. Whoever has placed an order that counts from when they were due on, and
     * before so many days were over, has bought.
     */
    readonly count: (id: BroadcastId, days: number) => Effect.Effect<ReadonlyArray<BuyerCount>>
  }>
>()("@parley/domain/campaigns/BroadcastBuyers") {}
