import type { DateTime } from "effect"
import type { CartRecord } from "./records/CartRecord.ts"
import type { Shop } from "./Shop.ts"

/** Records that are read again when a shop says that they have changed. */
export type MarkedKind = "customers" | "orders" | "products"

/** What a delivery of a shop tells. What has changed is said by a mark, and read from the shop: so order and repetitions cannot matter. */
export type StoreSignal =
  | { readonly kind: "changed"; readonly record: MarkedKind; readonly externalId: string }
  /** An order was placed from this cart. */
  | { readonly kind: "cart_completed"; readonly token: string }
  | { readonly kind: "deleted"; readonly record: MarkedKind; readonly externalId: string }
  | { readonly kind: "customers_merged"; readonly keptId: string; readonly mergedId: string }
  | { readonly kind: "cart"; readonly cart: CartRecord }
  | { readonly kind: "cart_deleted"; readonly externalId: string }
  /** An unreadable record in the delivery. */
  | {
      readonly kind: "unreadable"
      readonly record: "carts"
      readonly externalId: string
      readonly reason: string
    }
  | { readonly kind: "uninstalled"; readonly at: DateTime.Utc | null }
  | { readonly kind: "scopes_changed"; readonly scopes: ReadonlyArray<string> }
  /** What the shop says of itself; `null` where it does not say enough. */
  | { readonly kind: "shop_changed"; readonly shop: Shop | null }
  | {
      readonly kind: "data_request"
      readonly requestId: string | null
      readonly externalCustomerId: string | null
      readonly phone: string | null
      readonly email: string | null
    }
  | {
      readonly kind: "redact_customer"
      readonly externalCustomerId: string | null
      readonly phone: string | null
      readonly email: string | null
      readonly externalOrderIds: ReadonlyArray<string>
    }
  | { readonly kind: "redact_shop" }
  | { readonly kind: "unknown"; readonly topic: string }
