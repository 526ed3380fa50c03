import { Effect } from "effect"
import { HttpClient } from "effect/http"
import { boundMillis } from "./calls.ts"

/** Endpoints that need no database. */
const always = ["/healthz", "/.well-known/jwks.json", "/openapi.json"]

const statusOf = Effect.fnUntraced(function* (url: string) {
  const client = yield* HttpClient.HttpClient
  return yield* client.get(url).pipe(
    Effect.flatMap((response) => Effect.as(response.text, response.status)),
    Effect.timeout("30 seconds"),
    Effect.orElseSucceed(() => 0)
  )
})

/**
 * Asks so often, while the database is away, for what must be answered all the same, and whether it is ready: after
 * this time it must say that it is not.
 */
export const probe = Effect.fnUntraced(function* (url: string, times: number, noticedMillis: number) {
  const faults: Array<string> = []
  const begun = performance.now()
  const since = () => Math.round(performance.now() - begun)
  let noticed: number | null = null
  let longest = 0
  const ask = Effect.fnUntraced(function* (path: string) {
    const asked = since()
    const status = yield* statusOf(`${url}${path}`)
    const millis = since() - asked
    longest = Math.max(longest, millis)
    if (status !== 200 || millis > boundMillis) faults.push(`${path}: ${status} after ${millis} ms`)
  })
  const askReady = Effect.gen(function* () {
    const asked = since()
    const status = yield* statusOf(`${url}/readyz`)
    if (status === 503) noticed ??= since()
    else if (status !== 200 || asked > noticedMillis) faults.push(`/readyz: ${status} ${asked} ms after it went away`)
  })
  for (let time = 0; time < times; time++) {
    yield* Effect.all([askReady, ...always.map(ask)], { concurrency: "unbounded", discard: true })
    yield* Effect.sleep("500 millis")
  }
  return { looked: times * (always.length + 1), faults, noticed, longest }
})

/** Waits until it is ready. Returns the time in milliseconds. */
export const untilReady = Effect.fnUntraced(function* (url: string) {
  const begun = performance.now()
  yield* Effect.repeat(Effect.delay(statusOf(`${url}/readyz`), "20 millis"), {
    until: (status) => status === 200
  }).pipe(Effect.timeout("30 seconds"))
  return Math.round(performance.now() - begun)
})
