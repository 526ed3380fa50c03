import { type DateTime, Option, Schema, SchemaTransformation } from "effect"
import type { Currency } from "../kernel/index.ts"
import type { CartRecord } from "./shopRecords.ts"

/** Domain that identifies a shop at the provider, such as `ada.myshopify.com`. Parley calls no other host for the shop. */
export const ShopDomain = Schema.String.check(
  Schema.isPattern(/^[a-z0-9][a-z0-9_-]*\.myshopify\.com$/u, {
    message: "Expected the address of a shop such as ada.myshopify.com"
  }),
  Schema.isMaxCodePoints(100, { message: "Expected at most 100 characters" })
)
export type ShopDomain = typeof ShopDomain.Type

/** Shop domain as a user types it. Case is ignored. */
export const ShopDomainInput = Schema.String.pipe(
  Schema.decodeTo(ShopDomain, SchemaTransformation.toLowerCase()),
  Schema.annotateEncoded({ description: "The address of the shop at its provider, such as `ada.myshopify.com`." })
)

const decode = Schema.decodeUnknownOption(ShopDomainInput)

/** Parses a shop domain from a provider; `null` if it is invalid. */
export const readShopDomain = (text: string): ShopDomain | null => Option.getOrNull(decode(text))

/** Shop data, as the shop reports it. */
export interface Shop {
  /** Stays the same after a rename of the shop. */
  readonly shopId: string
  readonly shopDomain: ShopDomain
  readonly name: string
  readonly currency: Currency
  /** ISO 3166; `null` if the shop does not report it. */
  readonly country: string | null
}

/** Records that are read again after a change in the shop. */
export type StaleRecordKind = "customers" | "orders" | "products"

/**
 * A signal in a delivery of a shop. A changed record is only marked as stale and then read from the shop. Order and repetition of deliveries
 * therefore do not matter.
 */
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
  /** The shop has ended an export, with or without success. */
  | { readonly kind: "export_finished" }
  | { readonly kind: "scopes_changed"; readonly scopes: ReadonlyArray<string> }
  /** Data of the shop; `null` if the delivery is incomplete. */
  | { readonly kind: "shop_changed"; readonly shop: Shop | null }
  | {
      readonly kind: "data_request"
      readonly requestId: string | null
      readonly externalCustomerId: string | null
      readonly phone: string | null
      readonly email: string | null
      /** Orders of the person, also of a guest. */
      readonly externalOrderIds: ReadonlyArray<string>
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
