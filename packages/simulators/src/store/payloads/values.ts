import { DateTime } from "effect"
import { amountText } from "../money.ts"
import type { Shop } from "../World.ts"

/** A time in the format of the provider's deliveries. */
export const timeText = (time: number): string => DateTime.formatIso(DateTime.makeUnsafe(time)).replace(/\.\d+Z$/u, "Z")

export const timeOrNull = (time: number | null): string | null => (time === null ? null : timeText(time))

export const gid = (type: string, id: number): string => `gid://shopify/${type}/${id}`

export const lower = (word: string): string => word.toLowerCase()

/** An amount in the currencies of the shop and of the buyer. */
export const moneySet = (shop: Shop, amount: number) => {
  const money = { amount: amountText(amount, shop.currency), currency_code: shop.currency }
  return { shop_money: money, presentment_money: money }
}
