import { assert, describe, it } from "vitest"
import { createParley, isProblem, ParleyProblem } from "../src/index.ts"
import { settle, virtualTime } from "./support/time.ts"
import { type Answer, baseUrl, json, problem, serviceOf } from "./support/wire.ts"

const given = (...answers: ReadonlyArray<Answer>) => {
  const time = virtualTime()
  const { fetch, sent } = serviceOf(...answers)
  const parley = createParley({ baseUrl, token: "secret", fetch, sleep: time.sleep, retry: { times: 0 } })
  return { parley, sent, time }
}

describe("a call", () => {
  it("resolves to its data, with the answer it came in", async () => {
    const { parley } = given(
      json({ id: "t1", name: "VIP" }, { status: 201, headers: { "idempotency-replayed": "true" } })
    )
    const { data, problem, response } = await parley.tags.create({ name: "VIP" })
    assert.deepStrictEqual([data, problem], [{ id: "t1", name: "VIP" }, undefined])
    assert.strictEqual(response?.headers.get("idempotency-replayed"), "true")
  })

  it("resolves to nothing when the answer has no body", async () => {
    const { parley } = given(new Response(null, { status: 204 }))
    const result = await parley.tags.delete({ id: "t1" })
    assert.deepStrictEqual([result.data, result.problem, result.response?.status], [undefined, undefined, 204])
    assert.isUndefined(await parley.throwing().tags.delete({ id: "t1" }))
  })

  it("resolves to a text or to a file where that is the answer", async () => {
    const csv = new Response("day,opened\n", { headers: { "content-type": "text/csv" } })
    const { parley } = given(csv, csv, json({ days: [] }))
    const text = await parley.analytics.overview({ period: "7d", format: "csv" })
    assert.strictEqual(text.data, "day,opened\n")
    const file = await parley.throwing().contactTransfer.export()
    assert.strictEqual(await file.text(), "day,opened\n")
    const read = await parley.analytics.overview({ period: "7d" })
    assert.deepStrictEqual<unknown>(read.data, { days: [] })
  })
})

