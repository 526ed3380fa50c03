import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { type Endpoint, endpoints, type Field, requestFields } from "../harness/contract.ts"
import { call } from "../harness/Http.ts"
import { pathWith, validRequest, type ValidRequest } from "../harness/requests.ts"
import { overHttp } from "../harness/service.ts"
import { givenTenant } from "../harness/tenants.ts"
import { withQuery } from "../harness/withQuery.ts"

const texts = [
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\u202e\u2066",
  "'; DROP TABLE users; --",
  "${jndi:ldap://x}",
  "%s%n{{7*7}}",
  "\\",
  "🥐".repeat(90),
  "9999-12-31T23:59:59.999999999Z",
  "0000-01-01T00:00:00Z",
  "-1",
  "1e308",
  "00000000-0000-0000-0000-000000000000",
  "a@b.c\r\nBcc: x@y.z"
]

/** Values of another type are refused before anything is stored; the suite for invalid input covers them. */
const values: ReadonlyArray<unknown> = [...texts, null, -1, 1e308, [null], { toString: 1 }, { $ne: null }]

/** Reads change nothing for the next field, so one tenant is enough for all of its fields. */
const attempts = endpoints.flatMap((endpoint) => {
  const fields = requestFields(endpoint)
  return endpoint.method === "GET"
    ? [{ endpoint, fields, id: endpoint.id }]
    : fields.map((field) => ({ endpoint, fields: [field], id: `${endpoint.id} ${field.slot} ${field.name}` }))
})

const withBody = (request: ValidRequest, name: string, value: unknown): ValidRequest => ({
  ...request,
  body: { ...(typeof request.body === "object" ? request.body : {}), [name]: value }
})

const variants = (request: ValidRequest, endpoint: Endpoint, { name, slot }: Field): ReadonlyArray<ValidRequest> => {
  switch (slot) {
    case "body":
      return values.map((value) => withBody(request, name, value))
    case "path":
      return texts
        .filter((text) => text.isWellFormed())
        .map((text) => ({ ...request, path: pathWith(endpoint, { ...request.params, [name]: text }) }))
    case "query":
      return texts
        .filter((text) => text.isWellFormed())
        .map((text) => ({ ...request, path: withQuery(request.path, `${name}=${encodeURIComponent(text)}`) }))
    case "headers":
      return texts
        .filter((text) => /^[\x20-\x7e]+$/.test(text))
        .map((text) => ({ ...request, headers: { ...request.headers, [name]: text } }))
  }
}

/** For every value in a field, the service answers with a success or with an error. It never crashes. */
export const hostileSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect.each(attempts)("$id", ({ endpoint, fields }) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const request = yield* validRequest(endpoint, { tenant, person: tenant.owner })
        for (const { path, ...what } of fields.flatMap((field) => variants(request, endpoint, field))) {
          const answer = yield* call(endpoint.method, path, what)
          assert.isBelow(answer.status, 500, `${path} ${JSON.stringify(what.body)}: ${answer.text}`)
          if (answer.status >= 400) assert.isString(answer.body.code, answer.text)
        }
      })
    )
  })
