import { assert } from "@effect/vitest"
import { Automation, AutomationId, Automations, transact } from "@parley/domain"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, givenOrganization, inside, plain } from "../given.ts"

const newAutomation = (overrides: Partial<Automation> = {}) =>
  new Automation({
    id: freshId(AutomationId),
    name: "Welcome “new” people \\ 100 % _ 🎉",
    enabled: false,
    createdAt: DateTime.makeUnsafe("2026-01-02T03:04:05.678Z"),
    updatedAt: DateTime.makeUnsafe("2026-01-02T03:04:05.679Z"),
    version: 1,
    ...overrides
  })

const insert = Effect.fnUntraced(function* (automation = newAutomation()) {
  yield* transact((yield* Automations).insert(automation))
  return automation
})

const save = (automation: Automation, expected: number | null) =>
  Effect.flatMap(Automations, (automations) => transact(automations.save(automation, expected)))

const remove = (id: AutomationId, expected: number | null) =>
  Effect.flatMap(Automations, (automations) => transact(automations.remove(id, expected)))

export const automations: StorageContract = {
  port: "Automations",
  promises: (it) => {
    it.effect("keeps one tenant's automations out of another's sight", () =>
      Effect.gen(function* () {
        const automations = yield* Automations
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const automation = yield* insert().pipe(inside(one))
        yield* Effect.gen(function* () {
          const { id } = automation
          assert.strictEqual((yield* Effect.flip(automations.get(id)))._tag, "NotFound")
          assert.lengthOf(yield* automations.list({ limit: 100, after: null }), 0)
          for (const expected of [1, 2, null]) {
            assert.strictEqual((yield* Effect.flip(save(automation, expected)))._tag, "NotFound")
            assert.strictEqual((yield* Effect.flip(remove(id, expected)))._tag, "NotFound")
          }
        }).pipe(inside(other))
        const kept = yield* automations.get(automation.id).pipe(inside(one))
        assert.deepStrictEqual(plain.automation(kept), plain.automation(automation))
      })
    )

    it.effect("a failed unit of work leaves nothing", () =>
      Effect.gen(function* () {
        const automations = yield* Automations
        yield* Effect.gen(function* () {
          const [kept, saved] = [yield* insert(), yield* insert()]
          yield* insert().pipe(
            Effect.andThen(save(new Automation({ ...saved, name: "Renamed" }), 1)),
            Effect.andThen(remove(kept.id, null)),
            Effect.andThen(Effect.fail("refused")),
            transact,
            Effect.flip
          )
          const left = yield* automations.list({ limit: 100, after: null })
          assert.deepStrictEqual(left.map(plain.automation), [saved, kept].map(plain.automation))
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("stores what changed, and raises the version by one", () =>
      Effect.gen(function* () {
        const automations = yield* Automations
        yield* Effect.gen(function* () {
          const automation = yield* insert()
          const changed = new Automation({
            ...automation,
            name: "Farewell",
            enabled: true,
            updatedAt: DateTime.makeUnsafe("2026-02-03T04:05:06.007Z")
          })
          const expected = { ...plain.automation(changed), version: 2 }
          assert.deepStrictEqual(plain.automation(yield* save(changed, 1)), expected)
          assert.deepStrictEqual(plain.automation(yield* automations.get(automation.id)), expected)
          assert.strictEqual((yield* save(changed, null)).version, 3)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("refuses a version that is not the current one, and an id that is nobody's", () =>
      Effect.gen(function* () {
        const automations = yield* Automations
        yield* Effect.gen(function* () {
          const automation = yield* insert()
          yield* save(automation, 1)
          for (const expected of [1, 3]) {
            for (const refused of [save(automation, expected), remove(automation.id, expected)]) {
              const error = yield* Effect.flip(refused)
              assert.strictEqual(error._tag === "VersionConflict" ? error.current : error._tag, 2)
            }
            assert.strictEqual((yield* Effect.flip(save(newAutomation(), expected)))._tag, "NotFound")
            assert.strictEqual((yield* Effect.flip(remove(freshId(AutomationId), expected)))._tag, "NotFound")
          }
          assert.strictEqual((yield* Effect.flip(save(newAutomation(), null)))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(remove(freshId(AutomationId), null)))._tag, "NotFound")
          assert.strictEqual((yield* automations.get(automation.id)).version, 2)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("of many at once that expect the same version, one is stored", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const automation = yield* insert()
          const exits = yield* Effect.replicateEffect(Effect.exit(save(automation, 1)), 10, {
            concurrency: "unbounded"
          })
          assert.strictEqual(exits.filter(({ _tag }) => _tag === "Success").length, 1)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("removes an automation at the expected version, or whatever it is", () =>
      Effect.gen(function* () {
        const automations = yield* Automations
        yield* Effect.gen(function* () {
          const [one, other] = [yield* insert(), yield* insert()]
          yield* remove(one.id, 1)
          yield* remove(other.id, null)
          assert.lengthOf(yield* automations.list({ limit: 100, after: null }), 0)
          assert.strictEqual((yield* Effect.flip(automations.get(one.id)))._tag, "NotFound")
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("lists the newest first, page after page, while others come and go", () =>
      Effect.gen(function* () {
        const automations = yield* Automations
        yield* Effect.gen(function* () {
          const page = (after: AutomationId | null) =>
            Effect.map(automations.list({ limit: 2, after: after === null ? null : [after] }), (page) =>
              page.map(({ id }) => id)
            )
          const [first, second, third, fourth, fifth, sixth] = [
            (yield* insert()).id,
            (yield* insert()).id,
            (yield* insert()).id,
            (yield* insert()).id,
            (yield* insert()).id,
            (yield* insert()).id
          ]
          assert.deepStrictEqual(yield* page(null), [sixth, fifth])
          yield* insert()
          yield* remove(fifth, null)
          yield* remove(third, null)
          assert.deepStrictEqual(yield* page(fifth), [fourth, second])
          assert.deepStrictEqual(yield* page(second), [first])
          assert.deepStrictEqual(yield* page(first), [])
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}

/** What every `Automations` promises. */
export const automationsContract = runContract(automations)
