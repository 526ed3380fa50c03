import { assert, describe, it } from "@effect/vitest"
import {
  refundedAmount,
  type StoredOrder,
  OrderId,
  type OrderRecord,
  RefundId,
  StoreConnectionId,
  applyOrderReport
} from "@parley/domain/commerce"
import { Schema } from "effect"
import { at, dawn, eur, orderRecord } from "./given.ts"

const id = "01985d5c-0000-7000-8000-000000000001"
const ids = { id: OrderId.make(id), refundIds: [RefundId.make(id), RefundId.make(id)] }

/** An order after these reports of a shop. */
const orderOf = (reports: ReadonlyArray<Partial<OrderRecord>>) =>
  reports.reduce<StoredOrder | null>(
    (before, input, place) =>
      applyOrderReport(
        before,
        orderRecord({ updatedAt: at(place), ...input }),
        StoreConnectionId.make(id),
        ids,
        at(60)
      ),
    null
  )

/** Gross amount of an order, by minutes after dawn, after these reports of the shop. */
const grossOf = (...reports: ReadonlyArray<Partial<OrderRecord>>) => {
  const order = orderOf(reports)
  return order?.gross.map(({ amountMinor, at: time }) => [
    amountMinor,
    (time.epochMilliseconds - dawn.epochMilliseconds) / 60_000
  ])
}

const refunded = (amountMinor: number) => ({
  refunded: eur(amountMinor),
  refunds: [{ externalId: "r1", amount: eur(amountMinor), at: at(5) }]
})

/** Gross amount of an order minus its refunds. */
const netOf = (reports: ReadonlyArray<Partial<OrderRecord>>) => {
  const order = orderOf(reports) ?? assert.fail()
  return order.gross.reduce((sum, { amountMinor }) => sum + amountMinor, 0) - refundedAmount(order.record)
}

const Change = Schema.Struct({
  kind: Schema.Literals(["paid", "settled", "more", "less", "returned", "returned"]),
  amount: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 500 }))
})

describe("the gross amount of an order", () => {
  it("is the original amount plus each edit at its time", () => {
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

  it("ignores refunds with and without returned goods", () => {
    const paid = { paid: eur(900) }
    assert.deepStrictEqual(grossOf(paid, { ...paid, ...refunded(400), currentTotal: eur(500) }), [[900, 0]])
    assert.deepStrictEqual(grossOf(paid, { ...paid, ...refunded(400) }), [[900, 0]])
    const paidLess = { paid: eur(800), currentTotal: eur(800) }
    assert.deepStrictEqual(grossOf({}, paidLess, { ...paidLess, ...refunded(100) }), [
      [900, 0],
      [-100, 1]
    ])
  })

  it("ignores returns of a partly paid order, and follows an edit of one", () => {
    const owed = { paid: eur(900), currentTotal: eur(1_100) }
    const returned = { ...owed, ...refunded(300), currentTotal: eur(800) }
    const edited = [
      [900, 0],
      [200, 1]
    ]
    assert.deepStrictEqual(grossOf({ paid: eur(900) }, owed, returned), edited)
    assert.deepStrictEqual(grossOf({ paid: eur(900) }, owed, returned, returned), edited)
    assert.deepStrictEqual(grossOf({ paid: eur(900) }, owed, returned, { ...returned, paid: eur(1_100) }), edited)
    assert.deepStrictEqual(grossOf({ paid: eur(900) }, owed, returned, { ...returned, currentTotal: eur(700) }), [
      ...edited,
      [-100, 3]
    ])

    const deposit = { paid: eur(200) }
    assert.deepStrictEqual(grossOf(deposit, { ...deposit, ...refunded(100), currentTotal: eur(800) }), [[900, 0]])
    assert.deepStrictEqual(grossOf(deposit, { ...deposit, currentTotal: eur(800) }), [
      [900, 0],
      [-100, 1]
    ])
  })

  it.prop(
    "is the current total plus refunds for every order of returns, edits and payments",
    { changes: Schema.Array(Change).check(Schema.isMaxLength(30)) },
    ({ changes }) => {
      const result: Array<Partial<OrderRecord>> = []
      let [currentTotal, paid, givenBack] = [900, 0, 0]
      const tell = () =>
        result.push({ currentTotal: eur(currentTotal), paid: eur(paid), refunded: eur(givenBack), refunds: [] })
      tell()
      for (const { amount, kind } of changes) {
        if (kind === "paid") paid += amount
        if (kind === "more") currentTotal += amount
        if (kind === "less") currentTotal -= Math.min(amount, currentTotal)
        if (kind === "settled") paid = Math.max(paid, currentTotal + givenBack)
        const returned = Math.min(amount, currentTotal, paid - givenBack)
        if (kind === "returned") {
          currentTotal -= returned
          givenBack += returned
        }
        tell()
        assert.strictEqual(netOf(result), currentTotal)
      }
      // An overpayment is refunded at last, without a return.
      givenBack = Math.max(givenBack, paid - currentTotal)
      tell()
      if (paid - givenBack === currentTotal) assert.strictEqual(netOf(result), currentTotal)
    },
    { arbitrary: { runs: 200, seed: "gross" } }
  )

  it("is unchanged by cancellation, and is the original amount without later reports", () => {
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
