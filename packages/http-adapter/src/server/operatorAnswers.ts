import { Effect, Redacted } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHash, timingSafeEqual } from "node:crypto"
import { createServer } from "node:http"

/** Default time limit for the arrival of a request. */
export const usualArrivalMillis = 10_000

/** Ends requests with slow headers or bodies. */
export const arrivalTimeouts = (within: number) => ({
  headersTimeout: within,
  requestTimeout: within,
  connectionsCheckingInterval: Math.min(1_000, within)
})

/** A listener for scrapers and probes, which send no bodies. */
export const makeOperatorListener = () => createServer(arrivalTimeouts(usualArrivalMillis))

/** Required token of a scraper; `null` for none. */
export type MetricsToken = Redacted.Redacted | null

const digest = (text: string) => createHash("sha256").update(text).digest()

const unauthorized = HttpServerResponse.empty({
  status: 401,
  headers: { "www-authenticate": 'Bearer realm="metrics"' }
})

const mayRead = (token: MetricsToken, { headers }: HttpServerRequest.HttpServerRequest): boolean =>
  token === null || timingSafeEqual(digest(headers["authorization"] ?? ""), digest(`Bearer ${Redacted.value(token)}`))

/** Serves metrics. Requires the token if one is configured. */
export const answerMetrics = (metrics: Effect.Effect<string>, token: MetricsToken) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    mayRead(token, request)
      ? Effect.map(metrics, (text) =>
          HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
        )
      : Effect.succeed(unauthorized)
  )

/** Remembers whether the process was ready. A startup probe gets the readiness until then, and `ok` afterwards. */
export const makeProbes = <A, B, E, R>(
  readiness: Effect.Effect<A, E, R>,
  ok: B,
  isReady: (answer: A) => boolean = () => true
) => {
  let wasReady = false
  const ready = Effect.tap(readiness, (answer) =>
    Effect.sync(() => {
      wasReady ||= isReady(answer)
    })
  )
  const startup = Effect.suspend((): Effect.Effect<A | B, E, R> => (wasReady ? Effect.succeed(ok) : ready))
  return { ready, startup }
}

/** Probes with answers that have the status 200 if the process is ready. */
export const makeStartup = <E, R>(
  readiness: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  ok: HttpServerResponse.HttpServerResponse
) => makeProbes(readiness, ok, ({ status }) => status === 200)
