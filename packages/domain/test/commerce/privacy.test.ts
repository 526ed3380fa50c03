import { assert, describe } from "@effect/vitest"
import { IdempotencyKeys, transact } from "@parley/domain/kernel"
import { InboundDeliveries, runDueJobs } from "@parley/domain/platform"
import { Contacts, updateContact } from "@parley/domain/crm"
import {
  completePrivacyRequest,
  listCarts,
  listOrders,
  listPrivacyRequests,
  listStoreCustomers,
  receiveCarts,
  receiveCustomers,
  receiveOrders,
  receiveStoreDelivery,
  removeStoreConnection,
  type StoreConnection,
  StoreConnections,
  type StoreSignal,
  sweepPrivacyRequests,
  sweepUninstalled,
  updateStoreConnection
} from "@parley/domain/commerce"
import { exportPrivacyRequest, layerJobKinds, processDueDeliveries } from "@parley/domain/composition"
import { asOperatorOf, givenOrganization, givenShop, type Of, StoreScript } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { traced } from "../crm/traces.ts"
import { cartRecord, customerRecord, orderRecord } from "./given.ts"
import { test } from "./stage.ts"

const page = { limit: 100, cursor: null }
const anything = { storeConnectionId: null, contactId: null, updatedSince: null, q: null }

const person = {
  externalCustomerId: "c1",
  phone: "+49 170 1234567",
  email: "ada@example.com"
}

const redactCustomer: StoreSignal = { kind: "redact_customer", ...person, externalOrderIds: ["o9"] }

const works = Effect.provide(runDueJobs, layerJobKinds)

/** A shop with a customer who has a contact, and with orders and carts of the customer and a guest. */
const givenStage = Effect.gen(function* () {
  yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2026-03-01T08:00:00Z")))
  const organization = yield* givenOrganization()
  const inside = asOperatorOf(organization)
  const connection = yield* givenShop(organization)
  const script = yield* StoreScript
  yield* Effect.gen(function* () {
    yield* updateStoreConnection({ id: connection.id, makeContacts: "reachable", ifVersion: null })
    yield* receiveCustomers(connection, [customerRecord()])
    yield* receiveOrders(connection, [
      orderRecord({ phone: "+491701234567", email: "ada@example.com" }),
      orderRecord({ externalId: "o9", externalCustomerId: null, email: "ada@example.com" })
    ])
    yield* receiveCarts(connection, [
      cartRecord({ externalCustomerId: "c1" }),
      cartRecord({ externalId: "k2", token: "t2" }),
      cartRecord({ externalId: "k3", token: "t3", phone: "+49 170 7654321" })
    ])
  }).pipe(inside, Effect.orDie)
  const delivers = (...signals: ReadonlyArray<StoreSignal>) =>
    Effect.andThen(
      receiveStoreDelivery({ path: ["shopify"], ...script.deliver(connection.shopDomain, "a topic", signals) }),
      processDueDeliveries
    )
  return { organization, inside, connection, delivers, script }
})

const known = Effect.fnUntraced(function* (organization: Of) {
  return yield* Effect.gen(function* () {
    const customers = (yield* listStoreCustomers({ ...anything, page })).data
    const orders = (yield* listOrders({ page })).data
    const carts = (yield* listCarts({ ...anything, state: null, page })).data
    return { customers, orders, carts }
  }).pipe(asOperatorOf(organization), Effect.orDie)
})

const contactsOf = (organization: Of, externalId: string, { provider, shopId }: StoreConnection) =>
  Effect.flatMap(Contacts, (contacts) =>
    contacts.findByIdentity([{ kind: "store_customer", value: `${provider}/${shopId}/${externalId}` }])
  ).pipe(asOperatorOf(organization))

const requestsOf = (organization: Of) =>
  Effect.map(listPrivacyRequests({ page }), ({ data }) => data).pipe(asOperatorOf(organization), Effect.orDie)

const typesOf = (events: ReadonlyArray<{ readonly type: string }>) =>
  events.map(({ type }) => type).filter((type) => type.startsWith("privacy_request.") || type === "contact.deleted")

