import { assert, layer } from "@effect/vitest"
import { CurrentActor, Cursors, CurrentOrganization, OrganizationId, Vault } from "@parley/domain/kernel"
import { type Claims, PasswordHasher, TokenSigner } from "@parley/domain/platform"
import { layerMasterKeys, MasterKeys } from "@parley/provider-adapters/security"
import { Cause, Effect, Exit, Inspectable, Layer, Logger, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { inspect } from "node:util"
import { cheap, inMinutes, k1, k2, layerOn, listOf, makeKeyStore } from "./security/fixtures.ts"
import { encode, makeKit, sessionClaims } from "./security/forgery.ts"

const password = "canary-password-7c1f"
const secret = "canary-secret-91ab"
const organization = { id: OrganizationId.make("0195b1a0-0000-7000-8000-000000000001") }
const everyUse: ReadonlyArray<Claims["use"]> = ["session", "automation", "docs"]

const keyText = (key: string) => key.slice(3)

/** Everything that a log, a trace or a test report may make of a value. */
const shown = (value: unknown) =>
  [
    inspect(value, { depth: 20, showHidden: true }),
    Inspectable.toStringUnknown(value),
    JSON.stringify(Inspectable.toJson(value)) ?? "",
    String(value),
    Exit.isExit(value) && Exit.isFailure(value) ? Cause.pretty(value.cause) : "",
    value instanceof Error ? `${value.message}\n${value.stack}` : ""
  ].join("\n")

const assertSilent = (value: unknown, canaries: ReadonlyArray<string>) => {
  const text = shown(value)
  for (const canary of canaries) assert.isFalse(text.includes(canary), `shows ${canary}:\n${text}`)
}

const store = makeKeyStore()

layer(Layer.merge(layerOn(store, { masterKeys: listOf(k2, k1) }), layerMasterKeys(listOf(k2, k1))))(
  "The security adapters",
  (it) => {
    it.effect("show no master key, in the service or in errors about a bad list", () =>
      Effect.gen(function* () {
        assertSilent(yield* MasterKeys, [keyText(k1), keyText(k2), Buffer.alloc(32, 1).toString("hex")])
        assertSilent((yield* MasterKeys).current.derive("vault"), [keyText(k2)])
        for (const list of [
          keyText(k1),
          `${k1};${k2}`,
          `${k1},${k1}`,
          `${k1},x:${keyText(k1)}`,
          `k1:${keyText(k1)}AAAA`
        ]) {
          const exit = yield* Effect.exit(Effect.provide(MasterKeys, layerMasterKeys(Redacted.make(list))))
          assert.isTrue(Exit.isFailure(exit))
          assertSilent(exit, [keyText(k1), keyText(k2)])
        }
      })
    )

    it.effect("show neither secret nor sealed text when a seal is broken", () =>
      Effect.gen(function* () {
        const vault = yield* Vault
        const sealed = yield* vault.seal("here", Redacted.make(secret))
        const body = sealed.split(".")[2] ?? ""
        assertSilent(sealed, [secret, encode(secret)])
        for (const opening of [
          vault.open("there", sealed),
          vault.open("here", `${sealed}A`),
          vault.open("here", secret)
        ]) {
          const exit = yield* Effect.exit(opening)
          assert.isTrue(Exit.isFailure(exit))
          assertSilent(exit, [secret, body])
        }
        assertSilent(yield* vault.open("here", sealed), [secret])
      })
    )

    it.effect("show no password, in hashes, verdicts or refusals", () =>
      Effect.gen(function* () {
        const hasher = yield* PasswordHasher
        const hash = yield* hasher.rehash(Redacted.make(password))
        assertSilent(hash, [password, encode(password)])
        const stored = [hash, null, password, hash.replace(/m=\d+/, `m=${cheap.memory + 1}`)]
        const tries = stored.map((text) => Effect.exit(hasher.verify(Redacted.make(password), text)))
        for (const attempt of tries) assertSilent(yield* attempt, [password])
        const flood = Array.from({ length: 60 }, () => hasher.rehash(Redacted.make(password)))
        const exits = yield* Effect.forEach(flood, (hashing) => Effect.exit(hashing), { concurrency: "unbounded" })
        assert.isTrue(exits.some(Exit.isFailure))
        for (const exit of exits) assertSilent(exit, [password])
      })
    )

    it.effect("show no token and no private key, in claims, refusals or key lists", () =>
      Effect.gen(function* () {
        const signer = yield* TokenSigner
        const kit = yield* makeKit(store)
        const pem = String(kit.ours.export({ format: "pem", type: "pkcs8" }))
        const privateHalf = kit.ours.export({ format: "jwk" }).d ?? ""
        const token = yield* signer.sign(sessionClaims, inMinutes(15))
        const [, body = "", signature = ""] = Redacted.value(token).split(".")
        const canaries = [Redacted.value(token), body, signature, privateHalf, pem]
        assertSilent(token, canaries)
        assertSilent(yield* signer.verify(token, everyUse), canaries)
        assertSilent(yield* Effect.exit(signer.verify(token, ["docs"])), canaries)
        assertSilent(yield* Effect.exit(signer.verify(Redacted.make(`${Redacted.value(token)}x`), everyUse)), canaries)
        assertSilent([yield* signer.publicKeys, yield* signer.keys, yield* signer.rotate], canaries)
        assertSilent(store.state.records, canaries)
        assertSilent(signer, canaries)
      })
    )

    it.effect("show no cursor in errors about a bad one", () =>
      Effect.gen(function* () {
        const cursors = yield* Cursors
        const cursor = yield* cursors.seal("members", [secret])
        assertSilent(yield* Effect.exit(cursors.open("events", cursor)), [cursor, secret])
      }).pipe(
        Effect.provideService(CurrentOrganization, organization),
        Effect.provideService(CurrentActor, { kind: "system", name: "test" })
      )
    )

    it.effect("log no key when the store of keys cannot be used", () =>
      Effect.gen(function* () {
        const logged: Array<unknown> = []
        const signer = yield* TokenSigner
        const kit = yield* makeKit(store)
        const token = yield* signer.sign(sessionClaims, inMinutes(15))
        const { records } = store.state
        store.state.records = records.map((record) => ({
          ...record,
          publicKey: record.sealedPrivateKey,
          kid: `${record.kid}x`
        }))
        yield* TestClock.adjust("1 minute")
        yield* signer
          .verify(token, everyUse)
          .pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => logged.push(message))])))
        store.state.records = records
        assert.lengthOf(logged, 1)
        assertSilent(logged, [
          kit.ours.export({ format: "jwk" }).d ?? "",
          Redacted.value(token),
          ...records.map(({ sealedPrivateKey }) => sealedPrivateKey.slice(6))
        ])
      })
    )
  }
)
