import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { newcombeInterval, type UpliftInput, calculateUplift } from "../../src/campaigns/report/uplift.ts"

const share = (converted: number, assigned: number) => ({ assigned, converted })

const rounded = (interval: ReadonlyArray<number>) => interval.map((end) => Number(end.toFixed(4)))

const Shares = Schema.Struct({
  assigned: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })),
  part: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
})
const madeOf = ({ assigned, part }: typeof Shares.Type) => share(Math.round(assigned * part), assigned)

describe("the interval of a difference", () => {
  // Newcombe 1998, table II, method 10.
  it.each([
    ["56/70 and 48/80", share(56, 70), share(48, 80), [0.0524, 0.3339]],
    ["9/10 and 3/10", share(9, 10), share(3, 10), [0.1705, 0.809]],
    ["6/7 and 2/7", share(6, 7), share(2, 7), [0.0582, 0.8062]],
    ["5/56 and 0/29", share(5, 56), share(0, 29), [-0.0381, 0.1926]],
    ["0/10 and 0/20", share(0, 10), share(0, 20), [-0.1611, 0.2775]],
    ["0/10 and 0/10", share(0, 10), share(0, 10), [-0.2775, 0.2775]],
    ["10/10 and 0/20", share(10, 10), share(0, 20), [0.6791, 1]],
    ["10/10 and 0/10", share(10, 10), share(0, 10), [0.6075, 1]]
  ] as const)("of %s is the published one", (_, one, other, expected) => {
    assert.deepStrictEqual(rounded(newcombeInterval(one, other)), [...expected])
  })

  it.prop("has the difference in it, and turns with the groups", { one: Shares, other: Shares }, ({ one, other }) => {
    const [first, second] = [madeOf(one), madeOf(other)]
    const [low, high] = newcombeInterval(first, second)
    const difference = first.converted / first.assigned - second.converted / second.assigned
    assert.isTrue(low <= difference + 1e-12 && difference <= high + 1e-12)
    assert.isTrue(low >= -1 - 1e-12 && high <= 1 + 1e-12)
    const [turnedLow, turnedHigh] = newcombeInterval(second, first)
    assert.closeTo(turnedLow, -high, 1e-12)
    assert.closeTo(turnedHigh, -low, 1e-12)
  })
})

const measured: UpliftInput = {
  hasHoldOut: true,
  hasStore: true,
  windowClosed: true,
  stopped: false,
  treated: share(285, 9_500),
  heldOut: share(12, 500)
}

describe("an uplift", () => {
  it("is how much larger the share of buyers is among the treated", () => {
    const { uplift } = calculateUplift(measured)
    if (uplift === null) return assert.fail("there is one")
    assert.closeTo(uplift.value, 0.25, 1e-12)
    assert.deepStrictEqual(rounded(uplift.difference), [-0.0118, 0.0168])
    assert.isFalse(uplift.significant)
  })

  it.each([
    ["more", share(400, 1_000), share(300, 1_000), true],
    ["fewer", share(300, 1_000), share(400, 1_000), true],
    ["as many", share(300, 1_000), share(300, 1_000), false]
  ] as const)("is significant where zero is not in the interval: %s", (_, treated, heldOut, expected) => {
    assert.strictEqual(calculateUplift({ ...measured, treated, heldOut }).uplift?.significant, expected)
  })

  it.each([
    ["no_hold_out", { hasHoldOut: false, hasStore: false }],
    ["no_store", { hasStore: false, windowClosed: false }],
    ["window_open", { windowClosed: false, stopped: true }],
    ["stopped", { stopped: true, heldOut: share(0, 0) }],
    ["too_few", { heldOut: share(100, 199) }],
    ["too_few", { heldOut: share(9, 500) }],
    ["too_few", { treated: share(9, 9_500) }]
  ] as const)("is not told: %s", (upliftReason, change) => {
    assert.deepStrictEqual(calculateUplift({ ...measured, ...change }), { uplift: null, upliftReason })
  })

  it("is reported from 200 held out and 10 orders on", () => {
    assert.isNotNull(calculateUplift({ ...measured, heldOut: share(10, 200), treated: share(10, 10) }).uplift)
  })
})
