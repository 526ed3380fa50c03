import { assert, layer } from "@effect/vitest"
import { Ids } from "@parley/domain/kernel"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { layerIds } from "@parley/provider-adapters/security"
import { layerNow, now } from "./fixtures.ts"

layer(Layer.mergeAll(layerIds, layerNow))("Ids", (it) => {
  it.effect("makes ids of version 7 that sort in the order they were made in and tell the time", () =>
    Effect.gen(function* () {
      const ids = yield* Ids
      const made = yield* Effect.forEach(Array.from({ length: 5000 }), () => ids.next)
      assert.deepStrictEqual(made.toSorted(), made)
      assert.strictEqual(new Set(made).size, 5000)
      for (const id of made) {
        assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      }
      const [first = ""] = made
      assert.strictEqual(Number.parseInt(first.replaceAll("-", "").slice(0, 12), 16), DateTime.toEpochMillis(now))
    })
  )

  it.effect.each([1, 16, 32, 64])("makes secrets of %i random bytes in base64url", (bytes) =>
    Effect.gen(function* () {
      const ids = yield* Ids
      const made = yield* Effect.forEach(Array.from({ length: 50 }), () => ids.secret(bytes))
      const texts = made.map(Redacted.value)
      for (const text of texts) {
        assert.match(text, /^[A-Za-z0-9_-]+$/)
        assert.strictEqual(Buffer.from(text, "base64url").length, bytes)
      }
      if (bytes >= 16) assert.strictEqual(new Set(texts).size, 50)
      assert.strictEqual(String(made[0]), "<redacted>")
    })
  )
})
