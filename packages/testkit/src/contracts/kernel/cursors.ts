import { assert } from "@effect/vitest"
import { Cursors, OrganizationId } from "@parley/domain/kernel"
import { Effect } from "effect"
import { runContract, type SecurityContract } from "../contract.ts"
import { edited, freshId, inside } from "../given.ts"

const organization = () => ({ id: freshId(OrganizationId) })

const seal = (list: string, key: ReadonlyArray<string>) => Effect.flatMap(Cursors, (cursors) => cursors.seal(list, key))

const open = (list: string, cursor: string) => Effect.flatMap(Cursors, (cursors) => cursors.open(list, cursor))

const refuses = (list: string, cursor: string) =>
  Effect.map(Effect.flip(open(list, cursor)), (error) => assert.strictEqual(error._tag, "CursorInvalid"))

const keys = [["019a-b"], ["2026-01-01T00:00:00.000Z", "019a-b"], ["", "|", "\u0000", 'é🥐"\\', "a,b"], []]

export const cursors: SecurityContract = {
  port: "Cursors",
  promises: (it) => {
    it.effect("keeps one tenant's cursors out of another's lists", () =>
      Effect.gen(function* () {
        const [one, other] = [organization(), organization()]
        const cursor = yield* seal("members", ["7"]).pipe(inside(one))
        yield* refuses("members", cursor).pipe(inside(other))
        assert.deepStrictEqual(Array.from(yield* open("members", cursor).pipe(inside(one))), ["7"])
      })
    )

    it.effect("opens what it sealed", () =>
      Effect.gen(function* () {
        for (const key of keys) {
          const opened = yield* Effect.flatMap(seal("events", key), (cursor) => open("events", cursor))
          assert.deepStrictEqual(Array.from(opened), key)
        }
      }).pipe(inside(organization()))
    )

    it.effect("refuses a cursor of another list", () =>
      Effect.gen(function* () {
        const cursor = yield* seal("members", ["7"])
        for (const list of ["automations", "member", "members2", ""]) yield* refuses(list, cursor)
      }).pipe(inside(organization()))
    )

    it.effect("refuses a cursor changed in any place", () =>
      Effect.gen(function* () {
        const cursor = yield* seal("members", ["019a0000-0000-7000-8000-000000000007"])
        for (const forged of edited(cursor)) yield* refuses("members", forged)
      }).pipe(inside(organization()))
    )

    it.effect("refuses what is no cursor at all", () =>
      Effect.gen(function* () {
        const texts = ["", " ", "x", "null", "{}", "[]", "7", "e30", "W10", "%00", "é🥐", "a.b.c", "a".repeat(10_000)]
        for (const text of texts) yield* refuses("members", text)
      }).pipe(inside(organization()))
    )
  }
}

export const cursorsContract = runContract(cursors)
