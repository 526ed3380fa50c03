import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain"
import { Effect, type Layer } from "effect"
import { assertProblem, assertStatus, at, pointersOf, rowsOf } from "../harness/answers.ts"
import { call } from "../harness/Http.ts"
import { type ListUnderTest, lists, named, pages } from "../harness/lists.ts"
import { overHttp } from "../harness/service.ts"
import { freshId, givenTenant, type Tenant } from "../harness/tenants.ts"

const read = (list: ListUnderTest, tenant: Tenant, query: Record<string, string | number> = {}) =>
  Effect.flatMap(list.path(tenant), (path) =>
    call("GET", `${path}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`, {
      token: tenant.owner.token,
      organization: tenant.organization.id
    })
  )

const keysOf = (rows: ReadonlyArray<unknown>) => rows.map((row) => String(at(row, "id") ?? at(row, "position")))

const addMany = (list: ListUnderTest, tenant: Tenant, count: number) =>
  Effect.forEach(Array.from({ length: count }), () => list.add(tenant), { discard: true })

/** Reads to the end, page by page, and does something between two pages. */
const readOn = Effect.fnUntraced(function* (
  list: ListUnderTest,
  tenant: Tenant,
  limit: number,
  between: (seen: ReadonlyArray<string>) => Effect.Effect<void, never, Ports> = () => Effect.void
) {
  const seen: Array<string> = []
  let cursor: string | null = null
  for (let page = 0; page < 50; page++) {
    const answer: Effect.Success<ReturnType<typeof call>> = yield* read(list, tenant, {
      limit,
      ...(cursor !== null && { [list.cursor]: cursor })
    })
    const rows = keysOf(rowsOf(answer))
    assert.isAtMost(rows.length, limit)
    seen.push(...rows)
    const next = answer.body.nextCursor
    if (typeof next !== "string" || rows.length === 0) return seen
    cursor = next
    yield* between(seen)
  }
  return yield* Effect.die(new Error(`${list.endpoint.id} does not end.`))
})

/** How every list is paged. */
export const listsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it("there is a way to fill every list of the contract", () => {
      assert.deepStrictEqual(
        lists.map(({ endpoint }) => endpoint.id),
        pages.map(({ id }) => id)
      )
      assert.isNotEmpty(lists)
    })

    it.effect.each(named)("$id takes a limit from 1 to 100 and nothing else", (list) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        yield* addMany(list, tenant, 2)
        for (const limit of ["0", "101", "-1", "1.5", "ten", "", " 5", "0x10", "1e3", "NaN", "Infinity"]) {
          const answer = yield* read(list, tenant, { limit })
          assertProblem(answer, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(answer), ["/query/limit"], limit)
        }
        assert.lengthOf(rowsOf(yield* read(list, tenant, { limit: 1 })), 1)
        assertStatus(yield* read(list, tenant, { limit: 100 }), 200)
        const twice = yield* call("GET", `${yield* list.path(tenant)}?limit=1&limit=2`, {
          token: tenant.owner.token,
          organization: tenant.organization.id
        })
        assertProblem(twice, 400, "validation_failed")
      })
    )

    it.effect.each(named)("$id sends 25 rows when no limit is given", (list) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        yield* addMany(list, tenant, 27)
        const answer = yield* read(list, tenant)
        assert.lengthOf(rowsOf(answer), 25)
        assert.isString(answer.body.nextCursor)
      })
    )

    it.effect.each(named)("$id is read to its end, every row once and in one order", (list) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        yield* addMany(list, tenant, 11)
        const whole = keysOf(rowsOf(yield* read(list, tenant, { limit: 100 })))
        assert.isAtLeast(whole.length, 11)
        assert.deepStrictEqual(yield* readOn(list, tenant, 3), whole)
        assert.deepStrictEqual(yield* readOn(list, tenant, whole.length), whole)
      })
    )

    it.effect.each(named)("$id stays in place while rows are added and taken away", (list) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        yield* addMany(list, tenant, 12)
        const before = keysOf(rowsOf(yield* read(list, tenant, { limit: 100 })))
        const removed = new Set<string>()
        let added = 0
        const seen = yield* readOn(list, tenant, 4, (seen) =>
          Effect.gen(function* () {
            if (added < 3) {
              added += 1
              yield* list.add(tenant)
            }
            if (list.remove === undefined || removed.size > 3) return
            const gone = [seen.at(-1), before.find((id) => !seen.includes(id) && !removed.has(id) && id !== before[0])]
            for (const id of gone) {
              if (id === undefined || removed.has(id)) continue
              removed.add(id)
              yield* list.remove(tenant, id)
            }
          })
        )
        assert.strictEqual(new Set(seen).size, seen.length, "A row came twice.")
        const expected = before.filter((id) => seen.includes(id) || !removed.has(id))
        assert.deepStrictEqual(
          seen.filter((id) => before.includes(id)),
          expected
        )
      })
    )

    it.effect.each(named)("$id refuses a cursor that it has not given out", (list) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const other = yield* givenTenant()
        yield* addMany(list, tenant, 3)
        yield* addMany(list, other, 3)
        const first = yield* read(list, tenant, { limit: 1 })
        const cursor = String(first.body.nextCursor)
        assertStatus(yield* read(list, tenant, { [list.cursor]: cursor }), 200)

        const foreign = String((yield* read(list, other, { limit: 1 })).body.nextCursor)
        const ofOtherLists = yield* Effect.forEach(
          lists.filter(({ endpoint }) => endpoint.id !== list.endpoint.id),
          Effect.fnUntraced(function* (another) {
            yield* addMany(another, tenant, 2)
            return String((yield* read(another, tenant, { limit: 1 })).body.nextCursor)
          })
        )
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
          foreign,
          ...ofOtherLists
        ]
        for (const forgery of forged) {
          const answer = yield* read(list, tenant, { [list.cursor]: forgery })
          assertProblem(answer, 400, "cursor_invalid")
        }
        assertProblem(yield* read(list, tenant, { [list.cursor]: "A".repeat(3000) }), 400, "validation_failed")
      })
    )

    it.effect.each(named)("$id refuses parameters that it does not know", (list) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        for (const unknown of ["offset", "page", "__proto__", "constructor", "limit[]"]) {
          const answer = yield* read(list, tenant, { [unknown]: "1" })
          assertProblem(answer, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(answer), [`/query/${unknown}`])
        }
      })
    )
  })
