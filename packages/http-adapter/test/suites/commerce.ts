import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { StoreConnection, StoreConnections } from "@parley/domain/commerce"
import type { Ports } from "@parley/domain/composition"
import { givenCommerce, givenStore } from "@parley/testkit"
import { DateTime, Effect, type Layer } from "effect"
import { assertProblem, at, idsOf, pointersOf, rowsOf } from "../harness/answers.ts"
import { as } from "../harness/crm.ts"
import { givenConversation } from "../harness/inbox.ts"
import { overHttp } from "../harness/service.ts"
import { freshId, givenContact, givenTenant, inside } from "../harness/tenants.ts"

/** Stores and their events. */
export const commerceSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("a store is listed and read with how fresh it is, and its settings are changed", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const { id } = yield* givenStore(tenant.organization)
        const path = `/store_connections/${id}`
        const read = yield* send("GET", path)
        assert.deepStrictEqual(rowsOf(yield* send("GET", "/store_connections")), [read.body])
        assert.deepStrictEqual(idsOf(yield* send("GET", "/store_connections?status=pending")), [])
        assert.deepInclude(read.body, { status: "connected", takeConsent: false, version: 1 })
        assert.strictEqual(at(read.body, "freshness", "state"), "live")
        assert.notProperty(read.body, "shopId")
        const asOf = DateTime.subtract(yield* DateTime.now, { minutes: 21 })
        const { id: old } = yield* givenStore(tenant.organization, { asOf })
        assert.strictEqual(at((yield* send("GET", `/store_connections/${old}`)).body, "freshness", "state"), "stale")
        const changed = yield* send(
          "PATCH",
          path,
          { takeConsent: true, cartAbandonedAfterMinutes: 15 },
          { "if-match": "1" }
        )
        assert.deepInclude(changed.body, { takeConsent: true, cartAbandonedAfterMinutes: 15, version: 2 })
        assert.deepInclude((yield* send("PATCH", path, { takeConsent: true })).body, { version: 2 })
        assertProblem(yield* send("PATCH", path, { takeConsent: false }, { "if-match": "1" }), 412, "version_conflict")
        const wrong = yield* send("PATCH", path, { cartAbandonedAfterMinutes: 14, makeContacts: "always", name: "x" })
        assertProblem(wrong, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(wrong), ["/cartAbandonedAfterMinutes", "/makeContacts", "/name"])
      })
    )

    it.effect("orders, carts, customers and products refer to each other in every sequence of arrival", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const { cart, connection, customer, order, product } = yield* givenCommerce(tenant.organization)
        const shown = yield* send("GET", `/commerce/orders/${order.id}`)
        assert.deepInclude(shown.body, {
          storeConnectionId: connection.id,
          externalId: "o1",
          customerId: customer.id,
          contactId: null,
          total: { amountMinor: 900, currency: "EUR" }
        })
        assert.strictEqual(at(shown.body, "lines", 0, "productId"), product.id)
        assert.strictEqual(at(shown.body, "lines", 0, "externalVariantId"), "v1")
        for (const hidden of ["phone", "email", "checkoutToken", "externalCustomerId"]) {
          assert.notProperty(shown.body, hidden)
        }
        assert.deepStrictEqual(rowsOf(yield* send("GET", "/commerce/orders?paymentStatus=paid&q=%231001")), [
          shown.body
        ])
        assert.deepStrictEqual(idsOf(yield* send("GET", "/commerce/orders?fulfilmentStatus=fulfilled")), [])
        for (const q of ["JOHNSON", "johnsno", "sourdough", "soudrough"]) {
          assert.deepStrictEqual(idsOf(yield* send("GET", `/commerce/orders?q=${q}`)), [order.id], q)
        }
        assert.deepStrictEqual(idsOf(yield* send("GET", "/commerce/orders?placedTo=2000-01-01T00:00:00Z")), [])
        assert.deepStrictEqual(idsOf(yield* send("GET", "/commerce/orders?sort=placedAt&q=nothing+similar")), [])
        const carts = yield* send("GET", `/commerce/carts?state=active&storeConnectionId=${connection.id}`)
        assert.deepStrictEqual(idsOf(carts), [cart.id])
        assert.deepInclude((yield* send("GET", `/commerce/carts/${cart.id}`)).body, {
          customerId: customer.id
        })
        assert.deepStrictEqual(idsOf(yield* send("GET", "/commerce/customers?q=JOHNSON")), [customer.id])
        assert.deepStrictEqual(idsOf(yield* send("GET", "/commerce/products?q=bread-1")), [product.id])
        assert.deepStrictEqual(idsOf(yield* send("GET", `/commerce/products?q=${encodeURIComponent("小明")}`)), [])
        assertProblem(yield* send("GET", "/commerce/products?q=br"), 400, "validation_failed")
        const later = DateTime.formatIso(DateTime.add(connection.createdAt, { seconds: 1 }))
        assert.deepStrictEqual(idsOf(yield* send("GET", `/commerce/products?updatedSince=${later}`)), [])
      })
    )

    it.effect("a list for an unknown resource is refused", () =>
      Effect.gen(function* () {
        const [tenant, other] = [yield* givenTenant(), yield* givenTenant()]
        const send = as(tenant)
        const { id } = yield* givenStore(other.organization)
        const contact = yield* givenContact(other.organization)
        for (const kind of ["orders", "carts", "customers", "products"]) {
          const refused = yield* send("GET", `/commerce/${kind}?storeConnectionId=${id}`)
          assertProblem(refused, 404, "not_found")
          if (kind === "products") continue
          assertProblem(yield* send("GET", `/commerce/${kind}?contactId=${contact.id}`), 404, "not_found")
        }
        assertProblem(yield* send("GET", "/commerce/products?contactId=x"), 400, "validation_failed")
      })
    )

    it.effect("a contact is read across stores, also from a conversation", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const { contactId, id } = yield* givenConversation(tenant.organization)
        const one = yield* givenCommerce(tenant.organization, contactId)
        const two = yield* givenCommerce(tenant.organization, contactId)
        yield* transact(
          (yield* StoreConnections).save(new StoreConnection({ ...one.connection, status: "error" }), null)
        ).pipe(inside(tenant.organization), Effect.orDie)
        const commerce = yield* send("GET", `/contacts/${contactId}/commerce`)
        assert.strictEqual(at(commerce.body, "contactId"), contactId)
        assert.deepStrictEqual(at(commerce.body, "lifetime"), [
          {
            currency: "EUR",
            orderCount: 2,
            spent: { amountMinor: 1_800, currency: "EUR" },
            firstOrderAt: DateTime.formatIso(one.connection.createdAt),
            lastOrderAt: DateTime.formatIso(two.connection.createdAt)
          }
        ])
        assert.deepStrictEqual(
          at(commerce.body, "orders", 0),
          (yield* send("GET", `/commerce/orders/${two.order.id}`)).body
        )
        assert.deepStrictEqual(
          at(commerce.body, "carts", 1),
          (yield* send("GET", `/commerce/carts/${one.cart.id}`)).body
        )
        assert.deepStrictEqual(
          [at(commerce.body, "stores", 0, "freshness", "state"), at(commerce.body, "stores", 1, "freshness", "state")],
          ["frozen", "live"]
        )
        assert.deepStrictEqual((yield* send("GET", `/conversations/${id}/commerce`)).body, commerce.body)
        const fewer = yield* send("GET", `/conversations/${id}/commerce?orders=1`)
        assert.deepStrictEqual(at(fewer.body, "orders"), [at(commerce.body, "orders", 0)])
        for (const orders of ["0", "26", "-1", "1.5", "x"]) {
          assertProblem(yield* send("GET", `/conversations/${id}/commerce?orders=${orders}`), 400, "validation_failed")
        }
      })
    )

    it.effect("a contact without store data has none, and an unknown contact is not found", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        yield* givenCommerce(tenant.organization)
        const { id: contactId } = yield* givenContact(tenant.organization)
        assert.deepStrictEqual((yield* send("GET", `/contacts/${contactId}/commerce`)).body, {
          contactId,
          customers: [],
          lifetime: [],
          orders: [],
          carts: [],
          stores: []
        })
        const nobody = yield* freshId
        assertProblem(yield* send("GET", `/contacts/${nobody}/commerce`), 404, "not_found")
        assertProblem(yield* send("GET", `/conversations/${nobody}/commerce`), 404, "not_found")
      })
    )
  })
