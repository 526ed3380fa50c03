import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { BroadcastSettings, initialSettings, StoredBroadcastSettings } from "@parley/domain/campaigns"
import { Effect, Schema } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { givenOrganization, inside } from "../given.ts"

const plain = Schema.encodeSync(BroadcastSettings)

const changed = new BroadcastSettings({
  quietHours: { from: "21:00", to: "08:00" },
  frequencyCaps: [
    { category: "marketing", max: 2, days: 7 },
    { category: "any", max: 50, days: 30 }
  ],
  optOutKeywords: { de: ["Kündigen “sofort”"], "pt-BR": [] },
  optInKeywords: { de: ["Ja, bitte"] },
  optOutReply: { de: "Du bekommst\nnichts mehr. 🥐" },
  attributionHours: 720,
  version: 1
})

const save = (settings: BroadcastSettings, expected: number | null) =>
  Effect.flatMap(StoredBroadcastSettings, (stored) => transact(stored.save(settings, expected)))

const current = Effect.flatMap(StoredBroadcastSettings, (stored) => stored.get())

export const storedBroadcastSettings: StorageContract = {
  port: "StoredBroadcastSettings",
  promises: (it) => {
    it.effect("are the initial ones until others are stored, in each organization", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        assert.deepStrictEqual(plain(yield* current.pipe(inside(one))), plain(initialSettings))
        yield* save(changed, null).pipe(inside(one))
        assert.deepStrictEqual(plain(yield* current.pipe(inside(one))), { ...plain(changed), version: 2 })
        assert.deepStrictEqual(plain(yield* current.pipe(inside(other))), plain(initialSettings))
      })
    )

    it.effect("keep every field, with the version raised by one", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(plain(yield* save(changed, 1)), { ...plain(changed), version: 2 })
        assert.deepStrictEqual(plain(yield* current), { ...plain(changed), version: 2 })
        assert.deepStrictEqual(plain(yield* save(initialSettings, 2)), { ...plain(initialSettings), version: 3 })
        assert.deepStrictEqual(plain(yield* current), { ...plain(initialSettings), version: 3 })
      }).pipe((test) => Effect.flatMap(givenOrganization(), (organization) => inside(organization)(test)))
    )

    it.effect("are stored at the expected version only, and a failed unit of work leaves nothing", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* Effect.flip(save(changed, 2))).current, 1)
        yield* save(changed, null).pipe(Effect.andThen(Effect.fail("refused")), transact, Effect.flip)
        assert.deepStrictEqual(plain(yield* current), plain(initialSettings))
        yield* save(changed, 1)
        assert.strictEqual((yield* Effect.flip(save(changed, 1))).current, 2)
      }).pipe((test) => Effect.flatMap(givenOrganization(), (organization) => inside(organization)(test)))
    )
  }
}

export const storedBroadcastSettingsContract = runContract(storedBroadcastSettings)
