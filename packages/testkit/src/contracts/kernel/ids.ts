import { assert } from "@effect/vitest"
import { Ids } from "@parley/domain/kernel"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { runContract, type SecurityContract } from "../contract.ts"
import { present } from "../given.ts"

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export const ids: SecurityContract = {
  port: "Ids",
  promises: (it) => {
    it.effect("makes UUIDs of version 7 that sort by time", () =>
      Effect.gen(function* () {
        yield* present
        const { next } = yield* Ids
        const first = yield* Effect.replicateEffect(next, 500)
        yield* TestClock.adjust("1 milli")
        const made = [...first, ...(yield* Effect.replicateEffect(next, 500))]
        for (const id of made) assert.match(id, uuidV7)
        assert.deepStrictEqual(made, made.toSorted())
        assert.strictEqual(new Set(made).size, made.length)
      })
    )

    it.effect("makes unique ids under concurrency", () =>
      Effect.gen(function* () {
        const made = yield* Effect.replicateEffect((yield* Ids).next, 500, { concurrency: "unbounded" })
        assert.strictEqual(new Set(made).size, made.length)
      })
    )

    it.effect("makes equal UUIDs of version 5 for equal names in every process", () =>
      Effect.gen(function* () {
        const { derived } = yield* Ids
        const dns = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
        assert.strictEqual(yield* derived(dns, "www.example.com"), "2ed6657d-e927-568b-95e1-2665a8aea6a2")
        assert.notStrictEqual(yield* derived(dns, "1"), yield* derived(dns, "2"))
      })
    )

    it.effect("makes secrets of as many random bytes as asked, in base64url", () =>
      Effect.gen(function* () {
        const { secret } = yield* Ids
        for (const bytes of [16, 32, 33, 64]) {
          const text = Redacted.value(yield* secret(bytes))
          assert.match(text, /^[A-Za-z0-9_-]+$/)
          assert.lengthOf(text, Math.ceil((bytes * 4) / 3))
        }
        const many = yield* Effect.replicateEffect(Effect.map(secret(32), Redacted.value), 500)
        assert.strictEqual(new Set(many).size, many.length)
      })
    )

    it.effect("shows no secret by accident", () =>
      Effect.gen(function* () {
        const secret = yield* (yield* Ids).secret(32)
        assert.notInclude(`${String(secret)} ${JSON.stringify({ secret })}`, Redacted.value(secret))
      })
    )
  }
}

export const idsContract = runContract(ids)
