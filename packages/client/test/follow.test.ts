import { assert, describe, it } from "vitest"
import { createParley, type FeedEvent, isProblem } from "../src/index.ts"
import { settle, virtualTime } from "./support/time.ts"
import { type Answer, baseUrl, json, problem, serviceOf } from "./support/wire.ts"

const encoder = new TextEncoder()

/** A stream of the feed that sends these texts, and then closes, breaks, or stays open. */
const streamOf = (texts: ReadonlyArray<string>, end: "breaks" | "closes" | "stays" = "closes") => {
  const rest = [...texts]
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const text = rest.shift()
      if (text !== undefined) return controller.enqueue(encoder.encode(text))
      if (end === "closes") controller.close()
      if (end === "breaks") controller.error(new Error("terminated"))
    }
  })
  return () => Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream; charset=utf-8" } }))
}

const eventOf = (position: number, text = "") =>
  `id: e${position}\nevent: tag.created\ndata: ${JSON.stringify({ position, cursor: `e${position}`, text })}\n\n`

const given = (...answers: ReadonlyArray<Answer>) => {
  const time = virtualTime()
  const { fetch, sent } = serviceOf(...answers)
  const stop = new AbortController()
  const parley = createParley({
    baseUrl,
    token: "secret",
    organizationId: "o1",
    fetch,
    sleep: time.sleep,
    retry: { times: 0 }
  })
  return { parley, sent, stop, time }
}

type Given = ReturnType<typeof given>

/** Follows until an event has this position. */
const followTo = async ({ parley, stop }: Given, last: number, from: object = {}, options: object = {}) => {
  const seen: Array<FeedEvent> = []
  for await (const event of parley.events.follow(from, { signal: stop.signal, ...options })) {
    seen.push(event)
    if (event.position === last) break
  }
  return seen
}

const positions = (events: ReadonlyArray<FeedEvent>) => events.map(({ position }) => position)

describe("following the events", () => {
  it("starts now or at the given position, and requests a stream", async () => {
    const service = given(streamOf([eventOf(1)]), streamOf([eventOf(1)]), streamOf([eventOf(1)]))
    await followTo(service, 1)
    await followTo(service, 1, { since: "2026-11-20T09:30:00Z", type: ["tag.*", "contact.created"] })
    await followTo(service, 1, { after: "e0" })
    assert.deepStrictEqual(
      service.sent.map(({ headers, url }) => [url, headers.get("last-event-id"), headers.get("accept")]),
      [
        ["/api/v1/events", null, "text/event-stream"],
        ["/api/v1/events?since=2026-11-20T09%3A30%3A00Z&type=tag.*&type=contact.created", null, "text/event-stream"],
        ["/api/v1/events", "e0", "text/event-stream"]
      ]
    )
    assert.strictEqual(service.sent[0]?.headers.get("x-organization-id"), "o1")
  })

  it("reads events however their bytes arrive", async () => {
    const text = `: keep-alive\nid: e0\nretry: 2000\n\n${eventOf(1, "Bäckerei 🥐\u2028")}${eventOf(2).replaceAll("\n", "\r\n")}${eventOf(3)}`
    const bytes = encoder.encode(text)
    for (const size of [1, 2, 3, 7, 64, bytes.length]) {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
          controller.close()
        }
      })
      const answer = () => Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }))
      const seen = await followTo(given(answer), 3)
      assert.deepStrictEqual(positions(seen), [1, 2, 3], `${size} bytes at a time`)
      assert.strictEqual(Reflect.get(seen[0] ?? {}, "text"), "Bäckerei 🥐\u2028")
    }
  })

  it.each(["closes", "breaks"] as const)("continues after the last whole event when the connection %s", async (end) => {
    const cut = eventOf(3).slice(0, 30)
    const service = given(streamOf([eventOf(1), eventOf(2) + cut], end), streamOf([eventOf(3), eventOf(4)]))
    const seen = await service.time.pass(followTo(service, 4))
    assert.deepStrictEqual(positions(seen), [1, 2, 3, 4])
    assert.deepStrictEqual(
      service.sent.map(({ headers }) => headers.get("last-event-id")),
      [null, "e2"]
    )
  })

  it("continues after a heartbeat, and no longer since a time", async () => {
    const service = given(streamOf(["id: e7\n\n"]), streamOf([eventOf(8)]))
    await service.time.pass(followTo(service, 8, { since: "2026-11-20T09:30:00Z", type: ["tag.*"] }))
    assert.deepStrictEqual(
      service.sent.map(({ headers, url }) => [url, headers.get("last-event-id")]),
      [
        ["/api/v1/events?since=2026-11-20T09%3A30%3A00Z&type=tag.*", null],
        ["/api/v1/events?type=tag.*", "e7"]
      ]
    )
  })

  it("connects again after 45 seconds of silence", async () => {
    const service = given(streamOf([eventOf(1)], "stays"), streamOf([eventOf(2)]))
    const call = followTo(service, 2)
    await settle()
    await service.time.advance(44_900)
    assert.lengthOf(service.sent, 1)
    assert.deepStrictEqual(positions(await service.time.pass(call)), [1, 2])
  })

  it("waits longer after each failure, up to ten seconds, and says when it is connected", async () => {
    const failures: ReadonlyArray<Answer> = Array.from({ length: 9 }, (_, index) =>
      index % 3 === 0 ? new TypeError("fetch failed") : problem(503, "service_unavailable")
    )
    const service = given(...failures, streamOf([eventOf(1)]), streamOf([eventOf(2)]))
    const states: Array<boolean> = []
    await service.time.pass(followTo(service, 2, {}, { onConnection: (state: boolean) => states.push(state) }))
    const waits = service.time.asked.filter((wait) => wait !== 30_000 && wait !== 45_000)
    for (const [index, wait] of waits.slice(0, 9).entries()) {
      const longest = Math.min(200 * 2 ** index, 10_000)
      assert.isAtLeast(wait, longest / 2)
      assert.isAtMost(wait, longest)
    }
    assert.isAtMost(waits[9] ?? 0, 200)
    assert.deepStrictEqual(states, [true, false, true])
  })

  it.each([
    ["a token that was revoked", problem(401, "token_revoked"), "token_revoked"],
    ["a page of a proxy", new Response("<p>", { headers: { "content-type": "text/html" } }), "unexpected_answer"],
    ["a service without streams", json({ data: [], nextCursor: "e0" }), "unexpected_answer"]
  ])("ends with the problem of %s", async (_, answer, code) => {
    const service = given(answer)
    const error: unknown = await followTo(service, 1).catch((error: unknown) => error)
    assert.isTrue(isProblem(error, code))
  })

  it("ends without an error when its signal is aborted", async () => {
    const service = given(streamOf([eventOf(1)], "stays"))
    const call = followTo(service, 2)
    await settle()
    service.stop.abort()
    assert.deepStrictEqual(positions(await service.time.pass(call)), [1])
    const waiting = given(new TypeError("fetch failed"))
    const other = followTo(waiting, 1)
    await settle()
    waiting.stop.abort()
    assert.isEmpty(await other)
    assert.isEmpty(await followTo(waiting, 1))
    assert.lengthOf(waiting.sent, 1)
  })

  it("closes the connection when its reader stops", async () => {
    let isCancelled = false
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(encoder.encode(eventOf(1))),
      cancel: () => {
        isCancelled = true
      }
    })
    const answer = () => Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }))
    await followTo(given(answer), 1)
    await settle()
    assert.isTrue(isCancelled)
  })
})
