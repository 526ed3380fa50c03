import { type DateTime, Option, Schema, SchemaTransformation } from "effect"
import type { Currency } from "../kernel/index.ts"
import type { CartRecord } from "./shopRecords.ts"

/** The address by which the provider knows a shop, such as `ada.myshopify.com`. Nothing is asked of any other host. */
export const ShopDomain = Schema.String.check(
  Schema.isPattern(/^[a-z0-9][a-z0-9_-]*\.myshopify\.com$/u, {
    message: "Expected the address of a shop such as ada.myshopify.com"
  }),
  Schema.isMaxCodePoints(100, { message: "Expected at most 100 characters" })
)
export type ShopDomain = typeof ShopDomain.Type

/** The address of a shop as people type it: capital letters do not matter. */
export const ShopDomainInput = Schema.String.pipe(
  Schema.decodeTo(ShopDomain, SchemaTransformation.toLowerCase()),
  Schema.annotateEncoded({ description: "The address of the shop at its provider, such as `ada.myshopify.com`." })
)

const decode = Schema.decodeUnknownOption(ShopDomainInput)

/** The address in what a provider says; `null` if it is none of a shop. */
export const readShopDomain = (text: string): ShopDomain | null => Option.getOrNull(decode(text))

/** What a shop says of itself. */
export interface Shop {
  /** It stays the same when the shop is renamed. */
  readonly shopId: string
  readonly shopDomain: ShopDomain
  readonly name: string
  readonly currency: Currency
  /** ISO 3166; `null` where the shop does not say. */
  readonly country: string | null
}

/** Records that are read again when a shop says that they have changed. */
export type StaleRecordKind = "customers" | "orders" | "products"

/** What a delivery of a shop tells. What has changed is said by a mark, and read from the shop: so order and repetitions cannot matter. */
export type StoreSignal =
  | { readonly kind: "changed"; readonly record: StaleRecordKind; readonly externalId: string }
  /** An order was placed from this cart. */
  | { readonly kind: "cart_completed"; readonly token: string }
  | { readonly kind: "deleted"; readonly record: StaleRecordKind; readonly externalId: string }
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
