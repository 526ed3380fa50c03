import { DateTime, Effect, Schema } from "effect"
import { defineFilterField, type Filter, mostFilterDays, negated, someOf, valueReader } from "../../crm/index.ts"
import { ProductId } from "../Ids.ts"
import { StoreProducts } from "../StoreProducts.ts"
import { known } from "./known.ts"

const isProductId = Schema.is(ProductId)

const bought = known("bought")

const Purchase = Schema.Struct({
  productIds: someOf(ProductId),
  withinDays: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: mostFilterDays })))
})

const aPurchase = valueReader(
  Purchase,
  `Expected an object with productIds, which are 1 to 50 ids of products, and with withinDays, a whole number of days from 1 to ${mostFilterDays}, or without it`
)

const since = (now: DateTime.Utc, days: number | undefined) =>
  days === undefined ? "-infinity" : DateTime.formatIso(DateTime.subtract(now, { days }))

/** What a contact has bought: one at least of the products that are named. */
export const productField = defineFilterField({
  name: "product",
  permission: "commerce.read",
  conditions: ["bought"],
  operators: (now) => {
    const any = ({ productIds, withinDays }: typeof Purchase.Type): Filter =>
      bought(since(now, withinDays), ...productIds)
    return {
      bought: (value, fail) => aPurchase(value, fail, any),
      not_bought: (value, fail) => aPurchase(value, fail, (purchase) => negated(any(purchase)))
    }
  },
  names: "product",
  namedAt: "productIds",
  find: Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
    return yield* (yield* StoreProducts).known(ids.filter((id) => isProductId(id)))
  })
})
