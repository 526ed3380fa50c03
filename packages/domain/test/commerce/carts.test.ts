import { assert, describe, it } from "@effect/vitest"
import {
  type CartProgress,
  cartDueAt,
  expireCart,
  completeCart,
  OrderId,
  cartAfterSilence,
  hasReportableAbandonment,
  applyCartReport
} from "@parley/domain/commerce"
import { DateTime, Schema } from "effect"
import { at, cartRecord, dawn, shuffled } from "./given.ts"

const orderId = OrderId.make("01985d5c-0000-7000-8000-000000000001")
const minutes = 60
const around = { minutes, isReachable: true, hasLaterOrder: false }
const days = (count: number) => DateTime.add(dawn, { days: count })

const begun = applyCartReport(null, cartRecord())
const abandoned = cartAfterSilence(begun, at(60), around)

describe("a cart", () => {
  it("is abandoned after the idle time if it has items and a reachable contact", () => {
    assert.strictEqual(cartAfterSilence(begun, at(59), around), begun)
    assert.deepInclude(abandoned, { state: "abandoned", abandonedAt: at(60) })
    for (const other of [{ isReachable: false }, { hasLaterOrder: true }]) {
      assert.strictEqual(cartAfterSilence(begun, at(60), { ...around, ...other }).state, "active")
    }
    assert.strictEqual(
      cartAfterSilence(applyCartReport(null, cartRecord({ lines: [] })), at(60), around).state,
      "active"
    )
    assert.deepStrictEqual(cartDueAt(begun, minutes), at(60))
    assert.deepStrictEqual(cartDueAt(abandoned, minutes), days(30))
  })

  it("is recovered by an order after it was abandoned, and else completed by one", () => {
    assert.deepInclude(completeCart(begun, orderId, at(5)), { state: "completed", orderId, closedAt: at(5) })
    assert.deepInclude(completeCart(abandoned, orderId, at(70)), { state: "recovered", orderId, closedAt: at(70) })
    const completedAt = at(70)
    const result = applyCartReport(abandoned, cartRecord({ completedAt, updatedAt: completedAt }))
    assert.deepInclude(result, { state: "recovered", orderId: null, closedAt: completedAt })
    assert.deepInclude(completeCart(result, orderId, at(71)), { state: "recovered", orderId, closedAt: completedAt })
  })

  it("is active again with activity, but not once something was ordered from it", () => {
    const again = applyCartReport(abandoned, cartRecord({ updatedAt: at(90) }))
    assert.deepInclude(again, { state: "active", abandonedAt: null })
    const ordered = completeCart(begun, orderId, at(5))
    assert.strictEqual(applyCartReport(ordered, cartRecord({ updatedAt: at(90) })).state, "completed")
    assert.strictEqual(applyCartReport(abandoned, cartRecord()).state, "abandoned")
    assert.strictEqual(applyCartReport(expireCart(begun, at(1)), cartRecord({ updatedAt: at(90) })).state, "active")
  })

  it("expires after thirty silent days, or when the shop does not have it any more", () => {
    assert.strictEqual(
      cartAfterSilence(abandoned, DateTime.subtract(days(30), { seconds: 1 }), around).state,
      "abandoned"
    )
    assert.deepInclude(cartAfterSilence(abandoned, days(30), around), { state: "expired", closedAt: days(30) })
    assert.strictEqual(cartAfterSilence(begun, days(31), around).state, "expired")
    assert.strictEqual(expireCart(abandoned, at(61)).state, "expired")
    const ordered = completeCart(begun, orderId, at(5))
    assert.strictEqual(expireCart(ordered, at(6)), ordered)
    assert.strictEqual(cartAfterSilence(ordered, days(40), around), ordered)
    assert.isNull(cartDueAt(ordered, minutes))
  })

  it("is reported as abandoned once a day", () => {
    assert.isTrue(hasReportableAbandonment(begun, abandoned))
    assert.isFalse(hasReportableAbandonment(abandoned, abandoned))
    const result = { ...abandoned, toldAt: at(60) }
    const again = applyCartReport(result, cartRecord({ updatedAt: at(90) }))
    assert.isFalse(hasReportableAbandonment(again, cartAfterSilence(again, at(150), around)))
    const late = applyCartReport(result, cartRecord({ updatedAt: days(1) }))
    assert.isTrue(hasReportableAbandonment(late, cartAfterSilence(late, DateTime.add(days(1), { hours: 1 }), around)))
  })

  it.prop(
    "has one result for every order and repetition of reports",
    {
      reports: Schema.Array(Schema.Literals([0, 1, 2, 3])).check(Schema.isBetweenLength(1, 6)),
      completed: Schema.Literals([1, 2, 3, 4]),
      draws: Schema.Array(Schema.Int).check(Schema.isBetweenLength(6, 6))
    },
    ({ completed, draws, reports: reported }) => {
      // A cart that a shop has reported as completed stays completed.
      const recordAt = (minute: number) =>
        cartRecord({ updatedAt: at(minute), completedAt: minute >= completed ? at(completed) : null })
      const course = (order: ReadonlyArray<number>) =>
        order.reduce<CartProgress | null>((before, minute) => applyCartReport(before, recordAt(minute)), null)
      const other = shuffled(reported, draws)
      assert.deepStrictEqual(course([...other, ...other]), course(reported))
      assert.strictEqual(course(reported)?.state, Math.max(...reported) >= completed ? "completed" : "active")
    }
  )
})
