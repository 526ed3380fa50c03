import { assert, describe, it } from "vitest"
import { createParley } from "../src/index.ts"
import { settle, virtualTime } from "./support/time.ts"
import { type Answer, baseUrl, json, problem, serviceOf } from "./support/wire.ts"

const page = json({ data: [], nextCursor: null })
const lost = new TypeError("fetch failed")
const busy = (status: number, headers: HeadersInit = {}) => new Response("", { status, headers })

const given = (...answers: ReadonlyArray<Answer>) => {
  const time = virtualTime()
  const { fetch, sent } = serviceOf(...answers)
  const parley = createParley({ baseUrl, token: "secret", organizationId: "o1", fetch, sleep: time.sleep })
  return { parley, sent, time }
}

describe("a temporary failure", () => {
  it.each<readonly [string, Answer]>([
    ["a lost connection", lost],
    ["a 429", busy(429)],
    ["a 502", busy(502)],
    ["a 503", busy(503)],
    ["a 504", busy(504)],
    ["a call with the same key that still runs", problem(409, "idempotency_key_in_progress")]
  ])("that is %s is repeated for reads and calls with a key", async (_, failure) => {
    const reading = given(failure, page)
    assert.isDefined((await reading.time.pass(reading.parley.tags.list())).data)
    const creating = given(failure, json({ id: "t1" }))
    assert.isDefined((await creating.time.pass(creating.parley.tags.create({ name: "VIP" }))).data)
    const keys = creating.sent.map(({ headers }) => headers.get("idempotency-key"))
    assert.deepStrictEqual([keys.length, new Set(keys).size], [2, 1])
  })

  it.each<readonly [string, Answer, number]>([
    ["a lost connection", lost, 1],
    ["a 502", busy(502), 1],
    ["a 503 with an unknown outcome", problem(503, "service_unavailable", { outcomeUnknown: true }), 1],
    ["a 503 without an effect", problem(503, "service_unavailable", { outcomeUnknown: false }), 4],
    ["a 429", busy(429), 4]
  ])("that is %s repeats a change without a key only when it had no effect", async (_, failure, times) => {
    const { parley, sent, time } = given(failure)
    assert.isDefined((await time.pass(parley.tags.update({ id: "t1", name: "New" }))).problem)
    assert.lengthOf(sent, times)
  })

  it.each([400, 401, 403, 404, 409, 412, 422, 500])("is not a %d", async (status) => {
    const { parley, sent, time } = given(problem(status, "anything"))
    await time.pass(parley.tags.list())
    assert.lengthOf(sent, 1)
  })

  it("is not repeated for a stream, which can be sent once", async () => {
    const { parley, sent, time } = given(busy(503))
    const body = new Blob(["name\n"]).stream()
    await time.pass(parley.contactTransfer.import({ body }))
    assert.lengthOf(sent, 1)
  })

  it("is repeated after waits that double, with jitter, and then given up", async () => {
    const { parley, sent, time } = given(busy(503))
    const { problem: found } = await time.pass(parley.tags.list())
    assert.deepStrictEqual([found?.status, sent.length], [503, 4])
    const waits = time.asked.filter((milliseconds) => milliseconds !== 30_000)
    assert.lengthOf(waits, 3)
    for (const [index, wait] of waits.entries()) {
      assert.isAtLeast(wait, 100 * 2 ** index)
      assert.isAtMost(wait, 200 * 2 ** index)
    }
  })

  it("is repeated no earlier than the service asks", async () => {
    const { parley, sent, time } = given(busy(429, { "retry-after": "7" }), page)
    const call = parley.tags.list()
    await settle()
    await time.advance(6_900)
    assert.lengthOf(sent, 1)
    await time.advance(100)
    assert.isDefined((await call).data)
  })

  it("is not repeated when the service asks for a longer wait than the client allows", async () => {
    const { parley, sent, time } = given(problem(429, "rate_limited", {}, { "retry-after": "60" }))
    const { problem: found } = await time.pass(parley.tags.list())
    assert.deepStrictEqual([found?.code, found?.retryAfter, sent.length, time.now()], ["rate_limited", 60, 1, 0])
  })

  it("is repeated as often as the client is set to", async () => {
    const time = virtualTime()
    const { fetch, sent } = serviceOf(lost)
    const parley = createParley({
      baseUrl,
      fetch,
      sleep: time.sleep,
      retry: { times: 5, firstWait: 10, longestWait: 50 }
    })
    await time.pass(parley.operations.health())
    assert.lengthOf(sent, 6)
  })

  it("is not repeated after the call was aborted in the wait", async () => {
    const { parley, sent, time } = given(busy(503))
    const stop = new AbortController()
    const call = parley.tags.list({}, { signal: stop.signal })
    await settle()
    stop.abort()
    const { problem: found } = await call
    await time.advance(60_000)
    assert.deepStrictEqual([found?.code, sent.length], ["aborted", 1])
  })
})
