import { assert, describe, it } from "@effect/vitest"
import {
  truncateCart,
  truncateCustomer,
  truncateOrder,
  truncateProduct,
  truncateText,
  markOrderDeleted,
  toHttpsUrl,
  type StoredOrder,
  OrderId,
  orderEvents,
  type OrderRecord,
  RefundId,
  StoreConnectionId,
  applyOrderReport
} from "@parley/domain/commerce"
import { DateTime, Schema } from "effect"
import { at, cartRecord, customerRecord, dawn, eur, lineRecord, orderRecord, productRecord, shuffled } from "./given.ts"

const connection = StoreConnectionId.make("01985d5c-0000-7000-8000-000000000001")
const idAt = (place: number) => `01985d5c-0000-7000-8000-${String(place).padStart(12, "0")}`

let drawn = 100
const fresh = () => ({
  id: OrderId.make(idAt((drawn += 1))),
  refundIds: [0, 1, 2].map(() => RefundId.make(idAt((drawn += 1))))
})

const result = (before: StoredOrder | null, record: OrderRecord) =>
  applyOrderReport(before, record, connection, fresh(), dawn)

const Minutes = Schema.Array(Schema.Literals([0, 1, 2, 3])).check(Schema.isBetweenLength(1, 6))
const Draws = Schema.Array(Schema.Int).check(Schema.isBetweenLength(6, 6))

const recordAt = (minutes: number) =>
  orderRecord({ updatedAt: at(minutes), name: `#${minutes}`, paymentStatus: minutes < 2 ? "pending" : "paid" })

describe("the records of shops", () => {
  it("are reduced to the stored fields", () => {
    const long = "x".repeat(600)
    assert.lengthOf(truncateText(long), 500)
    assert.strictEqual(truncateText("a\0b\ud800"), "ab\ufffd")
    assert.lengthOf(Array.from(truncateText("🥐".repeat(501))), 500)
    const order = truncateOrder(
      orderRecord({
        lines: Array.from({ length: 501 }, () => lineRecord({ title: long, imageUrl: "data:image/png;base64,AA" })),
        statusUrl: "http://ada.example/orders/1",
        adminUrl: "https://ada.myshopify.com/admin/orders/1"
      })
    )
    assert.lengthOf(order.lines, 500)
    assert.lengthOf(order.lines[0]?.title ?? "", 500)
    assert.isTrue(order.truncated)
    assert.isNull(order.statusUrl)
    assert.strictEqual(order.adminUrl, "https://ada.myshopify.com/admin/orders/1")
    assert.isNull(order.lines[0]?.imageUrl)
    assert.isFalse(truncateOrder(orderRecord()).truncated)
    const refunds = Array.from({ length: 101 }, (_, place) => ({ externalId: `${place}`, amount: eur(1), at: dawn }))
    assert.isTrue(truncateOrder(orderRecord({ refunds })).truncated)
    assert.lengthOf(truncateCustomer(customerRecord({ tags: Array.from({ length: 300 }, () => long) })).tags, 250)
    assert.isNull(truncateCart(cartRecord({ recoveryUrl: "javascript:alert(1)" })).recoveryUrl)
    assert.isNull(truncateProduct(productRecord({ url: "/products/1" })).url)
  })

  it.each([
    ["https://ada.example/a?b=c", "https://ada.example/a?b=c"],
    ["https://ada.example:8443?a", "https://ada.example:8443?a"],
    ["https://ada@evil.example", null],
    ["https://ada.example/a b", null],
    ["http://ada.example", null],
    ["https://", null],
    [`https://ada.example/${"a".repeat(2_000)}`, null],
    [null, null]
  ])("have the link of %s as %s", (text, url) => {
    assert.strictEqual(toHttpsUrl(text), url)
  })

  it.prop(
    "have one result for every order and repetition",
    { minutes: Minutes, draws: Draws },
    ({ draws, minutes }) => {
      const newest = Math.max(...minutes)
      const other = shuffled(minutes, draws)
      const kept = [...other, ...other].reduce<StoredOrder | null>(
        (before, each) => result(before, recordAt(each)),
        null
      )
      assert.deepStrictEqual(kept?.record, truncateOrder(recordAt(newest)))
    }
  )

  it("replace a record of the same time, keep their ids, and stay deleted", () => {
    const refund = { externalId: "r1", amount: eur(100), at: at(1) }
    const first = result(null, orderRecord({ refunds: [refund] }))
    const second = result(first, orderRecord({ name: "#again", refunds: [{ ...refund, externalId: "r2" }, refund] }))
    assert.strictEqual(second.record.name, "#again")
    assert.strictEqual(second.id, first.id)
    assert.strictEqual(second.refundIds[1], first.refundIds[0])
    assert.notStrictEqual(second.refundIds[0], first.refundIds[0])
    assert.strictEqual(result(second, orderRecord({ updatedAt: DateTime.subtract(dawn, { seconds: 1 }) })), second)
    const gone = markOrderDeleted(
      result(null, orderRecord({ phone: "+491701234567", email: "ada@example.com" })),
      at(1)
    )
    assert.deepStrictEqual([gone.record.phone, gone.record.email], [null, null])
    assert.strictEqual(result(gone, orderRecord({ updatedAt: at(9) })), gone)
  })

  it.prop(
    "publish each change of an order once for every order and repetition",
    { minutes: Minutes, draws: Draws },
    ({ draws, minutes }) => {
      const other = shuffled(minutes, draws)
      const types: Array<string> = []
      let kept: StoredOrder | null = null
      for (const each of [...other, ...other]) {
        const after: StoredOrder = result(kept, recordAt(each))
        types.push(...orderEvents(kept, after, dawn).map(({ type }) => type))
        kept = after
      }
      const isPaid = minutes.some((each) => each >= 2)
      assert.sameMembers(types, ["order.created", ...(isPaid ? ["order.paid"] : [])])
    }
  )

  it("publish refunds with amounts, and nothing from before the connection", () => {
    const refunds = [{ externalId: "r1", amount: eur(100), at: at(1) }]
    const whole = orderRecord({
      paymentStatus: "partially_refunded",
      fulfilmentStatus: "fulfilled",
      cancelledAt: at(2),
      refunds
    })
    const after = result(null, whole)
    assert.deepStrictEqual(
      orderEvents(null, after, dawn).map(({ type }) => type),
      ["order.created", "order.paid", "order.fulfilled", "order.cancelled", "order.refunded"]
    )
    assert.deepInclude(orderEvents(null, after, dawn).at(-1), { amount: eur(100) })
    assert.lengthOf(orderEvents(null, after, at(1)), 0)
    const again = result(after, { ...whole, refunds: [...refunds, { externalId: "r2", amount: eur(5), at: at(3) }] })
    assert.deepStrictEqual(
      orderEvents(after, again, dawn).map(({ type }) => type),
      ["order.refunded"]
    )
  })
})
