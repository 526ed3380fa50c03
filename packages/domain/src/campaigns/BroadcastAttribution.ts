import { Context, type Effect } from "effect"
import type { Money, TenantScoped } from "../kernel/index.ts"
import type { VariantKey } from "./Broadcast.ts"
import type { BroadcastId } from "./Ids.ts"

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
