import { DateTime, Effect, Schema } from "effect"
import { defineFilterField, type Filter, mostFilterDays, negated, someOf, valueReader } from "../crm/index.ts"
import { ProductId, StoreConnectionId } from "./Ids.ts"
import { StoreProducts } from "./Product.ts"
import { StoreConnections } from "./StoreConnections.ts"
import {
  cartAbandonedAtField,
  firstOrderAtField,
  known,
  lastOrderAtField,
  orderCountField,
  spentField
} from "./orderFilterFields.ts"

const yesOrNo = valueReader(Schema.Boolean, "Expected true or false")

const hasOpenCart = known("has_open_cart")()

/** Whether a contact has a cart that is active or abandoned. */
const openCartField = defineFilterField({
  name: "openCart",
  permission: "commerce.read",
  conditions: ["has_open_cart"],
  operators: () => ({
    is: (value, fail) => yesOrNo(value, fail, (is) => (is ? hasOpenCart : negated(hasOpenCart)))
  }),
  names: null,
  find: () => Effect.succeed([])
})

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
const productField = defineFilterField({
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

const isStoreConnectionId = Schema.is(StoreConnectionId)

const someStores = valueReader(someOf(StoreConnectionId), "Expected 1 to 50 ids of store connections")

const knownTo = known("known_to_store")

/** Which stores know a contact: as a customer, by an order that counts, or by an open cart. */
const storeField = defineFilterField({
  name: "store",
  permission: "commerce.read",
  conditions: ["known_to_store"],
  operators: () => ({
    any_of: (value, fail) => someStores(value, fail, (ids) => knownTo(...ids)),
    none_of: (value, fail) => someStores(value, fail, (ids) => negated(knownTo(...ids)))
  }),
  names: "store connection",
  find: Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
    const found = yield* (yield* StoreConnections).find(ids.filter((id) => isStoreConnectionId(id)))
    return found.map(({ id }) => id)
  })
})

/** What stores know of contacts, as fields of filters. */
export const commerceFilterFields = [
  orderCountField,
  spentField,
  firstOrderAtField,
  lastOrderAtField,
  cartAbandonedAtField,
  productField,
  openCartField,
  storeField
]
