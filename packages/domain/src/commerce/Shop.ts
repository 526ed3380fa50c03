import type { Currency } from "../kernel/index.ts"
import type { ShopDomain } from "./ShopDomain.ts"

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
