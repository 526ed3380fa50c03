import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createHmac } from "node:crypto"
import {
  ada,
  appSecret,
  type Arrival,
  businessId,
  call,
  eventually,
  pass,
  phoneId,
  sendPath,
  simulator,
  sink,
  text
} from "./harness.ts"

const isSigned = ({ body, signature }: Arrival) =>
  signature === `sha256=${createHmac("sha256", appSecret).update(body).digest("hex")}`

const statusesIn = (arrivals: ReadonlyArray<Arrival>) =>
  arrivals.flatMap(({ body }) => Array.from(body.matchAll(/"status":"(\w+)"/gu), ([, status]) => status))

describe("The simulated provider's deliveries", () => {
  it.live("report signed message states at their times", () =>
    Effect.gen(function* () {
      const { arrivals, url } = yield* sink()
      const provider = yield* simulator({ webhook: { url, appSecret } })
      provider.write(phoneId, ada, { type: "text", text: "Grüße 🥐 a/b" })
      yield* eventually(() => arrivals.length === 1)
      yield* call(provider, sendPath, text(ada, { biz_opaque_callback_data: "our id" }))
      for (const [millis, statuses] of [
        [49, []],
        [1, ["sent"]],
        [150, ["sent", "delivered"]],
        [600, ["sent", "delivered", "read"]]
      ] as const) {
        yield* pass(provider, millis)
        assert.deepStrictEqual(statusesIn(arrivals), [...statuses])
      }
      assert.isTrue(arrivals.every(isSigned))
      assert.isTrue(arrivals.slice(1).every(({ body }) => body.includes('"biz_opaque_callback_data":"our id"')))
      assert.include(arrivals[0]?.body, String.raw`Gr\u00fc\u00dfe \ud83e\udd50 a\/b`)
      assert.isTrue(provider.isIdle())
    })
  )

  it.live("are tried again, later and later, until they are answered with 200", () =>
    Effect.gen(function* () {
      const { arrivals, url } = yield* sink(500, 404, 503, 200)
      const provider = yield* simulator({ webhook: { url, appSecret } })
      provider.write(phoneId, ada, { type: "text", text: "Hi" })
      yield* eventually(() => arrivals.length === 2)
      yield* pass(provider, 999)
      assert.lengthOf(arrivals, 2)
      yield* pass(provider, 1)
      assert.lengthOf(arrivals, 3)
      yield* pass(provider, 2_000)
      assert.lengthOf(arrivals, 4)
      yield* pass(provider, 3_600_000)
      assert.lengthOf(arrivals, 4)
      assert.strictEqual(new Set(arrivals.map(({ body }) => body)).size, 1)
      assert.strictEqual(provider.deliveries()[0]?.status, 200)
    })
  )

  it.live("come twice, together, out of order or forged on request", () =>
    Effect.gen(function* () {
      const { arrivals, url } = yield* sink()
      const provider = yield* simulator({ webhook: { url, appSecret } })
      provider.misdeliver({ duplicates: 2 })
      provider.write(phoneId, ada, { type: "text", text: "once" })
      yield* eventually(() => arrivals.length === 3)
      assert.strictEqual(new Set(arrivals.map(({ body }) => body)).size, 1)

      provider.misdeliver({ batch: { most: 5, waitMillis: 100 }, shuffle: true })
      for (const word of ["a", "b", "c"]) provider.write(phoneId, ada, { type: "text", text: word })
      yield* pass(provider, 100)
      assert.lengthOf(arrivals, 4)
      assert.lengthOf(Array.from(arrivals[3]?.body.matchAll(/"wamid\./gu) ?? []), 3)

      provider.misdeliver({ forge: true })
      provider.write(phoneId, ada, { type: "text", text: "forged" })
      yield* eventually(() => arrivals.length === 5)
      assert.deepStrictEqual(arrivals.map(isSigned), [true, true, true, true, false])
    })
  )

  it.live("carry at most 1,000 updates and 3 MB each", () =>
    Effect.gen(function* () {
      const { arrivals, url } = yield* sink()
      const provider = yield* simulator({ webhook: { url, appSecret } })
      provider.misdeliver({ batch: { most: 1_200, waitMillis: 100 } })
      for (let count = 0; count < 1_200; count += 1) provider.write(phoneId, ada, { type: "text", text: "Hi" })
      yield* eventually(() => arrivals.length === 2)
      const sizes = () => arrivals.map(({ body }) => Array.from(body.matchAll(/"field":"messages"/gu)).length)
      assert.deepStrictEqual(sizes().toSorted(), [1_000, 200])
      arrivals.length = 0
      provider.misdeliver({ batch: { most: 5, waitMillis: 100 } })
      for (let count = 0; count < 5; count += 1) {
        provider.write(phoneId, ada, { type: "text", text: "x".repeat(1_000_000) })
      }
      yield* eventually(() => arrivals.length === 2)
      assert.isTrue(arrivals.every(({ body }) => body.length <= 3 * 1_048_576))
    })
  )

  it.live("go where each business account has them sent", () =>
    Effect.gen(function* () {
      const [platform, own] = [yield* sink(), yield* sink()]
      const provider = yield* simulator({ webhook: { url: platform.url, appSecret } })
      provider.addNumber({ phoneId: "201", businessId: "101", displayPhone: "15550100002", accessToken: "other" })
      provider.setWebhook({ url: own.url, appSecret: "own secret" }, "101")
      provider.write(phoneId, ada, { type: "text", text: "Hi" })
      provider.write("201", ada, { type: "text", text: "Hi" })
      yield* eventually(() => platform.arrivals.length === 1 && own.arrivals.length === 1)
      assert.deepStrictEqual([...platform.arrivals, ...own.arrivals].map(isSigned), [true, false])
    })
  )

  it.live("report failures, opt-outs, decisions, customers without a phone, and automatic answers", () =>
    Effect.gen(function* () {
      const { arrivals, url } = yield* sink()
      const provider = yield* simulator({
        webhook: { url, appSecret },
        pairMillis: 0,
        autoReplies: [{ contains: "hello", reply: "Thanks!" }]
      })
      assert.strictEqual((yield* call(provider, sendPath, text(ada))).status, 200)
      yield* pass(provider, 50)
      assert.include(arrivals.at(-1)?.body, '"code":131047')

      const nobody = provider.addCustomer(null, "No Phone")
      provider.write(phoneId, nobody, { type: "text", text: "Hi" })
      yield* eventually(() => arrivals.length === 2)
      assert.notInclude(arrivals[1]?.body, "wa_id")
      const { to: _, ...message } = text("")
      assert.strictEqual((yield* call(provider, sendPath, { ...message, recipient: nobody })).status, 200)
      yield* pass(provider, 2_000)
      yield* pass(provider, 2_000)
      assert.isTrue(arrivals.some(({ body }) => body.includes("Thanks!")))

      provider.prefer(phoneId, ada, "stop")
      yield* eventually(() => arrivals.some(({ body }) => body.includes("marketing_messages")))
      provider.misbehave({ on: "messages", what: { kind: "fail_receipt", code: 131_049 } })
      provider.write(phoneId, ada, { type: "text", text: "Hi" })
      yield* call(provider, sendPath, text(ada))
      yield* pass(provider, 50)
      assert.isTrue(arrivals.some(({ body }) => body.includes('"code":131049')))
      provider.tell(businessId, "phone_number_quality_update", { event: "FLAGGED" })
      yield* eventually(() => arrivals.some(({ body }) => body.includes("FLAGGED")))
    })
  )
})
