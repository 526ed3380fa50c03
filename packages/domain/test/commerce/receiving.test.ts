import { assert, layer } from "@effect/vitest"
import { nextId } from "@parley/domain/kernel"
import { EventLog } from "@parley/domain/platform"
import {
  createContact,
  eraseContact,
  getContact,
  listContacts,
  mergeContacts,
  type ConsentState,
  updateContact
} from "@parley/domain/crm"
import {
  listCarts,
  listOrders,
  listStoreCustomers,
  type CartRecord,
  type MakeContacts,
  receiveCarts,
  receiveCustomers,
  receiveOrders,
  receiveProducts,
  receiveSignals,
  StaleRecords,
  StoreProducts,
  StoreConnectionId
} from "@parley/domain/commerce"
import { asOperatorOf, givenOrganization, givenStore, TestKit } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { at, cartRecord, customerRecord, dawn, lineRecord, orderRecord, productRecord } from "./given.ts"

const firstPage = { limit: 50, cursor: null }
const anything = { storeConnectionId: null, contactId: null, updatedSince: null, q: null }

const customers = Effect.map(listStoreCustomers({ ...anything, page: firstPage }), ({ data }) => data)
const orders = Effect.map(listOrders({ page: firstPage }), ({ data }) => data)
const carts = Effect.map(listCarts({ ...anything, state: null, page: firstPage }), ({ data }) => data)

const contactCount = Effect.map(listContacts({ page: firstPage }), ({ data }) => data.length)

/** Published events about store records, by type. */
const result = Effect.gen(function* () {
  const events = yield* (yield* EventLog).list("all", { limit: 500, after: null })
  return events.flatMap(({ event: { type } }) => (/^(?:customer|order|cart)\./u.test(type) ? [type] : []))
})

const inStore = <A, E, R>(
  use: (store: { readonly id: StoreConnectionId }) => Effect.Effect<A, E, R>,
  overrides: { readonly makeContacts?: MakeContacts; readonly takeConsent?: boolean } = {},
  plan: "free" | "scale" = "scale"
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(DateTime.toEpochMillis(at(60)))
    const organization = yield* givenOrganization({ plan })
    const store = yield* givenStore(organization, { connectedAt: dawn, ...overrides })
    return yield* use(store).pipe(asOperatorOf(organization))
  })

