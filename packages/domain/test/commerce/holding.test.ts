import { assert, layer } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  type ContactId,
  createContact,
  deleteContact,
  eraseContact,
  mergeContacts,
  unmergeContacts
} from "@parley/domain/crm"
import {
  customerIdentity,
  getContactCommerce,
  getStoreCustomer,
  linkStoreCustomer,
  listCarts,
  listOrders,
  StoreCustomers
} from "@parley/domain/commerce"
import { exportContact, readTimeline } from "@parley/domain/composition"
import { asOperatorOf, givenCommerce, givenOrganization, TestKit } from "@parley/testkit"
import { Effect } from "effect"

const firstPage = { limit: 10, cursor: null }
const anything = { storeConnectionId: null, contactId: null, updatedSince: null, q: null }

const orders = listOrders({ page: firstPage })
const carts = listCarts({ ...anything, state: null, page: firstPage })

/** A contact who is the customer of a store. */
const given = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const commerce = yield* givenCommerce(organization)
  const { id } = yield* createContact({ name: "Ada" }).pipe(asOperatorOf(organization))
  yield* linkStoreCustomer({ id: commerce.customer.id, contactId: id }).pipe(asOperatorOf(organization))
  return { organization, id, ...commerce }
})

const contactOfAll = (id: ContactId) =>
  Effect.map(getContactCommerce({ id }), ({ carts: open, customers, orders: placed }) => [
    customers.length,
    placed.length,
    open.length
  ])

layer(TestKit.layer)("store data of contacts", (it) => {
  it.effect("goes with a merge, and back when that is undone", () =>
    Effect.gen(function* () {
      const { id, organization } = yield* given
      yield* Effect.gen(function* () {
        const { id: other } = yield* createContact({ name: "Ada L." })
        const { mergeId } = yield* mergeContacts({ id: other, contactId: id, ifVersion: null })
        assert.deepStrictEqual(yield* contactOfAll(other), [1, 1, 1])
        yield* unmergeContacts({ id: other, mergeId, ifVersion: null })
        assert.deepStrictEqual(yield* contactOfAll(other), [0, 0, 0])
        assert.deepStrictEqual(yield* contactOfAll(id), [1, 1, 1])
      }).pipe(asOperatorOf(organization))
    })
  )

  it.effect("is in the timeline and in the export", () =>
    Effect.gen(function* () {
      const { id, organization } = yield* given
      yield* Effect.gen(function* () {
        const { data } = yield* readTimeline({ id, page: firstPage })
        assert.sameMembers(
          data.map(({ kind }) => kind),
          ["order", "cart"]
        )
        const exported = yield* exportContact({ id })
        assert.deepStrictEqual(
          [exported.storeCustomers.length, exported.orders.length, exported.carts.length, exported.complete],
          [1, 1, 1, true]
        )
      }).pipe(asOperatorOf(organization))
    })
  )

  it.effect("stays in the store without a link after the deletion of the contact", () =>
    Effect.gen(function* () {
      const { customer, id, organization } = yield* given
      yield* Effect.gen(function* () {
        yield* deleteContact({ id, ifVersion: null })
        assert.deepInclude(yield* getStoreCustomer({ id: customer.id }), {
          contactId: null,
          linkedBy: null,
          name: "Katherine Johnson"
        })
        assert.deepStrictEqual(
          [...(yield* orders).data, ...(yield* carts).data].map(({ contactId }) => contactId),
          [null, null]
        )
      }).pipe(asOperatorOf(organization))
    })
  )

  it.effect("is counted when the person is erased, and says nothing personal any more", () =>
    Effect.gen(function* () {
      const { connection, customer, id, organization } = yield* given
      yield* Effect.gen(function* () {
        yield* eraseContact({ id, ifVersion: null })
        assert.strictEqual((yield* Effect.flip(getStoreCustomer({ id: customer.id })))._tag, "NotFound")
        const [kept] = yield* transact((yield* StoreCustomers).lock(connection.id, [customer.externalId]))
        assert.deepInclude(kept?.customer, { name: null, phone: null, email: null, contactId: null })
        assert.isNotNull(kept?.closedAt)
        assert.lengthOf((yield* orders).data, 1)
        assert.lengthOf((yield* carts).data, 0)
      }).pipe(asOperatorOf(organization))
    })
  )

  it.effect("follows the assigned customer, also an explicit assignment to no contact", () =>
    Effect.gen(function* () {
      const { connection, customer, id, organization } = yield* given
      yield* Effect.gen(function* () {
        const { id: other } = yield* createContact({ name: "Ben" })
        const moved = yield* linkStoreCustomer({ id: customer.id, contactId: other })
        assert.deepInclude(moved, { contactId: other, linkedBy: "manual" })
        assert.deepStrictEqual(
          [yield* contactOfAll(id), yield* contactOfAll(other)],
          [
            [0, 0, 0],
            [1, 1, 1]
          ]
        )
        const identity = customerIdentity(connection.provider, connection.shopId ?? "", customer.externalId)
        const taken = yield* Effect.flip(
          createContact({ name: "Cleo", identities: [{ kind: "store_customer", value: identity.value }] })
        )
        assert.deepInclude(taken, { _tag: "ContactExists", contactId: other })
        const parted = yield* linkStoreCustomer({ id: customer.id, contactId: null })
        assert.deepInclude(parted, { contactId: null, linkedBy: "manual" })
        assert.deepStrictEqual(yield* contactOfAll(other), [0, 0, 0])
      }).pipe(asOperatorOf(organization))
    })
  )
})
