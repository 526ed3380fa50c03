import { assert, describe, it } from "@effect/vitest"
import { deliverySignature } from "@parley/simulators/store"
import { Effect } from "effect"
import { connect, domain, eventually, simulator, sink, subscribe } from "./harness.ts"

const hour = 3_600_000

/** A shop that reports orders, and their receiver. */
const given = (...statuses: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const running = yield* simulator()
    const { arrivals, url } = yield* sink(...statuses)
    const { access } = yield* connect(running)
    yield* subscribe(running, access, url, "ORDERS_CREATE", "APP_UNINSTALLED")
    const buy = () => running.act({ kind: "buy", shop: domain })
    const idsOf = () => arrivals.map(({ body }) => Number(/"id":(\d+)/u.exec(body)?.[1]))
    return { running, arrivals, buy, idsOf }
  })

describe("The deliveries of the simulated provider", () => {
  it.live("are signed, and tell what happened", () =>
    Effect.gen(function* () {
      const { arrivals, buy, idsOf, running } = yield* given()
      const id = buy()
      yield* eventually(() => arrivals.length === 1)
      assert.deepStrictEqual(idsOf(), [id])
      const [delivery] = running.deliveries()
      const signature = deliverySignature("simulator-client-secret", delivery?.body ?? "")
      assert.strictEqual(delivery?.headers["x-shopify-hmac-sha256"], signature)
      assert.strictEqual(delivery?.headers["x-shopify-topic"], "orders/create")
    })
  )

  it.live("come twice, late, in the reverse order, or not at all, as it is asked", () =>
    Effect.gen(function* () {
      const { arrivals, buy, idsOf, running } = yield* given()
      running.misdeliver({ duplicates: 1 })
      const first = buy()
      yield* eventually(() => arrivals.length === 2)
      assert.deepStrictEqual(idsOf(), [first, first])

      running.misdeliver({ lose: 1 })
      buy()
      const second = buy()
      yield* eventually(() => arrivals.length === 3)
      assert.strictEqual(idsOf()[2], second)

      running.misdeliver({ lateMillis: hour })
      const third = buy()
      assert.isFalse(running.isIdle())
      running.advance(hour)
      yield* eventually(() => arrivals.length === 4)
      assert.strictEqual(idsOf()[3], third)

      running.misdeliver({ reverse: 3 })
      const held = [buy(), buy(), buy()]
      yield* eventually(() => arrivals.length === 7)
      assert.sameMembers(idsOf().slice(4), held)
    })
  )

  it.live("are tried again for four hours, and then the subscription ends", () =>
    Effect.gen(function* () {
      const { arrivals, buy, running } = yield* given(...Array.from({ length: 8 }, () => 500))
      buy()
      for (let attempt = 1; attempt <= 8; attempt += 1) {
        yield* eventually(() => arrivals.length === attempt && running.isUpToDate())
        running.advance(hour * 4)
      }
      yield* eventually(() => !running.subscriptions(domain).some(({ topic }) => topic === "ORDERS_CREATE"))
      assert.deepStrictEqual(
        running.subscriptions(domain).map(({ topic }) => topic),
        ["APP_UNINSTALLED"]
      )
    })
  )

  it.live("end with the app, whose removal comes last; privacy requests continue", () =>
    Effect.gen(function* () {
      const compliance = yield* sink()
      const running = yield* simulator({
        app: { clientId: "simulator-client", clientSecret: "simulator-client-secret", complianceUrl: compliance.url }
      })
      const { access } = yield* connect(running)
      const { arrivals, url } = yield* sink()
      yield* subscribe(running, access, url, "APP_UNINSTALLED", "ORDERS_CREATE")
      running.act({ kind: "uninstall", shop: domain })
      running.act({ kind: "buy", shop: domain })
      running.act({ kind: "redact_shop", shop: domain })
      yield* eventually(() => arrivals.length === 1 && compliance.arrivals.length === 1)
      assert.include(compliance.arrivals[0]?.body, domain)
      assert.isNull(running.scopes(domain))
    })
  )
})