layer(TestKit.layer)("customer reports of a shop", (it) => {
  it.effect("link each customer to the contact with the phone, else the email, and add the customer identity", () =>
    inStore((store) =>
      Effect.gen(function* () {
        const ada = yield* createContact({ name: "Ada", phone: "+491701234567" })
        const ben = yield* createContact({ name: "Ben", email: "ben@example.com" })
        yield* receiveCustomers(store, [
          customerRecord({ externalId: "1", phones: ["0170 1234567"], email: "BEN@example.com" }),
          customerRecord({ externalId: "2", phones: [], email: "ben@example.com" }),
          customerRecord({ externalId: "3", phones: ["nonsense"], email: null })
        ])
        const links = (yield* customers).map(({ conflictContactId, contactId, externalId, linkedBy, phone }) => ({
          conflictContactId,
          contactId,
          externalId,
          linkedBy,
          phone
        }))
        assert.sameDeepMembers(links, [
          { externalId: "1", contactId: ada.id, linkedBy: "phone", conflictContactId: ben.id, phone: "+491701234567" },
          { externalId: "2", contactId: ben.id, linkedBy: "email", conflictContactId: null, phone: null },
          { externalId: "3", contactId: null, linkedBy: null, conflictContactId: null, phone: null }
        ])
        const known = (yield* getContact({ id: ada.id })).identities.filter(({ kind }) => kind === "store_customer")
        assert.lengthOf(known, 1)
        assert.deepInclude(known[0], { value: `shopify/${store.id}/1`, source: "store" })
        assert.deepStrictEqual(yield* result, ["customer.linked", "customer.linked"])
      })
    )
  )

  it.effect("moves no link when the phone changes, and changes nothing when it is older", () =>
    inStore((store) =>
      Effect.gen(function* () {
        const ada = yield* createContact({ name: "Ada", phone: "+491701234567" })
        const ben = yield* createContact({ name: "Ben", phone: "+491701234568" })
        yield* receiveCustomers(store, [customerRecord({ updatedAt: at(5) })])
        const [first] = yield* customers
        yield* receiveCustomers(store, [customerRecord({ updatedAt: at(4), name: "Older", phones: [] })])
        yield* receiveCustomers(store, [customerRecord({ updatedAt: at(5) })])
        assert.deepStrictEqual(yield* customers, first === undefined ? [] : [first])
        yield* receiveCustomers(store, [customerRecord({ updatedAt: at(6), phones: ["+491701234568"] })])
        const [moved] = yield* customers
        assert.deepInclude(moved, { contactId: ada.id, linkedBy: "phone", conflictContactId: ben.id })
        assert.deepInclude(yield* getContact({ id: ada.id }), { phone: "+491701234567", name: "Ada" })
        assert.deepStrictEqual(yield* result, ["customer.linked"])
      })
    )
  )

  it.effect("create contacts on request, once", () =>
    Effect.gen(function* () {
      const records = [
        customerRecord({ externalId: "1" }),
        customerRecord({
          externalId: "2",
          phones: ["+491701234568"],
          email: null,
          smsConsent: { state: "subscribed", at: dawn }
        }),
        customerRecord({ externalId: "3", phones: [], email: "cleo@example.com" }),
        customerRecord({ externalId: "4", phones: ["+491701234568"], email: null })
      ]
      const madeOf = (makeContacts: MakeContacts) =>
        inStore(
          (store) =>
            Effect.gen(function* () {
              yield* receiveCustomers(store, records)
              yield* receiveCustomers(store, records)
              const made = (yield* customers).filter(({ linkedBy }) => linkedBy === "made")
              assert.strictEqual(yield* contactCount, made.length)
              return made.map(({ externalId }) => externalId).toSorted()
            }),
          { makeContacts }
        )
      assert.deepStrictEqual(yield* madeOf("never"), [])
      assert.deepStrictEqual(yield* madeOf("reachable"), ["1", "2"])
      assert.deepStrictEqual(yield* madeOf("subscribed"), ["2"])
    })
  )

  it.effect("create no contact beyond the plan limit and report it", () =>
    inStore(
      (store) =>
        Effect.gen(function* () {
          const many = Array.from({ length: 1_001 }, (_, place) =>
            customerRecord({ externalId: String(place), phones: [`+49170${1_000_000 + place}`], email: null })
          )
          assert.deepStrictEqual(yield* receiveCustomers(store, many.slice(0, 999)), { isFull: false })
          assert.deepStrictEqual(yield* receiveCustomers(store, many.slice(999)), { isFull: true })
          const nobody = (yield* customers).filter(({ contactId }) => contactId === null)
          assert.deepStrictEqual(
            nobody.map(({ externalId }) => externalId),
            ["1000"]
          )
        }),
      { makeContacts: "reachable" },
      "free"
    )
  )

  it.effect("apply marketing consent on request", () =>
    Effect.gen(function* () {
      const record = customerRecord({ smsConsent: { state: "subscribed", at: at(5) } })
      const consentWith = (takeConsent: boolean) =>
        inStore(
          (store) =>
            Effect.gen(function* () {
              const { id } = yield* createContact({ name: "Ada", phone: "+491701234567" })
              yield* receiveCustomers(store, [record])
              return (yield* getContact({ id })).consent
            }),
          { takeConsent }
        )
      assert.deepInclude(yield* consentWith(false), { marketing: "unknown" })
      assert.deepStrictEqual(yield* consentWith(true), { marketing: "subscribed", source: "shopify", changedAt: at(5) })
    })
  )

  it.effect("take the consent to the chat before the one to SMS, and follow its changes", () =>
    inStore(
      (store) =>
        Effect.gen(function* () {
          const { id } = yield* createContact({ name: "Ada", phone: "+491701234567" })
          const consent = Effect.map(getContact({ id }), (contact) => contact.consent)
          const smsConsent = { state: "subscribed", at: at(5) } as const
          const report = (minute: number, state: ConsentState) =>
            receiveCustomers(store, [
              customerRecord({ updatedAt: at(minute), smsConsent, chatConsent: { state, at: at(minute) } })
            ])
          yield* report(6, "unsubscribed")
          assert.deepStrictEqual(yield* consent, { marketing: "unsubscribed", source: "shopify", changedAt: at(6) })
          // A shop that has no consent to the chat any more does not bring back the one to SMS.
          yield* report(7, "unknown")
          assert.deepInclude(yield* consent, { marketing: "unsubscribed" })
          assert.deepInclude((yield* customers)[0], { smsConsent: "subscribed", chatConsent: "unknown" })
          const other = yield* createContact({ name: "Ben", phone: "+491701234568" })
          const chatConsent = { state: "subscribed", at: at(8) } as const
          yield* receiveCustomers(store, [
            customerRecord({ externalId: "ben", phones: ["+491701234568"], email: null, chatConsent })
          ])
          assert.deepStrictEqual((yield* getContact({ id: other.id })).consent, {
            marketing: "subscribed",
            source: "shopify",
            changedAt: at(8)
          })
          // A merge keeps the latest statement of the person.
          yield* mergeContacts({ id, contactId: other.id, ifVersion: null })
          assert.deepInclude(yield* consent, { marketing: "unsubscribed" })
        }),
      { takeConsent: true }
    )
  )

  it.effect.each([
    { chat: ["subscribed", 5], sms: ["unsubscribed", 6], marketing: "unsubscribed" },
    { chat: ["subscribed", 5], sms: ["unsubscribed", null], marketing: "unsubscribed" },
    { chat: ["subscribed", 6], sms: ["unsubscribed", 5], marketing: "subscribed" },
    { chat: ["unsubscribed", 5], sms: ["subscribed", 6], marketing: "unsubscribed" },
    { chat: ["unknown", null], sms: ["subscribed", 6], marketing: "subscribed" }
  ] as const)("with the consents $chat to the chat and $sms to SMS are $marketing", ({ chat, marketing, sms }) =>
    inStore(
      (store) =>
        Effect.gen(function* () {
          const { id } = yield* createContact({ name: "Ada", phone: "+491701234567" })
          const consentOf = ([state, minute]: readonly [ConsentState, number | null]) => ({
            state,
            at: minute === null ? null : at(minute)
          })
          const chatConsent = consentOf(chat)
          const smsConsent = consentOf(sms)
          yield* receiveCustomers(store, [customerRecord({ updatedAt: at(9), smsConsent, chatConsent })])
          assert.deepInclude((yield* getContact({ id })).consent, { marketing, source: "shopify" })
        }),
      { takeConsent: true }
    )
  )

  it.effect("become contacts with `subscribed` unless the later statement is an SMS opt-out", () =>
    inStore(
      (store) =>
        Effect.gen(function* () {
          const chatConsent = { state: "subscribed", at: at(5) } as const
          const optOut = (externalId: string, phone: string, minute: number) =>
            customerRecord({
              externalId,
              phones: [phone],
              email: null,
              chatConsent,
              smsConsent: { state: "unsubscribed", at: at(minute) }
            })
          yield* receiveCustomers(store, [optOut("ada", "+491701234567", 6), optOut("ben", "+491701234568", 4)])
          const linked = (yield* customers).map(({ contactId, externalId }) => [externalId, contactId !== null])
          assert.sameDeepMembers(linked, [
            ["ada", false],
            ["ben", true]
          ])
        }),
      { makeContacts: "subscribed" }
    )
  )

  it.effect("do not recreate an erased contact", () =>
    inStore(
      (store) =>
        Effect.gen(function* () {
          yield* receiveCustomers(store, [customerRecord()])
          const [made] = yield* customers
          if (made?.contactId == null) return assert.fail("No contact was made.")
          yield* eraseContact({ id: made.contactId, ifVersion: null })
          yield* receiveCustomers(store, [customerRecord({ updatedAt: at(9) })])
          yield* receiveOrders(store, [orderRecord({ email: "ada@example.com" })])
          assert.deepStrictEqual([yield* customers, yield* contactCount], [[], 0])
          assert.deepInclude((yield* orders)[0], { contactId: null })
        }),
      { makeContacts: "reachable" }
    )
  )
})

