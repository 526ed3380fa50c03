import { assert, describe, it } from "@effect/vitest"
import { type KeptOrder, OrderId, type OrderRecord, RefundId, StoreConnectionId, toldOrder } from "@parley/domain"
import { at, dawn, eur, orderRecord } from "./given.ts"

const id = "01985d5c-0000-7000-8000-000000000001"
const ids = { id: OrderId.make(id), refundIds: [RefundId.make(id), RefundId.make(id)] }

/** What an order comes to, by minutes after dawn, once a shop has told these of it. */
const grossOf = (...told: ReadonlyArray<Partial<OrderRecord>>) => {
  const order = told.reduce<KeptOrder | null>(
    (before, said, place) =>
      toldOrder(before, orderRecord({ updatedAt: at(place), ...said }), StoreConnectionId.make(id), ids, at(60)),
    null
  )
  return order?.gross.map(({ amountMinor, at: time }) => [
    amountMinor,
    (time.epochMilliseconds - dawn.epochMilliseconds) / 60_000
  ])
}

const refunded = (amountMinor: number) => ({
  refunded: eur(amountMinor),
  refunds: [{ externalId: "r1", amount: eur(amountMinor), at: at(5) }]
})

describe("what an order comes to", () => {
  it("is what it was placed with, and each edit on its time", () => {
    assert.deepStrictEqual(grossOf({}), [[900, 0]])
    assert.deepStrictEqual(grossOf({}, { currentTotal: eur(1_100) }, { currentTotal: eur(1_100) }), [
      [900, 0],
      [200, 1]
    ])
    assert.deepStrictEqual(grossOf({}, { currentTotal: eur(700) }, { currentTotal: eur(1_000) }), [
      [900, 0],
      [-200, 1],
      [300, 2]
    ])
  })

  it("is not lower by what was given back, whether goods came back or not", () => {
    const paid = { paid: eur(900) }
    assert.deepStrictEqual(grossOf(paid, { ...paid, ...refunded(400), currentTotal: eur(500) }), [[900, 0]])
    assert.deepStrictEqual(grossOf(paid, { ...paid, ...refunded(400) }), [[900, 0]])
    const paidLess = { paid: eur(800), currentTotal: eur(800) }
    assert.deepStrictEqual(grossOf({}, paidLess, { ...paidLess, ...refunded(100) }), [
      [900, 0],
      [-100, 1]
    ])
  })

  it("stays as it was when the order is cancelled, and is what it was placed with where nothing else was ever told", () => {
    const cancelled = { cancelledAt: at(3), currentTotal: eur(0) }
    assert.deepStrictEqual(grossOf({}, { currentTotal: eur(800) }, cancelled), [
      [900, 0],
      [-100, 1]
    ])
    assert.deepStrictEqual(grossOf(cancelled), [[900, 0]])
  })

  it("counts what was edited before it was first told with the placing, and no edit as later than now", () => {
    assert.deepStrictEqual(grossOf({ currentTotal: eur(1_000) }), [[1_000, 0]])
    assert.deepStrictEqual(grossOf({}, { currentTotal: eur(1_000), updatedAt: at(90) }), [
      [900, 0],
      [100, 60]
    ])
  })

  it("keeps a hundred edits apart, and adds what comes after them to the last one", () => {
    const gross = grossOf(
      ...Array.from({ length: 120 }, (_, place) => ({ currentTotal: eur(900 + place), updatedAt: at(place / 4) }))
    )
    assert.lengthOf(gross ?? [], 101)
    assert.strictEqual(
      gross?.reduce((sum, [amount = 0]) => sum + amount, 0),
      1_019
    )
  })
})
