import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { assertProblem, pointersOf } from "../harness/answers.ts"
import { type Endpoint, endpoints, isWebhook, readsJson, requestFields } from "../harness/contract.ts"
import type { Answer } from "../harness/Http.ts"
import { call } from "../harness/Http.ts"
import { pathWith, validRequest } from "../harness/requests.ts"
import { overHttp } from "../harness/service.ts"
import { givenConversation } from "../harness/inbox.ts"
import { givenTenant } from "../harness/tenants.ts"
import { withQuery } from "../harness/withQuery.ts"

const withBody = endpoints.filter(readsJson)

const bodyFields = (endpoint: Endpoint) => [
  ...new Set(requestFields(endpoint).flatMap(({ name, slot }) => (slot === "body" ? [name] : [])))
]

const parameters = (endpoint: Endpoint) => [
  ...new Set(requestFields(endpoint).flatMap(({ name, slot }) => (slot === "query" ? [name] : [])))
]

/** Health checks and keys accept any parameters of a prober; a provider can add its own parameters. */
const checksQuery = (endpoint: Endpoint) => !endpoint.id.startsWith("operations.") && !isWebhook(endpoint)

const odd: ReadonlyArray<unknown> = [
  null,
  true,
  7,
  -1.5,
  "",
  "🥐",
  [],
  [[]],
  [null],
  {},
  { kind: "odd" },
  { $ne: null }
]

/** Words of the schema library, of the language and of types, which mean nothing to a caller. */
const ofTheInside =
  /missing key|excess property|unexpected key|undefined|\bNaN\b|readonly|Encoded|Redacted|Schema|<filter>|\bgot\b|Date(?:Time)?\b|\bUtc\b|\|| & |\{ |a value with a length|array|string|boolean|integer|record|regular expression|matching|branded|Infinity/iu

const inPlainWords =
  /^(?:Expected |There is no |This \S+ (?:does not exist|has no value)|Version \d+ does not|This \S.* is required$|Only |The |Needs |An? |Either |Not |No |What )/u

const assertPlain = (answer: Answer) => {
  assert.isBelow(answer.status, 500, answer.text)
  if (answer.status !== 400 || answer.body.code !== "validation_failed") return
  const { detail, errors } = answer.body
  assert.isArray(errors)
  assert.isNotEmpty(errors)
  for (const { message, pointer } of Array.isArray(errors) ? errors : []) {
    assert.match(String(message), inPlainWords, answer.text)
    assert.notMatch(
      String(message)
        .replace(/Did you mean .*$/u, "")
        .replace(/one of: .*$/u, ""),
      ofTheInside,
      answer.text
    )
    assert.match(String(pointer), /^(?:\/.*)?$/u)
  }
  assert.match(String(detail), /[.?…]$/u)
  assert.isBelow(String(detail).length, 400)
  const [{ message, pointer }] = Array.isArray(errors) ? errors : []
  assert.isTrue(
    String(detail).startsWith(`${pointer === "" ? "" : `${pointer}: `}${message}`.slice(0, 300)),
    answer.text
  )
}

/** For every invalid request, the answer explains the error in terms that help the caller. */
export const faultsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect.each(endpoints.filter((endpoint) => parameters(endpoint).length === 0 && checksQuery(endpoint)))(
      "$id takes no parameters and reports unknown ones",
      (endpoint) =>
        Effect.gen(function* () {
          const tenant = yield* givenTenant()
          const { path, ...what } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
          const answer = yield* call(endpoint.method, withQuery(path, "surplus=1&b%3Dc&surplus=2"), what)
          assertProblem(answer, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(answer), ["/query/b=c", "/query/surplus"])
          assertPlain(answer)
        })
    )

    it.effect.each(withBody)("$id says in plain words what is wrong with a body", (endpoint) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { body, path, ...what } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
        const valid = typeof body === "object" && body !== null ? body : {}
        for (const value of [...odd, { x: null }]) {
          assertPlain(yield* call(endpoint.method, path, { ...what, body: value }))
        }
        for (const field of bodyFields(endpoint)) {
          // Alone, a field can match another of several body shapes, and missing fields are also reported.
          for (const value of [null, "🥐"])
            assertPlain(yield* call(endpoint.method, path, { ...what, body: { [field]: value } }))
          for (const value of odd) {
            assertPlain(yield* call(endpoint.method, path, { ...what, body: { ...valid, [field]: value } }))
          }
        }
      })
    )

    it.effect.each(withBody)("$id says which field may have been meant", (endpoint) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { body, path, ...what } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
        const [field = "", ...others] = Object.entries(body ?? {})
        if (field === "") return
        const [key, value] = field
        const wrong = `${key.slice(0, 1)}${key.slice(2, 3)}${key.slice(1, 2)}${key.slice(3)}`
        if (wrong === key || key.length < 4) return
        const answer = yield* call(endpoint.method, path, {
          ...what,
          body: { ...Object.fromEntries(others), [wrong]: value }
        })
        assertProblem(answer, 400, "validation_failed")
        assertPlain(answer)
      })
    )

    it.effect.each(endpoints.filter((endpoint) => parameters(endpoint).length > 0))(
      "$id says in plain words what is wrong with a query",
      (endpoint) =>
        Effect.gen(function* () {
          const tenant = yield* givenTenant()
          const { params = {}, path: _, ...what } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
          const path = pathWith(endpoint, params)
          for (const name of [...parameters(endpoint), "nobody"]) {
            for (const value of ["", "x", "🥐", "-1", "TRUE", "{", "[]", "null", "%00", "2026-02-30T00:00:00Z"]) {
              const written = value === "%00" ? value : encodeURIComponent(value)
              assertPlain(yield* call(endpoint.method, withQuery(path, `${name}=${written}`), what))
            }
            assertPlain(yield* call(endpoint.method, withQuery(path, `${name}=x&${name}=y`), what))
          }
        })
    )

    it.effect("an error in a union points to the field of its member", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const what = { token: tenant.owner.token, organization: tenant.organization.id }
        const { id } = yield* givenConversation(tenant.organization)
        const send = (body: unknown) => call("POST", `/api/v1/conversations/${id}/messages`, { ...what, body })
        for (const body of [{}, { kind: "txt", text: "x" }, { kind: 1 }, { text: "x" }]) {
          const answer = yield* send(body)
          assertProblem(answer, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(answer), ["/kind"], answer.text)
          assert.match(answer.text, /Expected one of: text, /u)
        }
        assert.deepStrictEqual(pointersOf(yield* send({ kind: "text", txt: "x" })), ["/text", "/txt"])
        const bulk = yield* call("POST", "/api/v1/conversations/bulk", { ...what, body: { ids: [id], action: {} } })
        assert.deepStrictEqual(pointersOf(bulk), ["/action/type"])
        assert.match(bulk.text, /Expected one of: /u)
      })
    )
  })