describe("a request of a shop about personal data", () => {
  test("forgets a customer: the person, the carts, and a contact who is known from there only", () =>
    Effect.gen(function* () {
      const { connection, delivers, organization } = yield* givenStage
      const [contact] = yield* contactsOf(organization, "c1", connection)
      assert.isDefined(contact)
      const { events } = yield* traced(organization, Effect.andThen(delivers(redactCustomer), works))
      assert.deepStrictEqual(typesOf(events), ["privacy_request.received", "contact.deleted", "privacy_request.done"])
      const left = yield* known(organization)
      assert.lengthOf(left.customers, 0)
      assert.lengthOf(left.orders, 2)
      assert.deepStrictEqual(
        left.carts.map(({ externalId }) => externalId),
        ["k3"]
      )
      assert.lengthOf(yield* contactsOf(organization, "c1", connection), 0)
      const [request] = yield* requestsOf(organization)
      assert.deepInclude(
        { ...request },
        { state: "done", counts: { customers: 1, orders: 2, carts: 2, contacts: 1 }, contactId: null }
      )
      const texts = JSON.stringify(left)
      for (const word of ["ada@example.com", "1234567", "Lovelace"]) assert.notInclude(texts, word)
      // No sync brings the person back.
      yield* receiveCustomers(connection, [customerRecord({ updatedAt: yield* DateTime.now })]).pipe(
        asOperatorOf(organization)
      )
      assert.lengthOf((yield* known(organization)).customers, 0)
    }))

  test("leaves a contact who has said more elsewhere, without what the shop knew it by", () =>
    Effect.gen(function* () {
      const { connection, delivers, inside, organization } = yield* givenStage
      const [contact] = yield* contactsOf(organization, "c1", connection)
      const id = contact?.id ?? assert.fail()
      const other = yield* givenShop(yield* givenOrganization())
      assert.notStrictEqual(other.id, connection.id)
      yield* receiveCustomers(connection, [customerRecord({ externalId: "c2" })]).pipe(inside)
      yield* updateContact({ id, name: "Ada", ifVersion: null }).pipe(inside)
      yield* delivers(redactCustomer)
      yield* works
      const [left] = yield* (yield* Contacts).find([id]).pipe(inside)
      assert.strictEqual(left?.name, "Ada")
      assert.lengthOf(yield* contactsOf(organization, "c1", connection), 0)
      assert.lengthOf(yield* contactsOf(organization, "c2", connection), 1)
    }))

  test("withdraws stored answers with data of contacts, also when the contact stays", () =>
    Effect.gen(function* () {
      const { connection, delivers, inside, organization } = yield* givenStage
      const [contact] = yield* contactsOf(organization, "c1", connection)
      yield* receiveCustomers(connection, [customerRecord({ externalId: "c2" })]).pipe(inside)
      const keys = yield* IdempotencyKeys
      const owner = { organizationId: organization.id, actor: "user:1", key: "key" }
      yield* keys.claim(owner).pipe(
        Effect.flatMap((claim) =>
          keys.store(owner, claim, { fingerprint: "f", sealedAnswer: "Ada", mayHoldContactData: true })
        ),
        transact
      )
      yield* Effect.andThen(delivers(redactCustomer), works)
      assert.lengthOf(yield* (yield* Contacts).find([contact?.id ?? assert.fail()]).pipe(inside), 1)
      const { stored } = yield* transact(keys.claim(owner))
      assert.deepStrictEqual({ ...stored }, { fingerprint: "f", sealedAnswer: null })
    }))

  test("forgets what was delivered of the person", () =>
    Effect.gen(function* () {
      const { delivers, inside } = yield* givenStage
      yield* delivers({ kind: "changed", record: "customers", externalId: "c1" })
      yield* TestClock.adjust("1 minute")
      yield* delivers(redactCustomer)
      yield* works
      const deliveries = yield* InboundDeliveries
      const all = yield* deliveries.list(null, { limit: 10, after: null }).pipe(inside)
      assert.lengthOf(all, 2)
      for (const { id } of all) {
        const { body } = yield* Effect.orDie(deliveries.get(id)).pipe(inside)
        assert.lengthOf(body, 0)
      }
    }))

  test("is handed over by a member after it is ready", () =>
    Effect.gen(function* () {
      const { connection, delivers, inside, organization } = yield* givenStage
      const [contact] = yield* contactsOf(organization, "c1", connection)
      yield* delivers({ kind: "data_request", requestId: "7", ...person, externalOrderIds: ["o9", "o404"] })
      const [open] = yield* requestsOf(organization)
      const id = open?.id ?? assert.fail()
      const early = yield* Effect.flip(completePrivacyRequest({ id }).pipe(inside))
      assert.deepInclude({ ...early }, { _tag: "PrivacyRequestStatusInvalid", requestState: "open" })
      assert.strictEqual(
        (yield* Effect.flip(exportPrivacyRequest({ id }).pipe(inside)))._tag,
        "PrivacyRequestStatusInvalid"
      )
      yield* works
      const exported = yield* exportPrivacyRequest({ id }).pipe(inside)
      const { complete, contact: reported, customers, orders, privacyRequest } = exported
      assert.isTrue(complete)
      assert.deepStrictEqual([privacyRequest.state, privacyRequest.contactId], ["ready", contact?.id ?? null])
      assert.deepStrictEqual([reported?.contact.id, reported?.orders.length], [contact?.id, 2])
      assert.deepStrictEqual(
        customers.map(({ externalId }) => externalId),
        ["c1"]
      )
      assert.sameMembers(
        orders.map(({ externalId }) => externalId),
        ["o1", "o9"]
      )
      const { events } = yield* traced(organization, completePrivacyRequest({ id }).pipe(inside))
      assert.deepStrictEqual(typesOf(events), ["privacy_request.done"])
      assert.strictEqual(
        (yield* Effect.flip(completePrivacyRequest({ id }).pipe(inside)))._tag,
        "PrivacyRequestStatusInvalid"
      )
    }))

  test("hands over the requested orders of a guest who is no contact", () =>
    Effect.gen(function* () {
      const { connection, delivers, inside, organization } = yield* givenStage
      const other = orderRecord({ externalId: "o10", externalCustomerId: null, email: "grace@example.com" })
      yield* receiveOrders(connection, [other]).pipe(inside)
      const guest = { externalCustomerId: null, phone: null, email: "grace@example.com" }
      yield* delivers({ kind: "data_request", requestId: "8", ...guest, externalOrderIds: ["o10"] })
      yield* works
      const [request] = yield* requestsOf(organization)
      assert.deepInclude({ ...request }, { state: "ready", counts: { customers: 0, orders: 1, contacts: 0 } })
      const id = request?.id ?? assert.fail()
      const { contact, customers, orders } = yield* exportPrivacyRequest({ id }).pipe(inside)
      assert.deepStrictEqual(
        [contact, customers.length, orders.map(({ externalId }) => externalId)],
        [null, 0, ["o10"]]
      )
    }))

  test("erases a whole removed shop and nothing of a reconnected one", () =>
    Effect.gen(function* () {
      const { connection, delivers, organization } = yield* givenStage
      yield* delivers({ kind: "redact_shop" })
      yield* works
      assert.deepInclude({ ...(yield* requestsOf(organization))[0] }, { state: "ignored" })
      assert.lengthOf((yield* known(organization)).orders, 2)
      yield* TestClock.adjust("1 minute")
      yield* delivers({ kind: "uninstalled", at: null })
      yield* TestClock.adjust("48 hours")
      yield* delivers({ kind: "redact_shop" })
      yield* works
      const left = yield* known(organization)
      assert.deepStrictEqual([left.customers.length, left.orders.length, left.carts.length], [0, 0, 0])
      assert.deepInclude({ ...(yield* requestsOf(organization))[0] }, { state: "done" })
      assert.lengthOf(yield* contactsOf(organization, "c1", connection), 0)
    }))

  test("is made once by a delivery, and done again if its job was lost", () =>
    Effect.gen(function* () {
      const { delivers, inside, organization } = yield* givenStage
      yield* delivers(redactCustomer, redactCustomer)
      assert.lengthOf(yield* requestsOf(organization), 1)
      yield* TestClock.adjust("29 minutes")
      assert.lengthOf((yield* traced(organization, sweepPrivacyRequests.pipe(inside))).events, 0)
      yield* TestClock.adjust("1 minute")
      const { events } = yield* traced(organization, sweepPrivacyRequests.pipe(inside))
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["job.started"]
      )
      yield* works
      assert.deepInclude({ ...(yield* requestsOf(organization))[0] }, { state: "done" })
    }))

  test("is reported as due once, a week before", () =>
    Effect.gen(function* () {
      const { delivers, inside, organization } = yield* givenStage
      yield* delivers({ kind: "data_request", requestId: null, ...person, externalOrderIds: [] })
      yield* works
      yield* TestClock.adjust("22 days")
      assert.lengthOf((yield* traced(organization, sweepPrivacyRequests.pipe(inside))).events, 0)
      yield* TestClock.adjust("1 day")
      const { events } = yield* traced(organization, Effect.repeat(sweepPrivacyRequests, { times: 1 }).pipe(inside))
      assert.deepStrictEqual(typesOf(events), ["privacy_request.due"])
    }))
})

