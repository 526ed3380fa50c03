import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { assertProblem, assertStatus, pointersOf } from "../harness/answers.ts"
import { endpoints, readsFiles, readsJson } from "../harness/contract.ts"
import { call } from "../harness/Http.ts"
import { validRequest } from "../harness/requests.ts"
import { overHttp } from "../harness/service.ts"
import { freshText, givenAutomation, givenContactField, givenTenant } from "../harness/tenants.ts"
import { withQuery } from "../harness/withQuery.ts"

const withBody = endpoints.filter(readsJson)

const withoutBody = endpoints.filter(({ contract, method }) => method !== "GET" && contract.payload.size === 0)

const lists = endpoints.filter(
  ({ contract, method }) =>
    method === "GET" && contract.query !== undefined && JSON.stringify(contract.query.ast).includes('"limit"')
)

const withPath = endpoints.filter(({ path }) => path.includes(":") && !path.includes("webhooks"))

/** The text with its first field duplicated. */
const doubled = (text: string) => {
  const [, key = "", rest = ""] = /^\{("[^"]+"):(.*)$/su.exec(text) ?? []
  return `{${key}:null,${key}:${rest}`
}

/** Input is accepted unchanged or refused: it is never changed silently. */
export const inputSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect.each(withBody)("$id accepts UTF-8 only and reports other encodings", (endpoint) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { body, path, ...what } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
        const text = JSON.stringify(body)
        for (const charset of ["utf-16", "iso-8859-1", '"UTF-16LE"', "x"]) {
          const headers = { ...what.headers, "content-type": `application/json; charset=${charset}` }
          const answer = yield* call(endpoint.method, path, { ...what, text, headers })
          assertProblem(answer, 415, "unsupported_media_type")
        }
        const bytes = new Uint8Array([...new TextEncoder().encode('{"name":"'), 0xff, 0xfe, 0x22, 0x7d])
        const answer = yield* call(endpoint.method, path, { ...what, bytes })
        assertProblem(answer, 400, "validation_failed")
        assert.include(answer.text, "Expected a body in UTF-8")
      })
    )

    it.effect.each(withBody)("$id reads no field twice, and no number that would change", (endpoint) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { body, path, ...what } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
        const text = JSON.stringify(body)
        const [first = ""] = Object.keys(body ?? {})
        if (first !== "") {
          const twice = yield* call(endpoint.method, path, { ...what, text: doubled(text) })
          assertProblem(twice, 400, "validation_failed")
          assert.include(pointersOf(twice), `/${first}`)
          assert.include(twice.text, "Expected this field only once")
        }
        for (const number of ["9007199254740993", "1e400"]) {
          const numbered = text === "{}" ? `{"x":${number}}` : text.replace("{", `{"x":${number},`)
          const answer = yield* call(endpoint.method, path, { ...what, text: numbered })
          assertProblem(answer, 400, "validation_failed")
          assert.include(answer.text, "Expected a number that is stored exactly")
        }
      })
    )

    it.effect.each(endpoints.filter((endpoint) => readsJson(endpoint)))("$id compares decoded keys", (endpoint) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { body, path, ...what } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
        const text = JSON.stringify(body).replace(
          /^\{"(.)/u,
          (_, letter: string) => `\uFEFF{"\\u00${letter.charCodeAt(0).toString(16)}`
        )
        assertStatus(yield* call(endpoint.method, path, { ...what, text }), endpoint.success)
      })
    )

    it.effect.each(withoutBody)("$id refuses a field, because it declares no body", (endpoint) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { body: _, path, ...what } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
        const refused = yield* call(endpoint.method, path, { ...what, body: { until: "2030-01-01T00:00:00Z" } })
        assertProblem(refused, 400, "validation_failed")
        assert.deepStrictEqual(refused.body.errors, [{ pointer: "/until", message: "This field does not exist" }])
        for (const text of ["[]", "7", "until=2030"]) {
          assertProblem(yield* call(endpoint.method, path, { ...what, text }), 400, "validation_failed")
        }
        assertStatus(yield* call(endpoint.method, path, { ...what, body: {} }), endpoint.success)
      })
    )

    it.effect.each(lists)("$id takes a limit in digits, once", (endpoint) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { path, ...what } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
        for (const limit of [
          "+5",
          "%2B5",
          "1e1",
          "%205",
          "5%20",
          "0x5",
          "05",
          "5.0",
          "",
          "-1",
          "0",
          "101",
          "٥",
          "1_0"
        ]) {
          const answer = yield* call("GET", withQuery(path, `limit=${encodeURI(decodeURI(limit))}`), what)
          assertProblem(answer, 400, "validation_failed")
          assert.deepStrictEqual(answer.body.errors, [
            { pointer: "/query/limit", message: "Expected a whole number from 1 to 100" }
          ])
          assert.strictEqual(answer.body.detail, "/query/limit: Expected a whole number from 1 to 100.")
        }
        const twice = yield* call("GET", withQuery(path, "limit=5&limit=6"), what)
        assertProblem(twice, 400, "validation_failed")
        assert.deepStrictEqual(twice.body.errors, [
          { pointer: "/query/limit", message: "Expected this parameter only once" }
        ])
        const mistyped = yield* call("GET", withQuery(path, "limt=5"), what)
        assert.deepStrictEqual(mistyped.body.errors, [
          { pointer: "/query/limt", message: "This parameter does not exist. Did you mean limit?" }
        ])
      })
    )

    it.effect.each(endpoints.filter(({ contract }) => contract.query !== undefined))(
      "$id takes a query in UTF-8",
      (endpoint) =>
        Effect.gen(function* () {
          const tenant = yield* givenTenant()
          const { path, ...what } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
          const [bare = ""] = path.split("?")
          for (const wrong of ["%ff", "%C3", "%zz", "%", "a%ED%A0%80", "%C0%AF"]) {
            const answer = yield* call(endpoint.method, `${bare}?limit=${wrong}`, what)
            assertProblem(answer, 400, "validation_failed")
            assert.deepInclude(answer.body.errors, {
              pointer: "/query/limit",
              message: "Expected percent-encoded UTF-8"
            })
          }
        })
    )

    it.effect.each(withPath)("$id reports malformed ids", (endpoint) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { path: _, ...what } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
        for (const wrong of ["%ff", "%zz", "a".repeat(200), "a".repeat(5_000), "%00"]) {
          const answer = yield* call(endpoint.method, endpoint.path.replaceAll(/:\w+/g, wrong), what)
          assertProblem(answer, 400, "validation_failed")
          assert.isTrue(
            pointersOf(answer).some((pointer) => pointer.startsWith("/path")),
            answer.text
          )
          assert.isBelow(answer.text.length, 2_000)
        }
      })
    )

    it.effect.each(endpoints.filter((endpoint) => readsFiles(endpoint) && endpoint.id === "contactTransfer.import"))(
      "$id takes files in UTF-8 only",
      (endpoint) =>
        Effect.gen(function* () {
          const tenant = yield* givenTenant()
          const { path, ...what } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
          for (const type of ["text/csv; charset=utf-16", "application/x-ndjson; charset=latin1"]) {
            const answer = yield* call(endpoint.method, path, { ...what, headers: { "content-type": type } })
            assertProblem(answer, 415, "unsupported_media_type")
          }
        })
    )

    it.effect("attributes of a query are written in one way only", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const what = { token: owner.token, organization: organization.id }
        const flag = yield* givenContactField(organization, { type: "boolean" })
        const score = yield* givenContactField(organization, { type: "number" })
        const ask = (key: string, value: string) =>
          call("GET", `/api/v1/contacts?attribute.${key}=${encodeURIComponent(value)}`, what)
        for (const value of ["TRUE", "yes", "1", "True", ""])
          assertProblem(yield* ask(flag.key, value), 400, "validation_failed")
        for (const value of ["+5", " 5", "0x5", "9007199254740993", "1e400", "5.", ".5"]) {
          assertProblem(yield* ask(score.key, value), 400, "validation_failed")
        }
        for (const value of ["true", "false"]) assertStatus(yield* ask(flag.key, value), 200)
        for (const value of ["5", "-1.5", "1e3"]) assertStatus(yield* ask(score.key, value), 200)
      })
    )

    it.effect("the detail of a problem describes the errors, for any number", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const what = { token: owner.token, organization: organization.id }
        const { id } = yield* givenAutomation(organization)
        const one = yield* call("PATCH", `/api/v1/automations/${id}`, {
          ...what,
          body: { nmae: yield* freshText("x") }
        })
        assert.strictEqual(one.body.detail, "/nmae: This field does not exist. Did you mean name?")
        const many = Object.fromEntries(
          Array.from({ length: 5_000 }, (_, index) => [`${"flood".repeat(40)}${index}`, 1])
        )
        const flood = yield* call("PATCH", `/api/v1/automations/${id}`, { ...what, body: many })
        assertProblem(flood, 400, "validation_failed")
        assert.isAtMost(pointersOf(flood).length, 100)
        assert.isBelow(flood.text.length, 30_000)
        assert.isBelow(String(flood.body.detail).length, 400)
      })
    )
  })
