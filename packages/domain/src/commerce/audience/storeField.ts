import { Effect, Schema } from "effect"
import { defineFilterField, negated, someOf, valueReader } from "../../crm/index.ts"
import { StoreConnectionId } from "../Ids.ts"
import { StoreConnections } from "../StoreConnections.ts"
import { known } from "./known.ts"

const isStoreConnectionId = Schema.is(StoreConnectionId)

const someStores = valueReader(someOf(StoreConnectionId), "Expected 1 to 50 ids of store connections")

const knownTo = known("known_to_store")

/** Which stores know a contact: as a customer, by an order that counts, or by an open cart. */
export const storeField = defineFilterField({
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
