import { assert, describe, it } from "@effect/vitest"
import { Vault } from "@parley/domain/kernel"
import { Cause, Effect, Exit, Layer, Redacted, Schema } from "effect"
import { createHash } from "node:crypto"
import { layerMasterKeys, layerVault, SealBroken } from "@parley/provider-adapters/security"
import { k1, k2, k3, listOf } from "./fixtures.ts"

const vaultWith = (...keys: ReadonlyArray<string>) =>
  Effect.provide(Vault, layerVault.pipe(Layer.provide(layerMasterKeys(listOf(...keys)))))

const secretOf = (text: string) => Redacted.make(text)

const assertBroken = Effect.fnUntraced(function* (opening: Effect.Effect<Redacted.Redacted>, problem?: string) {
  const exit = yield* Effect.exit(opening)
  assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
  const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : null
  assert.instanceOf(defect, SealBroken)
  if (problem !== undefined) assert.strictEqual(defect.problem, problem)
})

const anyText = Schema.String
const anyByte = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))

describe("Vault", () => {
  it.effect.prop("opens its sealed values for every text and context", { text: anyText, context: anyText }, (given) =>
    Effect.gen(function* () {
      const vault = yield* vaultWith(k1)
      const sealed = yield* vault.seal(given.context, secretOf(given.text))
      assert.strictEqual(Redacted.value(yield* vault.open(given.context, sealed)), given.text)
    })
  )

  it.effect.each(["", "\u0000", "a\u0000b", "🥐", "\ud83e", "x\udd50y", "Ä", "A\u0308", "x".repeat(1_000_000)])(
    "gives back the text to the letter (case %#)",
    (text) =>
      Effect.gen(function* () {
        const vault = yield* vaultWith(k1)
        const sealed = yield* vault.seal("c", secretOf(text))
        assert.isTrue(Redacted.value(yield* vault.open("c", sealed)) === text)
      })
  )

  it.effect("seals the same text differently every time", () =>
    Effect.gen(function* () {
      const vault = yield* vaultWith(k1)
      const sealed = yield* Effect.forEach(Array.from({ length: 100 }), () => vault.seal("c", secretOf("same")))
      assert.strictEqual(new Set(sealed).size, 100)
    })
  )

  it.effect.prop(
    "does not open when any bit of the sealed text is flipped",
    { text: anyText, place: anyByte, bit: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 7 })) },
    ({ bit, place, text }) =>
      Effect.gen(function* () {
        const vault = yield* vaultWith(k1, k2)
        const bytes = Buffer.from(yield* vault.seal("c", secretOf(text)), "latin1")
        const index = place % bytes.length
        bytes[index] = (bytes[index] ?? 0) ^ (1 << bit)
        yield* assertBroken(vault.open("c", bytes.toString("latin1")))
      }),
    { arbitrary: { runs: 500 } }
  )

  it.effect("does not open when any one bit of any part is flipped, all of them tried", () =>
    Effect.gen(function* () {
      const vault = yield* vaultWith(k1)
      const [version = "", id = "", encoded = ""] = (yield* vault.seal("c", secretOf("secret"))).split(".")
      const bytes = Buffer.from(encoded, "base64url")
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const altered = Buffer.from(bytes)
        altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        yield* assertBroken(
          vault.open("c", `${version}.${id}.${altered.toString("base64url")}`),
          "it was altered, or sealed elsewhere or with another key"
        )
      }
    })
  )

  it.effect("opens in no other context", () =>
    Effect.gen(function* () {
      const vault = yield* vaultWith(k1)
      const sealed = yield* vault.seal("organization-a", secretOf("secret"))
      for (const context of [
        "organization-b",
        "",
        "organization-a ",
        "Organization-a",
        'organization-a"',
        "organization-"
      ]) {
        yield* assertBroken(vault.open(context, sealed), "it was altered, or sealed elsewhere or with another key")
      }
    })
  )

  it.effect.each([
    ["an empty text", ""],
    ["something else", "hello"],
    ["another version", "v2.k1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"],
    ["no key id", "v1..AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"],
    ["too few bytes", "v1.k1.AAAA"],
    ["no bytes", "v1.k1."],
    ["padding", "v1.k1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="],
    ["spare bits", "v1.k1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB"],
    ["a line break", "v1.k1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n"]
  ] as const)("says of %s that it is not a sealed text", ([, text]) =>
    Effect.gen(function* () {
      yield* assertBroken((yield* vaultWith(k1)).open("c", text), "it is not a sealed text")
    })
  )

  it.effect("seals with a new master key and still opens what the old one sealed", () =>
    Effect.gen(function* () {
      const before = yield* vaultWith(k1)
      const after = yield* vaultWith(k2, k1)
      const old = yield* before.seal("c", secretOf("old"))
      const fresh = yield* after.seal("c", secretOf("fresh"))
      assert.strictEqual(Redacted.value(yield* after.open("c", old)), "old")
      assert.isTrue(fresh.startsWith("v1.k2."))
      yield* assertBroken(before.open("c", fresh), "the master key k2 is not configured")
      yield* assertBroken((yield* vaultWith(k3, k2)).open("c", old), "the master key k1 is not configured")
    })
  )

  it.effect("does not open with another key of the same id, nor under another id of the same list", () =>
    Effect.gen(function* () {
      const sealed = yield* (yield* vaultWith(k1)).seal("c", secretOf("secret"))
      const impostor = yield* vaultWith(`k1:${k2.slice(3)}`)
      yield* assertBroken(impostor.open("c", sealed), "it was altered, or sealed elsewhere or with another key")
      const relabelled = sealed.replace("v1.k1.", "v1.k2.")
      yield* assertBroken((yield* vaultWith(k1, k2)).open("c", relabelled))
    })
  )

  it.effect("makes fingerprints that differ by context and text, and only there", () =>
    Effect.gen(function* () {
      const vault = yield* vaultWith(k1)
      const print = yield* vault.fingerprint("login", "ada@example.com")
      assert.strictEqual(yield* vault.fingerprint("login", "ada@example.com"), print)
      assert.match(print, /^[A-Za-z0-9_-]{43}$/)
      const others = yield* Effect.all([
        vault.fingerprint("login", "ada@example.co"),
        vault.fingerprint("logi", "nada@example.com"),
        vault.fingerprint('login"]', "ada@example.com"),
        vault.fingerprint("login", '"]ada@example.com'),
        vault.fingerprint("", "ada@example.com"),
        vault.fingerprint("login", "")
      ])
      assert.strictEqual(new Set([print, ...others]).size, 7)
    })
  )

  it.effect("makes fingerprints that need the master key and survive a new one", () =>
    Effect.gen(function* () {
      const print = yield* (yield* vaultWith(k1)).fingerprint("login", "ada@example.com")
      assert.notStrictEqual(yield* (yield* vaultWith(k2)).fingerprint("login", "ada@example.com"), print)
      for (const keys of [
        [k1, k2],
        [k2, k1],
        [k3, k2, k1]
      ]) {
        assert.strictEqual(yield* (yield* vaultWith(...keys)).fingerprint("login", "ada@example.com"), print)
      }
      assert.notStrictEqual(createHash("sha256").update("ada@example.com").digest("base64url"), print)
    })
  )

  it.effect("digests with SHA-256 in base64url, equal on every process for all keys", () =>
    Effect.gen(function* () {
      const expected = createHash("sha256").update("a random secret").digest("base64url")
      assert.strictEqual(yield* (yield* vaultWith(k1)).digest(secretOf("a random secret")), expected)
      assert.strictEqual(yield* (yield* vaultWith(k2)).digest(secretOf("a random secret")), expected)
    })
  )
})
