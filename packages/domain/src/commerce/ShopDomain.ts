import { Option, Schema, SchemaTransformation } from "effect"

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
