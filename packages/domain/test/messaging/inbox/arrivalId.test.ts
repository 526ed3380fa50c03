import { assert, describe, it } from "@effect/vitest"
import { type Arrival, arrivalId } from "@parley/domain/messaging"
import { among } from "@parley/testkit"
import { Arbitrary, Schema } from "effect"
import { storyEnd } from "./story.ts"

const integers = (minimum: number, maximum: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

/** Like real ids: a time, a counter, and a random part without order. */
const arrivals = Arbitrary.map(
  Arbitrary.all({ time: integers(0, 5), counter: integers(0, 5), position: integers(0, 70_000) }),
  ({ counter, position, time }): Arrival => {
    const random = ((time * 31 + counter * 17) * 2_654_435_761) % 2 ** 32
    return {
      deliveryId: `018f0000-000${time}-7000-8000-000${counter}${random.toString(16).padStart(8, "0")}`,
      at: storyEnd,
      position
    }
  }
)

const texts = among(["wamid.1", "wamid.2", "wamid.3", ""])

describe("the id of a message that came in", () => {
  it.prop(
    "sorts by when its delivery arrived, and then by its place in that",
    { one: arrivals, other: arrivals, first: texts, second: texts },
    ({ first, one, other, second }) => {
      const orderOf = ({ deliveryId, position }: Arrival) =>
        `${deliveryId} ${String(Math.min(position, 65_535)).padStart(5, "0")}`
      if (orderOf(one) === orderOf(other)) return
      assert.strictEqual(arrivalId(one, first) < arrivalId(other, second), orderOf(one) < orderOf(other))
    }
  )

  it("is equal for repeated reports, and different for another message in the same place", () => {
    const arrival = { deliveryId: "018f0000-0000-7000-8000-00000badcafe", at: storyEnd, position: 3 }
    assert.strictEqual(arrivalId(arrival, "wamid.1"), arrivalId(arrival, "wamid.1"))
    assert.notStrictEqual(arrivalId(arrival, "wamid.1"), arrivalId(arrival, "wamid.2"))
  })
})
