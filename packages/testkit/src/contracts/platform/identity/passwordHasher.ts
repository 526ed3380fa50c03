import { assert } from "@effect/vitest"
import { PasswordHasher } from "@parley/domain/platform"
import { Effect, Redacted } from "effect"
import { runContract, type SecurityContract } from "../../contract.ts"

const passwords = ["12345678", "correct horse battery staple", "pass\u0000word", "пароль🔑密码", "x".repeat(256)]

const hash = (password: string) => Effect.flatMap(PasswordHasher, (hasher) => hasher.rehash(Redacted.make(password)))

const verify = (password: string, hash: string | null) =>
  Effect.flatMap(PasswordHasher, (hasher) => hasher.verify(Redacted.make(password), hash))

export const passwordHasher: SecurityContract = {
  port: "PasswordHasher",
  promises: (it) => {
    it.effect("verifies its password without a renewal", () =>
      Effect.gen(function* () {
        for (const password of passwords) {
          const verdict = yield* verify(password, yield* hash(password))
          assert.deepStrictEqual({ ...verdict }, { fits: true, outdated: false })
        }
      })
    )

    it.effect("fits no other password, however near", () =>
      Effect.gen(function* () {
        const near = [
          ["correct horse", "correct hors"],
          ["correct horse", "correct horse "],
          ["correct horse", "Correct horse"],
          ["pass\u0000word", "pass\u0000worx"],
          ["pass\u0000word", "pass"],
          ["x".repeat(256), "x".repeat(255)],
          ["x".repeat(256), `${"x".repeat(255)}y`],
          ["correct horse", ""]
        ] as const
        for (const [password, tried] of near) {
          assert.isFalse((yield* verify(tried, yield* hash(password))).fits, `${password} is not ${tried}`)
        }
      })
    )

    it.effect("fits nothing for a user who does not exist", () =>
      Effect.gen(function* () {
        for (const password of ["", ...passwords]) assert.isFalse((yield* verify(password, null)).fits)
      })
    )

    it.effect("hashes one password differently each time, and shows nothing of it", () =>
      Effect.gen(function* () {
        const password = "correct horse battery staple"
        const hashes = [yield* hash(password), yield* hash(password), yield* hash(password)]
        assert.strictEqual(new Set(hashes).size, 3)
        for (const text of hashes) assert.notInclude(text, password)
      })
    )
  }
}

export const passwordHasherContract = runContract(passwordHasher)
