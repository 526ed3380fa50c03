import { assert } from "@effect/vitest"
import { PasswordPolicy } from "@parley/domain/platform"
import { Effect } from "effect"
import { runContract, type SecurityContract } from "../../contract.ts"

const common = ["password", "12345678", "iloveyou", "trustno1"]

const uncommon = [
  "correct horse battery staple",
  "",
  "\n",
  "password\n",
  "\npassword",
  "password".repeat(4),
  "password\niloveyou",
  "PASSWORD",
  "\u0000",
  "\uffff".repeat(256),
  "é🥐"
]

const has = (...passwords: ReadonlyArray<string>) => Effect.flatMap(PasswordPolicy, (list) => list.hasCommon(passwords))

export const passwordPolicy: SecurityContract = {
  port: "PasswordPolicy",
  promises: (it) => {
    it.effect("finds common passwords by their exact spelling", () =>
      Effect.gen(function* () {
        for (const password of common) assert.isTrue(yield* has(password), password)
        for (const password of uncommon) assert.isFalse(yield* has(password), JSON.stringify(password))
      })
    )

    it.effect("finds a common password among several spellings", () =>
      Effect.gen(function* () {
        assert.isTrue(yield* has(...uncommon, "iloveyou"))
        assert.isFalse(yield* has(...uncommon))
        assert.isFalse(yield* has())
      })
    )
  }
}

/** Contract of `PasswordPolicy`. */
export const passwordPolicyContract = runContract(passwordPolicy)
