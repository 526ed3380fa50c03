import { DateTime, Effect, Schema } from "effect"
import { defineFilterField, type Filter, maxFilterDays, negateFilter, nonEmptyList, valueReader } from "../crm/index.ts"
import { ProductId, StoreConnectionId } from "./Ids.ts"
import { StoreProducts } from "./Product.ts"
import { StoreConnections } from "./StoreConnections.ts"
import {
  cartAbandonedAtField,
  firstOrderAtField,
  knownCondition,
  lastOrderAtField,
  orderCountField,
  spentField
} from "./orderFilterFields.ts"

const readBoolean = valueReader(Schema.Boolean, "Expected true or false")

const openCartCondition = knownCondition("has_open_cart")()

/** Whether a contact has a cart that is active or abandoned. */
const openCartField = defineFilterField({
  name: "openCart",
  type: "boolean",
  permission: "commerce.read",
  conditions: ["has_open_cart"],
  operators: () => ({
    is: (value, fail) => readBoolean(value, fail, (is) => (is ? openCartCondition : negateFilter(openCartCondition)))
  }),
  names: null,
  find: () => Effect.succeed([])
})

const isProductId = Schema.is(ProductId)

const boughtCondition = knownCondition("bought")

const PurchaseCondition = Schema.Struct({
  productIds: nonEmptyList(ProductId),
  withinDays: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxFilterDays })))
})

const readPurchase = valueReader(
  PurchaseCondition,
  `Expected an object with productIds, 1 to 50 ids of products, and optionally withinDays, a whole number of days from 1 to ${maxFilterDays}`
)

const toStartTime = (now: DateTime.Utc, days: number | undefined) =>
  days === undefined ? "-infinity" : DateTime.formatIso(DateTime.subtract(now, { days }))

/** Matches contacts with a purchase of at least one named product. */
const productField = defineFilterField({
  name: "product",
  type: "purchase",
  permission: "commerce.read",
  conditions: ["bought"],
  operators: (now) => {
    const any = ({ productIds, withinDays }: typeof PurchaseCondition.Type): Filter =>
      boughtCondition(toStartTime(now, withinDays), ...productIds)
    return {
      bought: (value, fail) => readPurchase(value, fail, any),
      not_bought: (value, fail) => readPurchase(value, fail, (purchase) => negateFilter(any(purchase)))
    }
  },
  names: "product",
  namedAt: "productIds",
  find: Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
    return yield* (yield* StoreProducts).known(ids.filter((id) => isProductId(id)))
  })
})

const isStoreConnectionId = Schema.is(StoreConnectionId)

const readStoreIds = valueReader(nonEmptyList(StoreConnectionId), "Expected 1 to 50 ids of store connections")

const knownToStoreCondition = knownCondition("known_to_store")

/** Matches contacts that a store knows: as a customer, by a counted order, or by an open cart. */
const storeField = defineFilterField({
  name: "store",
  type: "ids",
  permission: "commerce.read",
  conditions: ["known_to_store"],
  operators: () => ({
    any_of: (value, fail) => readStoreIds(value, fail, (ids) => knownToStoreCondition(...ids)),
    none_of: (value, fail) => readStoreIds(value, fail, (ids) => negateFilter(knownToStoreCondition(...ids)))
  }),
  names: "store connection",
  find: Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
    const found = yield* (yield* StoreConnections).find(ids.filter((id) => isStoreConnectionId(id)))
    return found.map(({ id }) => id)
  })
})

/** Filter fields for the store data of contacts. */
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
