import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { AutomationSettings, initialAutomationSettings, StoredAutomationSettings } from "@parley/domain/automation"
import { Effect, Schema } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { givenOrganization, inside } from "../../given.ts"

const plain = Schema.encodeSync(AutomationSettings)

const paused = new AutomationSettings({ paused: true, version: 1 })

const save = (settings: AutomationSettings, expected: number | null) =>
  Effect.flatMap(StoredAutomationSettings, (stored) => transact(stored.save(settings, expected)))

const current = Effect.flatMap(StoredAutomationSettings, (stored) => stored.get())

export const storedAutomationSettings: StorageContract = {
  port: "StoredAutomationSettings",
  promises: (it) => {
    it.effect("are the initial ones until others are stored, in each organization", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        assert.deepStrictEqual(plain(yield* current.pipe(inside(one))), plain(initialAutomationSettings))
        yield* save(paused, null).pipe(inside(one))
        assert.deepStrictEqual(plain(yield* current.pipe(inside(one))), { paused: true, version: 2 })
        assert.deepStrictEqual(plain(yield* current.pipe(inside(other))), plain(initialAutomationSettings))
      })
    )

    it.effect("store the event position of their restart, and keep it through other changes", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const stored = yield* StoredAutomationSettings
        assert.strictEqual(yield* stored.resumedAfter().pipe(inside(one)), 0)
        yield* transact(stored.resume(47)).pipe(inside(one))
        yield* save(paused, null).pipe(inside(one))
        assert.strictEqual(yield* stored.resumedAfter().pipe(inside(one)), 47)
        yield* transact(stored.resume(48)).pipe(inside(one))
        assert.strictEqual(yield* stored.resumedAfter().pipe(inside(one)), 48)
        assert.strictEqual(yield* stored.resumedAfter().pipe(inside(other)), 0)
      })
    )

    it.effect("are stored at the expected version only, and a failed unit of work leaves nothing", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          assert.strictEqual((yield* Effect.flip(save(paused, 2))).current, 1)
          yield* save(paused, null).pipe(Effect.andThen(Effect.fail("refused")), transact, Effect.flip)
          assert.deepStrictEqual(plain(yield* current), plain(initialAutomationSettings))
          assert.deepStrictEqual(plain(yield* save(paused, 1)), { paused: true, version: 2 })
          assert.strictEqual((yield* Effect.flip(save(paused, 1))).current, 2)
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}

export const storedAutomationSettingsContract = runContract(storedAutomationSettings)
