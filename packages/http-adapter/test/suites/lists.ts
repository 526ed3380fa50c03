import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { at, rowsOf } from "../harness/answers.ts"
import type { call } from "../harness/Http.ts"
import { type ListUnderTest, lists, named, pages } from "../harness/lists.ts"
import { addMany, readList } from "../harness/readList.ts"
import { overHttp } from "../harness/service.ts"
import { givenTenant, type Tenant } from "../harness/tenants.ts"

const keysOf = (rows: ReadonlyArray<unknown>) =>
  rows.map((row) =>
    String(
      at(row, "id") ?? at(row, "position") ?? at(row, "number") ?? at(row, "message", "id") ?? at(row, "externalId")
    )
  )

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
    const answer: Effect.Success<ReturnType<typeof call>> = yield* readList(list, tenant, {
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

/** Paging of every list. */
export const listsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it("there is a way to fill every list of the contract", () => {
      assert.deepStrictEqual(
        lists.map(({ endpoint }) => endpoint.id),
        pages.map(({ id }) => id),
        "Add the list, with its rows, to harness/lists.ts."
      )
      assert.isNotEmpty(lists)
    })

    it.effect.each(named)("$id is read to its end, every row once and in one order", (list) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        yield* addMany(list, tenant, 11)
        const whole = keysOf(rowsOf(yield* readList(list, tenant, { limit: 100 })))
        assert.isAtLeast(whole.length, 11)
        assert.deepStrictEqual(yield* readOn(list, tenant, 3), whole)
        assert.deepStrictEqual(yield* readOn(list, tenant, whole.length), whole)
      })
    )

    it.effect.each(named)("$id stays in place while rows are added and taken away", (list) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        yield* addMany(list, tenant, 12)
        const before = keysOf(rowsOf(yield* readList(list, tenant, { limit: 100 })))
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
  })