describe("a failed call", () => {
  it("resolves to its problem, with every field of the answer", async () => {
    const fields = { feature: "workflows", plan: "free", availableIn: ["scale"] }
    const { parley } = given(problem(403, "feature_not_in_plan", fields))
    const { data, problem: found } = await parley.workflows.create({ name: "Welcome" })
    assert.isUndefined(data)
    assert.instanceOf(found, ParleyProblem)
    assert.instanceOf(found, Error)
    assert.deepStrictEqual(
      [found?.code, found?.status, found?.detail, found?.requestId, found?.retryAfter],
      ["feature_not_in_plan", 403, "It is feature_not_in_plan.", "r1", null]
    )
    assert.strictEqual(found?.message, "It is feature_not_in_plan. (feature_not_in_plan)")
    if (found?.code !== "feature_not_in_plan") return assert.fail("The code does not narrow the problem.")
    assert.deepStrictEqual(found.availableIn, ["scale"])
  })

  it("contains all errors of the request with their pointers", async () => {
    const errors = [{ pointer: "/name", message: "Expected 1 to 80 characters" }]
    const { parley } = given(problem(400, "validation_failed", { errors }))
    const { problem: found } = await parley.tags.create({ name: "" })
    assert.deepStrictEqual(found?.errors, errors)
  })

  it("throws its problem in a throwing client", async () => {
    const { parley } = given(problem(404, "not_found", { resource: "tag" }))
    const error: unknown = await parley
      .throwing()
      .tags.get({ id: "t1" })
      .catch((error: unknown) => error)
    assert.isTrue(isProblem(error))
    assert.isFalse(isProblem(error, "name_taken"))
    assert.isFalse(isProblem(new Error("another"), "not_found"))
    if (!isProblem(error, "not_found")) return assert.fail("The error is not the problem of the answer.")
    assert.deepStrictEqual([error.resource, error.errors], ["tag", []])
  })

  it("says in seconds when to try again, by the clock of the service", async () => {
    const dates = { date: "Fri, 27 Nov 2026 10:00:00 GMT", "retry-after": "Fri, 27 Nov 2026 10:01:30 GMT" }
    const { parley } = given(
      problem(429, "rate_limited", { retryAfterSeconds: 9 }, { "retry-after": "60" }),
      problem(503, "service_unavailable", { retryAfterSeconds: 9 }),
      problem(503, "service_unavailable", {}, dates),
      problem(503, "service_unavailable", {}, { "retry-after": "Fri, 27 Nov 2026 10:01:30 GMT" }),
      problem(503, "service_unavailable", {}, { "retry-after": "soon" })
    )
    const found: Array<number | null | undefined> = []
    for (let call = 0; call < 5; call++) found.push((await parley.tags.list()).problem?.retryAfter)
    assert.deepStrictEqual(found, [60, 9, 90, null, null])
  })

  it.each([
    [
      "HTML of a proxy with an error",
      new Response("<h1>Bad Gateway</h1>", { status: 502, headers: { "content-type": "text/html" } }),
      502
    ],
    [
      "HTML of a proxy with a success",
      new Response("<h1>Log in</h1>", { headers: { "content-type": "text/html" } }),
      200
    ],
    ["JSON of another service", json({ error: "no route" }, { status: 404 }), 404],
    ["JSON that breaks off", new Response('{"data":[', { headers: { "content-type": "application/json" } }), 200],
    ["an error without a body", new Response(null, { status: 500 }), 500]
  ])("has the code unexpected_answer for %s", async (_, answer, status) => {
    const { parley } = given(answer)
    const { problem: found, response } = await parley.tags.list()
    assert.deepStrictEqual([found?.code, found?.status, response?.status], ["unexpected_answer", status, status])
  })

  it("has the code connection_failed when the service cannot be reached", async () => {
    const cause = new TypeError("fetch failed")
    const { parley } = given(cause)
    const { problem: found, response } = await parley.tags.list()
    assert.deepStrictEqual([found?.code, found?.status, found?.cause, response], ["connection_failed", 0, cause, null])
  })

  it("has the code connection_failed when the answer breaks off", async () => {
    const broken = () => {
      const body = new ReadableStream({ start: (controller) => controller.error(new Error("terminated")) })
      return Promise.resolve(new Response(body, { headers: { "content-type": "application/json" } }))
    }
    const { parley } = given(broken)
    assert.strictEqual((await parley.tags.list()).problem?.code, "connection_failed")
  })

  it("has the code timed_out after its time limit, and closes the connection", async () => {
    let signal: AbortSignal | null | undefined
    const time = virtualTime()
    const hang: typeof fetch = (_, init) => {
      signal = init?.signal
      return new Promise(() => {})
    }
    const parley = createParley({ baseUrl, fetch: hang, sleep: time.sleep, retry: { times: 0 } })
    const call = parley.tags.list({}, { timeout: 5_000 })
    const { problem: found } = await time.pass(call)
    assert.deepStrictEqual([found?.code, time.now(), signal?.aborted], ["timed_out", 5_000, true])
    await time.pass(parley.tags.list())
    assert.strictEqual(time.now(), 35_000)
  })

  it("has the code aborted as soon as its signal is aborted", async () => {
    const { parley, sent } = given(() => new Promise(() => {}))
    const early = await parley.tags.list({}, { signal: AbortSignal.abort("no need") })
    assert.deepStrictEqual([early.problem?.code, early.problem?.cause], ["aborted", "no need"])
    const stop = new AbortController()
    const call = parley.throwing().tags.list({}, { signal: stop.signal })
    await settle()
    stop.abort()
    const error: unknown = await call.catch((error: unknown) => error)
    assert.isTrue(isProblem(error, "aborted"))
    assert.lengthOf(sent, 1)
  })
})
