import { assert, describe, it } from "@effect/vitest"
import { PasswordPolicy } from "@parley/domain/platform"
import { layerPasswordPolicy } from "@parley/provider-adapters/security"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { brotliDecompressSync } from "node:zlib"
import { commonPasswordList } from "../../src/security/commonPasswordList.ts"

const text = brotliDecompressSync(Buffer.from(commonPasswordList.brotli, "base64"))
const words = text.toString("latin1").split("\n").slice(0, -1)

const policy = Effect.provide(PasswordPolicy, layerPasswordPolicy())

describe("the list of common passwords", () => {
  it("matches its header", () => {
    assert.strictEqual(commonPasswordList.source, "@zxcvbn-ts/language-common 4.1.3")
    assert.strictEqual(createHash("sha256").update(text).digest("hex"), commonPasswordList.sha256)
    assert.lengthOf(words, 49_233)
    assert.lengthOf(
      words.filter((word) => word.length >= 8),
      17_950
    )
  })

  it("is sorted, in lower case, and of visible ASCII characters", () => {
    assert.deepStrictEqual(words, words.toSorted())
    assert.isTrue(words.every((word) => /^[\x21-\x7e]+$/u.test(word) && word === word.toLowerCase()))
  })

  it.effect("matches each of its entries and no other password", () =>
    Effect.gen(function* () {
      const { hasCommon } = yield* policy
      for (const [place, word] of words.entries()) {
        if (place % 7 !== 0 && place > 20 && place < words.length - 20) continue
        assert.isTrue(yield* hasCommon([word]), word)
        assert.isFalse(yield* hasCommon([`${word}\u0001`, `\u0001${word}`, word.toUpperCase() + "É"]), word)
      }
    })
  )

  it.effect("has a minimum length", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* policy).minLength, 8)
      const strict = yield* Effect.provide(PasswordPolicy, layerPasswordPolicy({ minLength: 15 }))
      assert.strictEqual(strict.minLength, 15)
    })
  )
})