layer(TestKit.layer)("order and cart reports of a shop", (it) => {
  it.effect("follows the customer, or is joined as a guest is known", () =>
    inStore((store) =>
      Effect.gen(function* () {
        const ada = yield* createContact({ name: "Ada", phone: "+491701234567" })
        const ben = yield* createContact({ name: "Ben", email: "ben@example.com" })
        yield* receiveOrders(store, [
          orderRecord({ externalId: "1" }),
          orderRecord({ externalId: "2", externalCustomerId: null, email: "Ben@example.com" }),
          orderRecord({ externalId: "3", externalCustomerId: null })
        ])
        yield* receiveCarts(store, [cartRecord()])
        yield* receiveCustomers(store, [customerRecord()])
        yield* receiveOrders(store, [orderRecord({ externalId: "4" })])
        const owners = Object.fromEntries((yield* orders).map(({ contactId, externalId }) => [externalId, contactId]))
        assert.deepStrictEqual(owners, { 1: ada.id, 2: ben.id, 3: null, 4: ada.id })
        assert.deepInclude((yield* carts)[0], { contactId: ada.id })
        yield* updateContact({ id: ben.id, email: null, ifVersion: null })
        yield* receiveOrders(store, [
          orderRecord({ externalId: "2", externalCustomerId: null, email: "ben@example.com", updatedAt: at(1) })
        ])
        assert.deepInclude(
          (yield* orders).find(({ externalId }) => externalId === "2"),
          { contactId: ben.id }
        )
      })
    )
  )

  it.effect("are published once, except orders from before the connection", () =>
    inStore((store) =>
      Effect.gen(function* () {
        const paid = orderRecord({ paymentStatus: "paid", updatedAt: at(2) })
        yield* receiveOrders(store, [orderRecord({ externalId: "old", placedAt: at(-1) }), orderRecord()])
        yield* receiveOrders(store, [paid, paid])
        yield* receiveOrders(store, [paid, orderRecord({ externalId: "old", placedAt: at(-1), cancelledAt: at(3) })])
        assert.deepStrictEqual(yield* result, ["order.created", "order.paid"])
      })
    )
  )

  it.effect("complete a cart by its order in either sequence", () =>
    inStore((store) =>
      Effect.gen(function* () {
        const order = orderRecord({ checkoutToken: "t1", placedAt: at(10) })
        yield* receiveCarts(store, [cartRecord()])
        yield* receiveSignals(store, [{ kind: "cart_completed", token: "t1" }])
        assert.deepInclude((yield* carts)[0], { state: "completed", orderId: null })
        yield* receiveOrders(store, [order, orderRecord({ externalId: "o2", checkoutToken: "t2" })])
        yield* receiveCarts(store, [cartRecord({ externalId: "k2", token: "t2", updatedAt: at(20) })])
        const placed = (yield* orders).find(({ externalId }) => externalId === "o1")
        const states = (yield* carts).map(({ externalId, state }) => [externalId, state])
        assert.sameDeepMembers(states, [
          ["k1", "completed"],
          ["k2", "completed"]
        ])
        assert.deepInclude(
          (yield* carts).find(({ externalId }) => externalId === "k1"),
          { orderId: placed?.id ?? null }
        )
      })
    )
  )

  it.effect("keeps how a guest was known where a cart that is read does not say it", () =>
    inStore((store) =>
      Effect.gen(function* () {
        const ada = yield* createContact({ name: "Ada", phone: "+491701234567" })
        yield* receiveCarts(store, [cartRecord()])
        yield* receiveCarts(store, [cartRecord({ phone: null, updatedAt: at(1), lines: [] })])
        const [cart] = yield* carts
        assert.deepInclude(cart, { contactId: ada.id, lines: [] })
      })
    )
  )

  it.effect("are one cart for reports with and without the id of the shop", () =>
    Effect.gen(function* () {
      const image = "https://cdn.example.com/bread.png"
      const delivered = (minutes: number, overrides: Partial<CartRecord> = {}) =>
        cartRecord({ externalId: "t1", updatedAt: at(minutes), ...overrides })
      const read = (minutes: number) =>
        cartRecord({ phone: null, updatedAt: at(minutes), lines: [lineRecord({ imageUrl: image })] })
      for (const reports of [
        [[delivered(0)], [read(1)], [delivered(2)]],
        [[read(0)], [delivered(1)], [delivered(2)]],
        [[delivered(0), read(1)], [delivered(2)]],
        [[delivered(0), read(0), delivered(2)], [read(2)]]
      ]) {
        yield* inStore((store) =>
          Effect.gen(function* () {
            for (const report of reports) yield* receiveCarts(store, report)
            const [cart, ...others] = yield* carts
            assert.isEmpty(others)
            assert.deepInclude(cart, { externalId: "k1", state: "active", lastActivityAt: at(2) })
            yield* receiveSignals(store, [{ kind: "cart_deleted", externalId: "k1" }])
            assert.deepInclude((yield* carts)[0], { state: "expired" })
          })
        )
      }
      yield* inStore((store) =>
        Effect.gen(function* () {
          yield* receiveCarts(store, [read(0)])
          yield* receiveCarts(store, [delivered(1)])
          assert.strictEqual((yield* carts)[0]?.lines[0]?.imageUrl, image)
        })
      )
    })
  )

  it.effect("are two carts for two tokens", () =>
    inStore((store) =>
      Effect.gen(function* () {
        yield* receiveCarts(store, [
          cartRecord({ externalId: "t1" }),
          cartRecord({ externalId: "t2", token: "t2" }),
          cartRecord({ externalId: "k3", token: null })
        ])
        assert.lengthOf(yield* carts, 3)
      })
    )
  )

  it.effect("stays gone, also where that comes first", () =>
    inStore((store) =>
      Effect.gen(function* () {
        const deletions = [
          { kind: "deleted", record: "orders", externalId: "o1" },
          { kind: "deleted", record: "customers", externalId: "c1" },
          { kind: "deleted", record: "products", externalId: "p1" },
          { kind: "cart_deleted", externalId: "k1" }
        ] as const
        for (const turn of ["late", "again"]) {
          yield* receiveSignals(store, deletions)
          yield* receiveOrders(store, [orderRecord()])
          yield* receiveCustomers(store, [customerRecord()])
          yield* receiveProducts(store, [productRecord()])
          yield* receiveCarts(store, [cartRecord()])
          assert.deepStrictEqual([yield* orders, yield* customers], [[], []], turn)
          const products = yield* (yield* StoreProducts).list(anything, { limit: 9, after: null })
          assert.deepStrictEqual(
            products.map(({ product: { status } }) => status),
            ["deleted"]
          )
          assert.deepStrictEqual(
            (yield* carts).map(({ state }) => state),
            ["expired"]
          )
        }
      })
    )
  )

  it.effect("goes to the customer who is kept of two, and is read again", () =>
    inStore((store) =>
      Effect.gen(function* () {
        const ada = yield* createContact({ name: "Ada", phone: "+491701234567" })
        const ben = yield* createContact({ name: "Ben", phone: "+491701234568" })
        yield* receiveCustomers(store, [
          customerRecord(),
          customerRecord({ externalId: "c2", phones: ["+491701234568"], email: null })
        ])
        yield* receiveOrders(store, [orderRecord({ externalCustomerId: "c2" })])
        yield* receiveSignals(store, [{ kind: "customers_merged", keptId: "c1", mergedId: "c2" }])
        assert.deepInclude((yield* orders)[0], { contactId: ada.id })
        assert.deepStrictEqual(
          (yield* customers).map(({ externalId }) => externalId),
          ["c1"]
        )
        assert.deepInclude(yield* getContact({ id: ben.id }), { name: "Ben" })
        const marks = yield* (yield* StaleRecords).oldest(store.id, "orders", 50)
        assert.deepStrictEqual(
          marks.map(({ externalId }) => externalId),
          ["o1"]
        )
        // Data read before the merge comes after it and is read again.
        yield* receiveOrders(store, [orderRecord({ externalCustomerId: "c2", externalId: "o2" })])
        const again = yield* (yield* StaleRecords).oldest(store.id, "orders", 50)
        assert.sameMembers(
          again.map(({ externalId }) => externalId),
          ["o1", "o2"]
        )
      })
    )
  )

  it.effect("is not taken of a store that is not connected", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const store = yield* givenStore(organization, { status: "uninstalled" })
      yield* Effect.gen(function* () {
        assert.isNull(yield* receiveOrders(store, [orderRecord()]))
        assert.isNull(yield* receiveOrders({ id: yield* nextId(StoreConnectionId) }, [orderRecord()]))
        assert.deepStrictEqual(yield* orders, [])
      }).pipe(asOperatorOf(organization))
    })
  )
})
