import { assert, describe, layer } from "@effect/vitest"
import { TestKit } from "@parley/testkit"
import { Effect, Layer, Redacted } from "effect"
import { type HttpRouter, HttpServer } from "effect/http"
import * as OpenStreams from "../src/server/OpenStreams.ts"
import { ServerConfig, settings } from "../src/server/ServerConfig.ts"
import { CompiledRoutes } from "../src/server/compiled/CompiledRoutes.ts"
import { Server } from "../src/server/index.ts"
import { type Endpoint, endpoints, isWebhook, requestFields } from "./harness/contract.ts"
import { type Caller, pathWith, validRequest, type ValidRequest } from "./harness/requests.ts"
import { givenPerson, givenTenant } from "./harness/tenants.ts"
import { inBoth, type Sent, TwoWays, type Way } from "./harness/twoWays.ts"
import { withQuery } from "./harness/withQuery.ts"

const sentOf = (endpoint: Endpoint, request: ValidRequest, differing: Partial<Sent> = {}): Sent => {
  const { body, bytes, headers, organization, path, text, token } = request
  const written = text ?? (bytes === undefined ? undefined : new TextDecoder("latin1").decode(bytes))
  const payload = written ?? (body === undefined ? undefined : JSON.stringify(body))
  return {
    method: endpoint.method,
    path,
    body: payload,
    ...differing,
    headers: {
      ...(payload !== undefined && { "content-type": "application/json" }),
      ...(token !== undefined && {
        authorization: `Bearer ${Redacted.isRedacted(token) ? Redacted.value(token) : token}`
      }),
      ...(organization !== undefined && { "x-organization-id": organization }),
      ...headers,
      ...differing.headers
    }
  }
}

const without = (sent: Sent, name: string): Sent => {
  const { [name]: _, ...headers } = sent.headers
  return { ...sent, headers }
}

const hostile = ["'%3B%20--", "%00", "%ff", "%F0%9F%A5%90", "-1", "a%2Fb", ";x", "00000000-0000-0000-0000-000000000000"]

/** Additional headers of a request. */
const headersTried: ReadonlyArray<Record<string, string>> = [
  { "x-request-id": "an-id-of-its-own" },
  { authorization: "Bearer" },
  { authorization: "bearer  x" },
  { authorization: "Basic eDp5" },
  { authorization: "Bearer not-a-token" },
  { "x-organization-id": "nobody" },
  { "x-organization-id": "00000000-0000-0000-0000-000000000000" },
  { "if-match": '"7"' },
  { "if-match": "seven" },
  { "content-type": "application/json; charset=utf-8" },
  { "content-type": "application/json; charset=utf-16" },
  { "content-type": "text/plain" },
  { accept: "text/csv" },
  { "x-forwarded-for": "198.51.100.7" },
  { origin: "https://elsewhere.test" },
  { "idempotency-key": "two words" }
]

const bodiesTried = [
  "",
  "{",
  "null",
  "[]",
  '{"x":1}',
  '{"x":1,"x":2}',
  '{"name":1e400}',
  '"\\ud800"',
  '{"__proto__":{}}'
]

/** Variants of a valid request: each is sent after the others, which also shows their changes. */
const variants = (endpoint: Endpoint, request: ValidRequest): ReadonlyArray<Sent> => {
  const valid = sentOf(endpoint, request)
  const parameters = requestFields(endpoint).filter(({ slot }) => slot === "query")
  const places = Array.from(endpoint.path.matchAll(/:(\w+)/g), ([, name = ""]) => name)
  return [
    without(valid, "authorization"),
    without(valid, "x-organization-id"),
    ...headersTried.map((headers) => ({ ...valid, headers: { ...valid.headers, ...headers } })),
    { ...valid, path: `${valid.path}/` },
    { ...valid, path: valid.path.replace("/api/", "//api/") },
    { ...valid, path: withQuery(valid.path, "surplus=1") },
    { ...valid, path: withQuery(valid.path, "%ff=1") },
    { ...valid, path: `http://parley.test${valid.path}` },
    ...hostile.flatMap((text) => [
      ...places.map((name) => ({
        ...valid,
        path: pathWith(endpoint, { ...request.params, [name]: "\u0000" }).replace("%00", text)
      })),
      ...parameters.map(({ name }) => ({
        ...valid,
        path: withQuery(valid.path, `${encodeURIComponent(name)}=${text}`)
      }))
    ]),
    ...(valid.body === undefined ? [] : bodiesTried.map((body) => ({ ...valid, body }))),
    ...(endpoint.method === "GET" ? [{ ...valid, method: "HEAD" }] : []),
    valid,
    valid,
    ...(endpoint.isIdempotent
      ? [1, 2].map(() => sentOf(endpoint, request, { headers: { "idempotency-key": "once" } }))
      : [])
  ]
}

