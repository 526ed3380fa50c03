import { assert } from "@effect/vitest"
import { Vault } from "@parley/domain/kernel"
import { Effect, Exit, Redacted } from "effect"
import { runContract, type SecurityContract } from "../contract.ts"
import { edited, freshText } from "../given.ts"

const secrets = ["s", "correct horse battery staple", "é🥐\u0000\n\"'\\", "x".repeat(10_000), ""]

export const vault: SecurityContract = {
  port: "Vault",
  promises: (it) => {
    it.effect("opens what it sealed, in the same place", () =>
      Effect.gen(function* () {
        const vault = yield* Vault
        for (const secret of secrets) {
          const sealed = yield* vault.seal("place/1", Redacted.make(secret))
          assert.strictEqual(Redacted.value(yield* vault.open("place/1", sealed)), secret)
        }
      })
    )

    it.effect("opens nothing in another place, and nothing that was edited", () =>
      Effect.gen(function* () {
        const vault = yield* Vault
        const sealed = yield* vault.seal("place/1", Redacted.make("a secret that is long enough"))
        const dies = (context: string, text: string) =>
          Effect.map(Effect.exit(vault.open(context, text)), (exit) => assert.isTrue(Exit.hasDies(exit)))
        for (const context of ["place/2", "place/", "place/11", "", "Place/1"]) yield* dies(context, sealed)
        for (const forged of [...edited(sealed), "", "x"]) yield* dies("place/1", forged)
      })
    )

    it.effect("seals the same secret differently each time, and shows nothing of it", () =>
      Effect.gen(function* () {
        const vault = yield* Vault
        const secret = freshText("secret")
        const sealed = yield* Effect.replicateEffect(vault.seal("place", Redacted.make(secret)), 20)
        assert.strictEqual(new Set(sealed).size, sealed.length)
        for (const text of sealed) assert.notInclude(text, secret)
      })
    )

    it.effect("gives one fingerprint for one text in one place, and another for any other", () =>
      Effect.gen(function* () {
        const vault = yield* Vault
        const text = freshText("text")
        const [first, again] = yield* Effect.replicateEffect(vault.fingerprint("place", text), 2)
        assert.strictEqual(first, again)
        const others = [
          yield* vault.fingerprint("place", `${text}x`),
          yield* vault.fingerprint("placex", text),
          yield* vault.fingerprint("plac", `e${text}`),
          yield* vault.fingerprint(`place${text}`, ""),
          yield* vault.fingerprint("", `place${text}`)
        ]
        assert.strictEqual(new Set([first, ...others]).size, 6)
        assert.notInclude(first, text)
      })
    )

    it.effect("gives one keyed digest per key and text in every vault, and different ones otherwise", () =>
      Effect.gen(function* () {
        const vault = yield* Vault
        const mac = (key: string, text: string) => vault.mac(Redacted.make(key), text)
        assert.strictEqual(yield* mac("a key", "phone +491701234567"), "k2xCxpYvfaETzMlB_4KQXTdwukYUVP8j9dhSQWPbpwA")
        const all = yield* Effect.all([mac("a key", "t"), mac("a ke", "yt"), mac("b key", "t"), mac("a key", "tt")])
        assert.strictEqual(new Set(all).size, all.length)
      })
    )

    it.effect("gives one digest for one secret, and another for any other", () =>
      Effect.gen(function* () {
        const vault = yield* Vault
        const digest = (text: string) => vault.digest(Redacted.make(text))
        const secret = freshText("secret")
        assert.strictEqual(yield* digest(secret), yield* digest(secret))
        const all = yield* Effect.forEach([secret, secret.toUpperCase(), `${secret} `, ""], digest)
        assert.strictEqual(new Set(all).size, all.length)
        assert.notInclude(all[0], secret)
        // RFC 7636, appendix B.
        const challenge = yield* digest("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        assert.strictEqual(challenge, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
      })
    )
  }
}

export const vaultContract = runContract(vault)
