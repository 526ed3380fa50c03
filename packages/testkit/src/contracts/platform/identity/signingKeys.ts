import { assert } from "@effect/vitest"
import { type SigningKeyRecord, SigningKeys } from "@parley/domain/platform"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshText } from "../../given.ts"

const key = (createdAt: string): SigningKeyRecord => ({
  kid: freshText("kid"),
  sealedPrivateKey: "c2VhbGVk",
  publicKey: '{"kty":"OKP"}',
  createdAt: DateTime.makeUnsafe(createdAt)
})

const seen = ({ createdAt, kid, publicKey, sealedPrivateKey }: SigningKeyRecord) => ({
  kid,
  sealedPrivateKey,
  publicKey,
  createdAt: DateTime.formatIso(createdAt)
})

export const signingKeys: StorageContract = {
  port: "SigningKeys",
  promises: (it) => {
    it.effect("stores only one of many concurrent first keys, and none after an existing key", () =>
      Effect.gen(function* () {
        const keys = yield* SigningKeys
        const before = yield* keys.all
        const first = Array.from({ length: 10 }, () => key("2001-01-01T00:00:00Z"))
        yield* Effect.forEach(first, keys.insertFirst, { concurrency: "unbounded", discard: true })
        yield* keys.insertFirst(key("2001-01-01T00:00:00Z"))
        const after = yield* keys.all
        assert.lengthOf(after, Math.max(1, before.length))
        if (before.length === 0)
          assert.include(
            first.map(seen).map(({ kid }) => kid),
            after[0]?.kid
          )
      })
    )

    it.effect("gives every key as it was stored, the newest first", () =>
      Effect.gen(function* () {
        const keys = yield* SigningKeys
        const middle = key("2001-02-02T00:00:00.002Z")
        const newest = key("2001-02-02T00:00:00.003Z")
        const oldest = key("2001-02-02T00:00:00.001Z")
        for (const each of [middle, newest, oldest]) yield* keys.insert(each)
        const mine = new Set([oldest.kid, middle.kid, newest.kid])
        const all = yield* keys.all
        assert.deepStrictEqual(all.filter(({ kid }) => mine.has(kid)).map(seen), [newest, middle, oldest].map(seen))
        const times = all.map(({ createdAt }) => DateTime.toEpochMillis(createdAt))
        assert.deepStrictEqual(
          times,
          times.toSorted((one, other) => other - one)
        )
      })
    )
  }
}

export const signingKeysContract = runContract(signingKeys)
