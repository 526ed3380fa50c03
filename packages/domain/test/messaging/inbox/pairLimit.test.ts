import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { type PairState, takePair } from "../../../src/messaging/inbox/sending/pairLimit.ts"

const limit = { burst: 45, intervalMillis: 6_000 }

const Waits = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4_000 }))).check(
  Schema.isMaxLength(300)
)

/** Times of granted messages to a recipient with these waits between attempts. */
const grantedTimes = (waits: ReadonlyArray<number>) => {
  const times: Array<number> = []
  let [now, state]: [number, PairState | null] = [0, null]
  for (const wait of waits) {
    now += wait
    const grant = takePair(state, limit, now)
    if (grant.kind === "granted") {
      state = grant.state
      times.push(now)
    }
  }
  return times
}

describe("the limit of messages to one recipient", () => {
  it("grants a burst of 45 within 6 seconds, and the next one after it is repaid", () => {
    const times = grantedTimes(Array.from({ length: 400 }, (_, index) => (index < 45 ? 100 : 1_000)))
    assert.lengthOf(
      times.filter((at) => at <= 4_500),
      45
    )
    assert.strictEqual(
      times.find((at) => at > 4_500),
      270_500
    )
  })

  it("grants 20 in one moment, and then 2 minutes of silence", () => {
    const states = Array.from({ length: 20 }).reduce<PairState | null>((state) => {
      const grant = takePair(state, limit, 0)
      return grant.kind === "granted" ? grant.state : assert.fail()
    }, null)
    assert.deepStrictEqual(takePair(states, limit, 6_000), { kind: "wait", until: 120_000 })
    assert.strictEqual(takePair(states, limit, 120_000).kind, "granted")
  })

  it("grants a message every 6 seconds without end", () => {
    assert.lengthOf(grantedTimes(Array.from({ length: 100 }, () => 6_000)), 100)
  })

  it.prop(
    "never grants more than one message in 6 seconds on average, after one burst",
    { waits: Waits },
    ({ waits }) => {
      const times = grantedTimes(waits)
      for (const [index, at] of times.entries()) {
        const later = times.slice(index).filter((time) => time - at < 270_000)
        assert.isAtMost(later.length, 45 + 45)
      }
      const last = times.at(-1) ?? 0
      assert.isAtMost(times.length, last / limit.intervalMillis + limit.burst)
    }
  )

  it.prop("reports the time at which the next message is granted", { waits: Waits }, ({ waits }) => {
    let [now, state]: [number, PairState | null] = [0, null]
    for (const wait of waits) {
      now += wait
      const grant = takePair(state, limit, now)
      if (grant.kind === "granted") state = grant.state
      else {
        assert.isAbove(grant.until, now)
        assert.strictEqual(takePair(state, limit, grant.until - 1).kind, "wait")
        assert.strictEqual(takePair(state, limit, grant.until).kind, "granted")
      }
    }
  })
})