const answersOf = Effect.fnUntraced(function* (way: Way, endpoint: Endpoint) {
  const tenant = yield* givenTenant()
  const viewer = yield* givenPerson(tenant.organization, "viewer")
  const sending = (caller: Caller) =>
    Effect.flatMap(validRequest(endpoint, caller), (request) =>
      Effect.forEach(variants(endpoint, request), (sent) => Effect.map(way.send(sent), (seen) => ({ sent, seen })))
    )
  const answers = [
    ...(yield* sending({ tenant, person: tenant.owner })),
    ...(yield* sending({ tenant, person: viewer }))
  ]
  return { answers, logged: yield* way.logged }
})

/** Both get the same requests, answer the same and log the same. */
const compare = Effect.fnUntraced(function* (endpoint: Endpoint) {
  const [compiled, plain] = yield* inBoth((way) => answersOf(way, endpoint))
  for (const [place, answer] of compiled.answers.entries()) assert.deepStrictEqual(answer, plain.answers[place])
  assert.deepStrictEqual(compiled.logged, plain.logged)
  return compiled.answers.map(({ seen }) => seen.status)
})

// Dependencies of a request are not created: no handler is called here.
const compiledRoutes = Server.compiledRoutes as Layer.Layer<
  CompiledRoutes,
  never,
  Exclude<Layer.Services<typeof Server.compiledRoutes>, HttpRouter.Request<"Requires", unknown>>
>

const layerCompiled = compiledRoutes.pipe(
  Layer.provide(OpenStreams.layer),
  Layer.provide(Layer.succeed(ServerConfig, settings())),
  Layer.provide(TestKit.layer),
  Layer.provide(HttpServer.layerServices)
)

layer(layerCompiled)("the endpoints that are compiled", (it) => {
  it.effect("cover all endpoints except those with files or several kinds of answers", () =>
    Effect.map(CompiledRoutes, ({ names }) => {
      const others = endpoints.filter(({ id }) => !names.has(id)).map(({ id }) => id)
      assert.deepStrictEqual(
        others,
        [
          "contacts.upsertByPhone",
          "contacts.bulk",
          "contactTransfer.import",
          "contactTransfer.importErrors",
          "contactTransfer.export",
          "media.upload",
          "media.download",
          "broadcasts.exportRecipients",
          "automations.cancelRuns",
          "automations.rerunRuns",
          "workflows.cancelRuns",
          "workflows.rerunRuns",
          "operatorRateCards.importFile"
        ],
        "List an endpoint with files or several kinds of answers in compiledRoutes.test.ts."
      )
    })
  )
})

describe("an endpoint that is compiled", () => {
  layer(TwoWays.layer())((it) => {
    it.effect.each(endpoints)("answers as the framework does: $id", compare)
  })

  layer(TwoWays.layer({ rateLimits: { tokenPerMinute: 12, organizationPerMinute: 20, addressPerMinute: 9 } }))((it) => {
    it.effect.each(endpoints.filter((endpoint) => !isWebhook(endpoint)))(
      "counts as the framework does: $id",
      (endpoint) =>
        Effect.gen(function* () {
          const statuses = yield* compare(endpoint)
          assert.isTrue(endpoint.admission === "open" || statuses.includes(429))
        })
    )
  })
})