describe("a store that is left", () => {
  test("is taken out of the shop and forgotten, with its connection", () =>
    Effect.gen(function* () {
      const { connection, inside, organization, script } = yield* givenStage
      yield* removeStoreConnection({ id: connection.id, ifVersion: null }).pipe(inside)
      assert.strictEqual(yield* script.calls("uninstall"), 1)
      const { events } = yield* traced(organization, works)
      assert.deepInclude(events, { type: "store_connection.removed", storeConnectionId: connection.id })
      const left = yield* known(organization)
      assert.deepStrictEqual([left.customers.length, left.orders.length, left.carts.length], [0, 0, 0])
      const error = yield* Effect.flip((yield* StoreConnections).get(connection.id).pipe(inside))
      assert.strictEqual(error._tag, "NotFound")
      assert.lengthOf(yield* contactsOf(organization, "c1", connection), 0)
    }))

  test("is kept for thirty days after the app is gone there", () =>
    Effect.gen(function* () {
      const { connection, delivers, inside, organization } = yield* givenStage
      yield* TestClock.adjust("1 minute")
      yield* delivers({ kind: "uninstalled", at: null })
      yield* TestClock.adjust("29 days")
      yield* sweepUninstalled.pipe(inside)
      assert.lengthOf((yield* known(organization)).orders, 2)
      yield* TestClock.adjust("1 day")
      yield* sweepUninstalled.pipe(inside)
      assert.lengthOf((yield* known(organization)).orders, 0)
      const error = yield* Effect.flip((yield* StoreConnections).get(connection.id).pipe(inside))
      assert.strictEqual(error._tag, "NotFound")
    }))
})
