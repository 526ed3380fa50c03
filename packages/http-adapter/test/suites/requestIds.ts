import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { assertProblem, assertStatus, at, rowsOf } from "../harness/answers.ts"
import { readable } from "../harness/Evidence.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import { freshText, givenTenant } from "../harness/tenants.ts"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The id of a request: taken or made, and everywhere the same. */
export const requestIdsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    const ask = (path: string, id?: string) =>
      call("GET", path, id === undefined ? {} : { headers: { "x-request-id": id } })

    it.effect.each(["12345678", "a".repeat(128), "AZaz09._~:-", "7f3c0e9e-4b5d-4c0c-8a3e-2f6f5a3c9b11"])(
      "%j is taken as it is",
      (id) =>
        Effect.gen(function* () {
          const answer = yield* ask("/healthz", id)
          assertStatus(answer, 200)
          assert.strictEqual(answer.headers.get("x-request-id"), id)
          assertProblem(yield* ask("/nowhere", id), 404, "path_not_found")
          assert.strictEqual((yield* ask("/nowhere", id)).body.requestId, id)
        })
    )

    it.effect.each([
      "",
      "1234567",
      "a".repeat(129),
      "has spaces in it",
      '"quoted-quoted"',
      "<script>x</script>",
      "a,b,c,d,e",
      "ünïcödé-id"
    ])("%j is not, and another is made", (id) =>
      Effect.gen(function* () {
        const answer = yield* ask("/nowhere", id)
        assertProblem(answer, 404, "path_not_found")
        assert.match(answer.headers.get("x-request-id") ?? "", uuid)
      })
    )

    it.effect("every request has a unique id", () =>
      Effect.gen(function* () {
        const ids = new Set<string | null>()
        for (let count = 0; count < 20; count++) ids.add((yield* ask("/healthz")).headers.get("x-request-id"))
        assert.strictEqual(ids.size, 20)
      })
    )

    it.effect("it is in the log, with who asked what, and never what was sent", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const id = yield* freshText("logged")
        yield* call("PATCH", "/api/v1/organization?by=nobody", {
          token: owner.token,
          organization: organization.id,
          headers: { "x-request-id": id },
          body: { name: "Written nowhere" }
        })
        const line = readable().logs.find((line) => line.includes(id))
        assert.isDefined(line)
        for (const part of [organization.id, `user:${owner.user.id}`, "PATCH", "/api/v1/organization", "400"]) {
          assert.include(line, part)
        }
        assert.notInclude(line, "Written nowhere")
        assert.notInclude(line, "by=nobody")
      })
    )

    it.effect("it is in the audit trail", () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const what = { token: owner.token, organization: organization.id }
        const id = yield* freshText("audited")
        yield* call("PATCH", "/api/v1/organization", {
          ...what,
          headers: { "x-request-id": id },
          body: { name: "New" }
        })
        const [row] = rowsOf(yield* call("GET", "/api/v1/audit_events", what))
        assert.deepStrictEqual([at(row, "requestId"), at(row, "action")], [id, "organization.updated"])
      })
    )
  })
