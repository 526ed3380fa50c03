import { assert } from "@effect/vitest"
import { nextId, transact } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import { ContactId } from "@parley/domain/crm"
import { MessageTemplateId } from "@parley/domain/messaging"
import {
  Broadcast,
  BroadcastId,
  toDraft,
  readBroadcastReport,
  RecipientLedger,
  Broadcasts
} from "@parley/domain/campaigns"
import {
  neverSynced,
  type StoredOrder,
  OrderId,
  StoreConnection,
  StoreConnectionId,
  StoreConnections,
  StoreOrders
} from "@parley/domain/commerce"
import { asOperatorOf, givenOrganization } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { test } from "../messaging/inbox/given.ts"
import { orderRecord } from "../commerce/given.ts"

const treated = 40
const heldOut = 200

/** An ended broadcast that held out every second contact with a number below 400, as far as present. */
const givenEnded = Effect.fnUntraced(function* (organization: Organization, fields: Partial<Broadcast> = {}) {
  const now = yield* DateTime.now
  const id = yield* nextId(BroadcastId)
  const broadcast = new Broadcast({
    ...toDraft(id, { name: "Spring", holdOut: 50, upliftDays: 7 }, now, { kind: "operator", name: "test" }),
    status: "completed",
    startedAt: now,
    endedAt: now,
    ...fields
  })
  const contactIds = yield* Effect.forEach(Array.from({ length: treated + heldOut }), () => nextId(ContactId))
  const recipients = contactIds.map((contactId, place) => ({
    contactId,
    address: null,
    variant: place % 2 === 0 ? ("a" as const) : ("b" as const),
    dueAt: null,
    left: place < treated ? null : ({ kind: "held_out" } as const)
  }))
  const store = Effect.gen(function* () {
    yield* (yield* Broadcasts).insert(broadcast)
    yield* (yield* RecipientLedger).list(id, recipients)
  })
  yield* transact(store).pipe(asOperatorOf(organization))
  return { id, contactIds }
})

const givenStore = Effect.fnUntraced(function* (organization: Organization) {
  const now = yield* DateTime.now
  const connection = new StoreConnection({
    id: yield* nextId(StoreConnectionId),
    provider: "shopify",
    shopDomain: "ada.myshopify.com",
    shopId: "1",
    name: "Ada",
    currency: "EUR",
    country: "DE",
    status: "connected",
    scopes: [],
    makeContacts: "never",
    takeConsent: false,
    cartAbandonedAfterMinutes: 60,
    ordersSince: null,
    sync: neverSynced,
    asOf: now,
    fullAsOf: null,
    lastSyncedAt: now,
    lastError: null,
    connectedAt: now,
    uninstalledAt: null,
    removalStartedAt: null,
    retry: null,
    createdAt: now,
    updatedAt: now,
    version: 1
  })
  yield* Effect.flatMap(StoreConnections, (stores) => transact(stores.insert(connection))).pipe(
    asOperatorOf(organization),
    Effect.orDie
  )
  return connection.id
})

const givenOrders = Effect.fnUntraced(function* (
  organization: Organization,
  storeConnectionId: StoreConnectionId,
  contactIds: ReadonlyArray<ContactId>
) {
  const now = yield* DateTime.now
  const orders = yield* Effect.forEach(contactIds, (contactId, place) =>
    Effect.map(nextId(OrderId), (id): StoredOrder => ({
      id,
      storeConnectionId,
      contactId,
      record: orderRecord({ externalId: `o${place}`, placedAt: now, refunds: [] }),
      refundIds: [],
      gross: [],
      deletedAt: null,
      createdAt: now,
      updatedAt: now
    }))
  )
  yield* Effect.flatMap(StoreOrders, (port) => transact(port.put(orders))).pipe(asOperatorOf(organization))
})

test("the uplift is reported from store orders after the attribution days of all recipients, per variant against all held out", () =>
  Effect.gen(function* () {
    const organization = yield* givenOrganization({ plan: "scale" })
    const { contactIds, id } = yield* givenEnded(organization, {
      variants: (["a", "b"] as const).map((key) => ({
        key,
        weight: 50,
        templateId: MessageTemplateId.make("01985d5c-0000-7000-8000-000000000001"),
        variables: {}
      }))
    })
    const stopped = yield* givenEnded(organization, { status: "cancelled" })
    const read = (of: BroadcastId) => readBroadcastReport({ id: of }).pipe(asOperatorOf(organization), Effect.orDie)
    const reasonOf = (of: BroadcastId) => Effect.map(read(of), ({ upliftReason }) => upliftReason)
    assert.strictEqual(yield* reasonOf(id), "no_store")
    const store = yield* givenStore(organization)
    // Half of the intended recipients, all with variant "a", and 20 of those held out.
    const buyers = [
      ...contactIds.slice(0, treated).filter((_, place) => place % 2 === 0),
      ...contactIds.slice(treated, treated + 20)
    ]
    yield* givenOrders(organization, store, buyers)
    yield* TestClock.adjust("167 hours")
    assert.strictEqual(yield* reasonOf(id), "window_open")
    yield* TestClock.adjust("1 hour")
    const { uplift, upliftReason, variants } = yield* read(id)
    assert.isNull(upliftReason)
    assert.deepInclude(uplift, {
      treated: { assigned: 40, converted: 20 },
      heldOut: { assigned: 200, converted: 20 },
      significant: true
    })
    assert.closeTo(uplift?.value ?? 0, 4, 1e-12)
    assert.deepStrictEqual(
      variants?.map((each) => [each.key, each.upliftReason, each.uplift?.treated, each.uplift?.heldOut]),
      [
        ["a", null, { assigned: 20, converted: 20 }, { assigned: 200, converted: 20 }],
        ["b", "too_few", undefined, undefined]
      ]
    )
    assert.strictEqual(yield* reasonOf(stopped.id), "stopped")
  }))
