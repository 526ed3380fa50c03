import { runDueJobs, runDueLanes } from "@parley/domain/platform"
import {
  listCarts,
  listOrders,
  listStoreCustomers,
  StoreConnections,
  type StoreConnection,
  storeLaneWorker,
  StoreProducts
} from "@parley/domain/commerce"
import { layerJobKinds } from "@parley/domain/composition"
import { asOperatorOf, givenOrganization, givenShop, type Of, StoreScript } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { dawn } from "./given.ts"

const page = { limit: 200, cursor: null }
const anything = { storeConnectionId: null, contactId: null, updatedSince: null, q: null }

/** Does all that is due of jobs and of stores, until nothing is. */
export const work = Effect.gen(function* () {
  yield* runDueLanes(storeLaneWorker)
  yield* Effect.provide(runDueJobs, layerJobKinds, { local: true })
  yield* runDueLanes(storeLaneWorker)
})

/** Advances time step by step and runs due work. */
export const later = (minutes: number) =>
  Effect.gen(function* () {
    yield* TestClock.adjust({ minutes })
    yield* work
  })

/** A shop that is connected with these scopes, and not read yet. */
export const givenStageWith = Effect.fnUntraced(function* (scopes?: ReadonlyArray<string>) {
  yield* TestClock.setTime(DateTime.toEpochMillis(dawn))
  const organization = yield* givenOrganization({ plan: "scale" })
  const connection = yield* givenShop(organization, {}, scopes)
  return { organization, connection, shop: connection.shopDomain, script: yield* StoreScript }
})

/** A shop that is connected, and not read yet. */
export const givenStage = givenStageWith()

/** Current data of the store. */
export const storeOf = (organization: Of, { id }: Pick<StoreConnection, "id">) =>
  Effect.flatMap(StoreConnections, (connections) => connections.get(id)).pipe(asOperatorOf(organization))

/** Stored records of the store, by the shop's ids. */
export const known = (organization: Of) =>
  Effect.gen(function* () {
    const orders = (yield* listOrders({ page })).data
    const customers = (yield* listStoreCustomers({ ...anything, page })).data
    const carts = (yield* listCarts({ ...anything, state: null, page })).data
    const products = yield* (yield* StoreProducts).list(anything, { limit: 200, after: null })
    const sorted = (rows: ReadonlyArray<readonly [string, unknown]>) => Object.fromEntries(rows)
    return {
      orders: sorted(orders.map(({ externalId, name, paymentStatus }) => [externalId, [name, paymentStatus]])),
      customers: sorted(customers.map(({ email, externalId, name }) => [externalId, [name, email]])),
      carts: sorted(carts.map(({ externalId, state }) => [externalId, state])),
      products: sorted(products.map(({ product: { externalId, status, title } }) => [externalId, [title, status]]))
    }
  }).pipe(asOperatorOf(organization))
