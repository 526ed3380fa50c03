import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { assertProblem, assertStatus, pointersOf, rowsOf } from "../harness/answers.ts"
import { call } from "../harness/Http.ts"
import { lists, named } from "../harness/lists.ts"
import { addMany, readList } from "../harness/readList.ts"
import { overHttp } from "../harness/service.ts"
import { freshId, givenTenant } from "../harness/tenants.ts"
import { withQuery } from "../harness/withQuery.ts"

/** Page parameters of every list. */
export const listRequestsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect.each(named)("$id sends 25 rows when no limit is given", (list) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        yield* addMany(list, tenant, 27)
        const answer = yield* readList(list, tenant)
        assert.lengthOf(rowsOf(answer), 25)
        assert.isString(answer.body.nextCursor)
      })
    )

    it.effect.each(named)("$id takes a limit from 1 to 100 and nothing else", (list) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        yield* addMany(list, tenant, 2)
        for (const limit of ["0", "101", "-1", "1.5", "ten", "", " 5", "0x10", "1e3", "NaN", "Infinity"]) {
          const answer = yield* readList(list, tenant, { limit })
          assertProblem(answer, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(answer), ["/query/limit"], limit)
        }
        assert.lengthOf(rowsOf(yield* readList(list, tenant, { limit: 1 })), 1)
        assertStatus(yield* readList(list, tenant, { limit: 100 }), 200)
        const twice = yield* call("GET", withQuery(yield* list.path(tenant), "limit=1&limit=2"), {
          token: tenant.owner.token,
          organization: tenant.organization.id
        })
        assertProblem(twice, 400, "validation_failed")
      })
    )

    it.effect.each(named)("$id refuses a cursor that it has not given out", (list) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const other = yield* givenTenant()
        yield* addMany(list, tenant, 3)
        yield* addMany(list, other, 3)
        const first = yield* readList(list, tenant, { limit: 1 })
        const cursor = String(first.body.nextCursor)
        assertStatus(yield* readList(list, tenant, { [list.cursor]: cursor }), 200)

        const foreign = String((yield* readList(list, other, { limit: 1 })).body.nextCursor)
        const edited = [0, Math.floor(cursor.length / 2), cursor.length - 2].map(
          (place) => `${cursor.slice(0, place)}${cursor[place] === "A" ? "B" : "A"}${cursor.slice(place + 1)}`
        )
        const forged = [
          "",
          "x",
          "null",
          "W10",
          yield* freshId,
          cursor.slice(0, -1),
          `${cursor}A`,
          `${cursor}=`,
          btoa(JSON.stringify([yield* freshId])),
          "'; DROP TABLE members; --",
          "\u0000",
          "é".repeat(100),
          ...edited,
          foreign
        ]
        for (const forgery of forged) {
          const answer = yield* readList(list, tenant, { [list.cursor]: forgery })
          assertProblem(answer, 400, "cursor_invalid")
        }
        assertProblem(yield* readList(list, tenant, { [list.cursor]: "A".repeat(3000) }), 400, "validation_failed")
      })
    )

    it.effect("no list takes a cursor of another list", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const given = yield* Effect.forEach(
          lists,
          Effect.fnUntraced(function* (list) {
            yield* addMany(list, tenant, 2)
            return { list, cursor: String((yield* readList(list, tenant, { limit: 1 })).body.nextCursor) }
          })
        )
        for (const { list } of given) {
          for (const { cursor, list: other } of given) {
            if (other.endpoint.id === list.endpoint.id) continue
            assertProblem(yield* readList(list, tenant, { [list.cursor]: cursor }), 400, "cursor_invalid")
          }
        }
      })
    )

    it.effect.each(named)("$id refuses parameters that it does not know", (list) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        for (const unknown of ["offset", "page", "__proto__", "constructor", "limit[]"]) {
          const answer = yield* readList(list, tenant, { [unknown]: "1" })
          assertProblem(answer, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(answer), [`/query/${unknown}`])
        }
      })
    )
  })
