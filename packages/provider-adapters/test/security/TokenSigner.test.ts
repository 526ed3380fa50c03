import { assert, describe, it, vi } from "@effect/vitest"
import { StorageUnavailable } from "@parley/domain/kernel"
import { type Claims, SigningKeys, TokenExpired, TokenInvalid, TokenSigner } from "@parley/domain/platform"
import { Context, DateTime, Deferred, Effect, Fiber, Layer, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import { createLocalJWKSet, jwtVerify } from "jose"
import { SealBroken, SigningKeyBroken } from "@parley/provider-adapters/security"
import { inMinutes, issuer, k1, k2, type KeyStore, layerOn, listOf, makeKeyStore, now } from "./fixtures.ts"
import { automationClaims, docsClaims, sessionClaims } from "./forgery.ts"

const everyUse: ReadonlyArray<Claims["use"]> = ["session", "automation", "docs"]

/** A separate node on the store. */
const nodeOn = (store: KeyStore, overrides: Parameters<typeof layerOn>[1] = {}) =>
  Effect.map(Layer.build(Layer.fresh(layerOn(store, overrides))), Context.get(TokenSigner))

const partOf = (token: Redacted.Redacted, index: 0 | 1): Record<string, unknown> =>
  JSON.parse(Buffer.from(Redacted.value(token).split(".")[index] ?? "", "base64url").toString())

const kidOf = (token: Redacted.Redacted) => partOf(token, 0)["kid"]

const unknownKid = (token: Redacted.Redacted, index: number) => {
  const [, payload, signature] = Redacted.value(token).split(".")
  const kid = String(index).padStart(43, "x")
  const header = Buffer.from(JSON.stringify({ alg: "EdDSA", kid, typ: "at+jwt" })).toString("base64url")
  return Redacted.make(`${header}.${payload}.${signature}`)
}

describe("TokenSigner", () => {
  it.effect.each([sessionClaims, automationClaims, docsClaims])("gives back what it signed ($use)", (claims) =>
    Effect.gen(function* () {
      const signer = yield* nodeOn(makeKeyStore())
      const token = yield* signer.sign(claims, inMinutes(15))
      const expected = { ...claims, expiresAt: inMinutes(15) }
      assert.deepStrictEqual(yield* signer.verify(token, [claims.use]), expected)
      assert.deepStrictEqual(yield* signer.verify(token, everyUse), expected)
    })
  )

  it.effect("says no more in a token than is needed", () =>
    Effect.gen(function* () {
      const signer = yield* nodeOn(makeKeyStore())
      const token = (claims: Claims) => signer.sign(claims, inMinutes(15))
      const claimsIn = (claims: Claims) =>
        Effect.map(token(claims), (signed) => Object.keys(partOf(signed, 1)).toSorted())
      assert.deepStrictEqual(yield* claimsIn(sessionClaims), ["aud", "exp", "iat", "iss", "jti", "sid", "sub"])
      assert.deepStrictEqual(yield* claimsIn(automationClaims), ["aud", "exp", "iat", "iss", "jti", "org", "sub"])
      assert.deepStrictEqual(yield* claimsIn(docsClaims), ["aud", "exp", "iat", "iss", "jti", "org", "sid", "sub"])
      const header = partOf(yield* token(docsClaims), 0)
      assert.deepStrictEqual([header["alg"], header["typ"]], ["EdDSA", "docs+jwt"])
      assert.isBelow(Redacted.value(yield* token(sessionClaims)).length, 600)
    })
  )

  it.effect("signs every token with a unique id", () =>
    Effect.gen(function* () {
      const signer = yield* nodeOn(makeKeyStore())
      const tokens = yield* Effect.forEach(Array.from({ length: 50 }), () => signer.sign(sessionClaims, inMinutes(15)))
      assert.strictEqual(new Set(tokens.map((token) => partOf(token, 1)["jti"])).size, 50)
    })
  )

  it.effect("publishes keys that another library verifies its tokens with", () =>
    Effect.gen(function* () {
      const signer = yield* nodeOn(makeKeyStore())
      const old = yield* signer.sign(sessionClaims, inMinutes(15))
      yield* signer.rotate
      const fresh = yield* signer.sign(docsClaims, inMinutes(15))
      const keys = yield* signer.publicKeys
      for (const key of keys) {
        assert.deepStrictEqual(Object.keys(key).toSorted(), ["alg", "crv", "kid", "kty", "use", "x"])
        assert.deepStrictEqual([key.alg, key.crv, key.kty, key.use], ["EdDSA", "Ed25519", "OKP", "sig"])
      }
      const jwks = createLocalJWKSet({ keys: keys.map((key) => ({ ...key })) })
      const currentDate = DateTime.toDate(now)
      const session = yield* Effect.promise(() =>
        jwtVerify(Redacted.value(old), jwks, { issuer, audience: "parley", typ: "at+jwt", currentDate })
      )
      const docs = yield* Effect.promise(() =>
        jwtVerify(Redacted.value(fresh), jwks, { issuer, audience: "docs", typ: "docs+jwt", currentDate })
      )
      assert.strictEqual(session.payload.sub, sessionClaims.use === "session" ? sessionClaims.userId : null)
      assert.strictEqual(docs.payload["org"], docsClaims.use === "docs" ? docsClaims.organizationId : null)
    })
  )

  it.effect("refuses a token from its expiry on, also one verified before", () =>
    Effect.gen(function* () {
      const signer = yield* nodeOn(makeKeyStore())
      const token = yield* signer.sign(sessionClaims, inMinutes(15))
      const unseen = yield* signer.sign(sessionClaims, inMinutes(15))
      yield* TestClock.adjust("14 minutes")
      yield* signer.verify(token, ["session"])
      yield* TestClock.adjust("59999 millis")
      yield* signer.verify(token, ["session"])
      yield* TestClock.adjust("1 millis")
      assert.instanceOf(yield* Effect.flip(signer.verify(token, ["session"])), TokenExpired)
      assert.instanceOf(yield* Effect.flip(signer.verify(unseen, ["session"])), TokenExpired)
      assert.instanceOf(yield* Effect.flip(signer.verify(token, ["docs"])), TokenInvalid)
    })
  )

  it.effect("never lets a token live longer than it was signed for, to the second", () =>
    Effect.gen(function* () {
      const signer = yield* nodeOn(makeKeyStore())
      const token = yield* signer.sign(sessionClaims, DateTime.add(now, { milliseconds: 10_999 }))
      assert.deepStrictEqual((yield* signer.verify(token, ["session"])).expiresAt, DateTime.add(now, { seconds: 10 }))
    })
  )

  it.effect("creates the first key once for all processes that start together", () =>
    Effect.gen(function* () {
      const store = makeKeyStore()
      const nodes = yield* Effect.all(
        Array.from({ length: 8 }, () => nodeOn(store)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(store.state.records.length, 1)
      const tokens = yield* Effect.forEach(nodes, (node) => node.sign(sessionClaims, inMinutes(15)))
      for (const node of nodes) {
        for (const token of tokens) assert.strictEqual((yield* node.verify(token, ["session"])).use, "session")
      }
    })
  )

  it.effect("keeps nothing of a private key in the store that is not sealed", () =>
    Effect.gen(function* () {
      const store = makeKeyStore()
      yield* nodeOn(store)
      const [record] = store.state.records
      assert.deepStrictEqual(Object.keys(JSON.parse(record?.publicKey ?? "")).toSorted(), ["crv", "kty", "x"])
      assert.match(record?.sealedPrivateKey ?? "", /^v1\.k1\./)
    })
  )

  describe("with a new key", () => {
    it.effect("signs with it directly without ending sessions", () =>
      Effect.gen(function* () {
        const signer = yield* nodeOn(makeKeyStore())
        const seen = yield* signer.sign(sessionClaims, inMinutes(15))
        const unseen = yield* signer.sign(automationClaims, inMinutes(15))
        yield* signer.verify(seen, ["session"])
        const summary = yield* signer.rotate
        const fresh = yield* signer.sign(sessionClaims, inMinutes(15))
        assert.strictEqual(kidOf(fresh), summary.kid)
        assert.notStrictEqual(kidOf(seen), summary.kid)
        yield* signer.verify(seen, ["session"])
        yield* signer.verify(unseen, ["automation"])
        yield* signer.verify(fresh, ["session"])
      })
    )

    it.effect("verifies on every other process directly, which signs with it within a minute", () =>
      Effect.gen(function* () {
        const store = makeKeyStore()
        const one = yield* nodeOn(store)
        const other = yield* nodeOn(store)
        const old = yield* other.sign(sessionClaims, inMinutes(15))
        const { kid } = yield* one.rotate
        yield* other.verify(yield* one.sign(sessionClaims, inMinutes(15)), ["session"])
        yield* one.verify(old, ["session"])
        yield* TestClock.adjust("60 seconds")
        assert.strictEqual(kidOf(yield* other.sign(sessionClaims, inMinutes(15))), kid)
        yield* other.verify(old, ["session"])
      })
    )

    it.effect("signs with it on a node that never verifies, within a minute", () =>
      Effect.gen(function* () {
        const store = makeKeyStore()
        const one = yield* nodeOn(store)
        const other = yield* nodeOn(store)
        const { kid } = yield* one.rotate
        yield* TestClock.adjust("59 seconds")
        assert.notStrictEqual(kidOf(yield* other.sign(sessionClaims, inMinutes(15))), kid)
        yield* TestClock.adjust("1 second")
        assert.strictEqual(kidOf(yield* other.sign(sessionClaims, inMinutes(15))), kid)
      })
    )

    it.effect("publishes it on every process directly, the newest first", () =>
      Effect.gen(function* () {
        const store = makeKeyStore()
        const one = yield* nodeOn(store)
        const other = yield* nodeOn(store)
        const [first] = yield* other.keys
        const second = yield* one.rotate
        const third = yield* one.rotate
        const kids = [third.kid, second.kid, first?.kid]
        for (const node of [one, other]) {
          assert.deepStrictEqual(
            (yield* node.publicKeys).map(({ kid }) => kid),
            kids
          )
          assert.deepStrictEqual(
            (yield* node.keys).map(({ active, kid }) => [kid, active]),
            [
              [kids[0], true],
              [kids[1], false],
              [kids[2], false]
            ]
          )
        }
      })
    )

    it.effect("signs with it even when another node's clock was ahead", () =>
      Effect.gen(function* () {
        const store = makeKeyStore()
        const one = yield* nodeOn(store)
        yield* TestClock.adjust("1 hour")
        const ahead = yield* one.rotate
        yield* TestClock.setTime(DateTime.toEpochMillis(now))
        const summary = yield* one.rotate
        assert.isTrue(DateTime.isGreaterThan(summary.createdAt, ahead.createdAt))
        assert.strictEqual(kidOf(yield* one.sign(sessionClaims, inMinutes(15))), summary.kid)
      })
    )

    it.effect("goes on signing with the old one while the store does not hold the new one", () =>
      Effect.gen(function* () {
        const store = makeKeyStore()
        const signer = yield* nodeOn(store)
        const committed = store.state.records
        const { kid } = yield* signer.rotate
        const inserted = store.state.records
        store.state.records = committed
        assert.notStrictEqual(kidOf(yield* signer.sign(sessionClaims, inMinutes(15))), kid)
        store.state.records = inserted
        assert.strictEqual(kidOf(yield* signer.sign(sessionClaims, inMinutes(15))), kid)
      })
    )

    it.effect("forgets it when the store fails to save it", () =>
      Effect.gen(function* () {
        const store = makeKeyStore()
        const signer = yield* nodeOn(store)
        const committed = store.state.records
        yield* signer.rotate
        store.state.records = committed
        yield* TestClock.adjust("60 seconds")
        yield* signer.sign(sessionClaims, inMinutes(15))
        const { reads } = store.state
        const token = yield* signer.sign(sessionClaims, inMinutes(15))
        assert.strictEqual(kidOf(token), committed[0]?.kid)
        assert.strictEqual(store.state.reads, reads)
      })
    )
  })

  it.effect("refuses the tokens of a removed key, also those verified before", () =>
    Effect.gen(function* () {
      const store = makeKeyStore()
      const signer = yield* nodeOn(store)
      const token = yield* signer.sign(sessionClaims, inMinutes(15))
      const { kid } = yield* signer.rotate
      yield* signer.verify(token, ["session"])
      store.state.records = store.state.records.filter((record) => record.kid === kid)
      yield* TestClock.adjust("60 seconds")
      assert.instanceOf(yield* Effect.flip(signer.verify(token, ["session"])), TokenInvalid)
      yield* signer.verify(yield* signer.sign(sessionClaims, inMinutes(15)), ["session"])
    })
  )

  it.effect("asks the store for unknown keys once a second, however many come", () =>
    Effect.gen(function* () {
      const store = makeKeyStore()
      const signer = yield* nodeOn(store)
      const token = yield* signer.sign(sessionClaims, inMinutes(15))
      const before = store.state.reads
      const flood = Effect.forEach(
        Array.from({ length: 500 }, (_, index) => unknownKid(token, index)),
        (garbage) => Effect.flip(signer.verify(garbage, ["session"])),
        { concurrency: "unbounded" }
      )
      assert.isTrue((yield* flood).every((error) => error instanceof TokenInvalid))
      assert.strictEqual(store.state.reads - before, 1)
      yield* TestClock.adjust("999 millis")
      yield* flood
      assert.strictEqual(store.state.reads - before, 1)
      yield* TestClock.adjust("1 millis")
      yield* flood
      assert.strictEqual(store.state.reads - before, 2)
    })
  )

  it.effect("makes no store call for a malformed token", () =>
    Effect.gen(function* () {
      const store = makeKeyStore()
      const signer = yield* nodeOn(store)
      const before = store.state.reads
      for (const garbage of ["", "a.b.c", "x".repeat(5000), "eyJhbGciOiJub25lIn0.e30."]) {
        assert.instanceOf(yield* Effect.flip(signer.verify(Redacted.make(garbage), everyUse)), TokenInvalid)
      }
      assert.strictEqual(store.state.reads, before)
    })
  )

  it.effect("serves all concurrent waiters for the same new key", () =>
    Effect.gen(function* () {
      const store = makeKeyStore()
      const one = yield* nodeOn(store)
      const other = yield* nodeOn(store)
      yield* one.rotate
      const tokens = yield* Effect.forEach(Array.from({ length: 100 }), () => one.sign(sessionClaims, inMinutes(15)))
      const before = store.state.reads
      yield* Effect.forEach(tokens, (token) => other.verify(token, ["session"]), { concurrency: "unbounded" })
      assert.strictEqual(store.state.reads - before, 1)
    })
  )

  it.effect("reads the store again once a minute at most while tokens come, and not at all while none do", () =>
    Effect.gen(function* () {
      const store = makeKeyStore()
      const signer = yield* nodeOn(store)
      const token = yield* signer.sign(sessionClaims, inMinutes(600))
      yield* TestClock.adjust("1 hour")
      const before = store.state.reads
      yield* Effect.forEach(Array.from({ length: 200 }), () => signer.verify(token, ["session"]), {
        concurrency: "unbounded"
      })
      assert.strictEqual(store.state.reads - before, 1)
    })
  )

  it.effect("publishes its known keys when the store does not answer", () =>
    Effect.gen(function* () {
      const store = makeKeyStore()
      const silent = { now: false }
      const failing = Layer.effect(
        SigningKeys,
        Effect.map(SigningKeys, (port) =>
          SigningKeys.of({ ...port, all: Effect.suspend(() => (silent.now ? Effect.never : port.all)) })
        )
      ).pipe(Layer.provide(store.layer))
      const signer = yield* nodeOn({ ...store, layer: failing })
      const published = yield* signer.publicKeys
      silent.now = true
      const asked = yield* Effect.forkChild(signer.publicKeys)
      yield* TestClock.adjust("500 millis")
      assert.deepStrictEqual(yield* Fiber.join(asked), published)
    })
  )

  it.effect("goes on with the keys that it knows while the store cannot be read", () =>
    Effect.gen(function* () {
      const outage = new StorageUnavailable({ reason: "The database is down", outcome: "not_made", isAway: true })
      const store = makeKeyStore()
      const broken = { now: false }
      const failing = Layer.effect(
        SigningKeys,
        Effect.map(SigningKeys, (port) =>
          SigningKeys.of({
            ...port,
            all: Effect.suspend(() => (broken.now ? Effect.die(outage) : port.all))
          })
        )
      ).pipe(Layer.provide(store.layer))
      const signer = yield* nodeOn({ ...store, layer: failing })
      const published = yield* signer.publicKeys
      const token = yield* signer.sign(sessionClaims, inMinutes(15))
      broken.now = true
      yield* TestClock.adjust("60 seconds")
      yield* signer.verify(token, ["session"])
      yield* TestClock.adjust("60 seconds")
      yield* signer.verify(yield* signer.sign(sessionClaims, inMinutes(15)), ["session"])
      assert.deepStrictEqual(yield* signer.publicKeys, published)
    })
  )

  it.effect("does not let a caller who leaves spoil the lookup for the next one", () =>
    Effect.gen(function* () {
      const store = makeKeyStore()
      const gate = yield* Deferred.make<void>()
      const slow = { now: false }
      const slowed = Layer.effect(
        SigningKeys,
        Effect.map(SigningKeys, (port) =>
          SigningKeys.of({
            ...port,
            all: Effect.suspend(() => (slow.now ? Effect.andThen(Deferred.await(gate), port.all) : port.all))
          })
        )
      ).pipe(Layer.provide(store.layer))
      const one = yield* nodeOn(store)
      const other = yield* nodeOn({ ...store, layer: slowed })
      yield* one.rotate
      const token = yield* one.sign(sessionClaims, inMinutes(15))
      slow.now = true
      const first = yield* Effect.forkChild(other.verify(token, ["session"]), { startImmediately: true })
      const second = yield* Effect.forkChild(Effect.result(other.verify(token, ["session"])), {
        startImmediately: true
      })
      const leaving = yield* Effect.forkChild(Fiber.interrupt(first), { startImmediately: true })
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(leaving)
      assert.isTrue(Result.isSuccess(yield* Fiber.join(second)))
    })
  )

  it.effect("does not forget a new key for a slow read that began before it came", () =>
    Effect.gen(function* () {
      const store = makeKeyStore()
      const gate = yield* Deferred.make<void>()
      const slow = { next: false }
      const slowed = Layer.effect(
        SigningKeys,
        Effect.map(SigningKeys, (port) =>
          SigningKeys.of({
            ...port,
            all: Effect.tap(port.all, () => {
              const wait = slow.next ? Deferred.await(gate) : Effect.void
              slow.next = false
              return wait
            })
          })
        )
      ).pipe(Layer.provide(store.layer))
      const one = yield* nodeOn(store)
      const other = yield* nodeOn({ ...store, layer: slowed })
      slow.next = true
      const reading = yield* Effect.forkChild(other.publicKeys, { startImmediately: true })
      yield* one.rotate
      yield* other.verify(yield* one.sign(sessionClaims, inMinutes(15)), ["session"])
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(reading)
      yield* other.verify(yield* one.sign(sessionClaims, inMinutes(15)), ["session"])
    })
  )

  it.effect("opens its keys under a new master key, and verifies with old keys after the old one has gone", () =>
    Effect.gen(function* () {
      const store = makeKeyStore()
      const before = yield* nodeOn(store)
      const old = yield* before.sign(sessionClaims, inMinutes(15))
      const during = yield* nodeOn(store, { masterKeys: listOf(k2, k1) })
      yield* during.verify(old, ["session"])
      yield* during.rotate
      const fresh = yield* during.sign(sessionClaims, inMinutes(15))
      const after = yield* nodeOn(store, { masterKeys: listOf(k2) })
      yield* after.verify(old, ["session"])
      yield* after.verify(fresh, ["session"])
    })
  )

  it.effect("verifies, but does not sign, with a new key that was sealed with a master key it has not", () =>
    Effect.gen(function* () {
      const store = makeKeyStore()
      const behind = yield* nodeOn(store)
      const ahead = yield* nodeOn(store, { masterKeys: listOf(k2, k1) })
      yield* ahead.rotate
      yield* behind.verify(yield* ahead.sign(sessionClaims, inMinutes(15)), ["session"])
      const defect = yield* behind.sign(sessionClaims, inMinutes(15)).pipe(Effect.catchDefect(Effect.succeed))
      assert.instanceOf(defect, SealBroken)
    })
  )

  it.effect("does not start when the newest key was sealed with a master key that is gone", () =>
    Effect.gen(function* () {
      const store = makeKeyStore()
      yield* nodeOn(store)
      const defect = yield* nodeOn(store, { masterKeys: listOf(k2) }).pipe(Effect.catchDefect(Effect.succeed))
      assert.instanceOf(defect, SealBroken)
    })
  )

  it.effect.each([
    ["another key's public half", (key: string) => key.replace(/"x":"[^"]+"/, `"x":"${"A".repeat(43)}"`)],
    ["no JSON", () => "PEM"],
    ["a key on another curve", (key: string) => key.replace("Ed25519", "X25519")]
  ] as const)("does not start when a stored key has %s", ([, alter]) =>
    Effect.gen(function* () {
      const store = makeKeyStore()
      yield* nodeOn(store)
      store.state.records = store.state.records.map((record) => ({ ...record, publicKey: alter(record.publicKey) }))
      assert.instanceOf(yield* nodeOn(store).pipe(Effect.catchDefect(Effect.succeed)), SigningKeyBroken)
    })
  )

  it.effect("does not take a private key that was sealed for another", () =>
    Effect.gen(function* () {
      const store = makeKeyStore()
      const signer = yield* nodeOn(store)
      yield* signer.rotate
      const [first, second] = store.state.records
      assert.isDefined(first)
      assert.isDefined(second)
      store.state.records = [
        { ...first, sealedPrivateKey: second.sealedPrivateKey },
        { ...second, sealedPrivateKey: first.sealedPrivateKey }
      ]
      assert.instanceOf(yield* nodeOn(store).pipe(Effect.catchDefect(Effect.succeed)), SealBroken)
    })
  )

  it.effect("checks the signature of a token once, and remembers no more tokens than it may", () =>
    Effect.gen(function* () {
      const signer = yield* nodeOn(makeKeyStore(), { tokens: { issuer, remembered: 2 } })
      const [a, b, c] = [
        yield* signer.sign(sessionClaims, inMinutes(15)),
        yield* signer.sign(sessionClaims, inMinutes(15)),
        yield* signer.sign(sessionClaims, inMinutes(15))
      ]
      const checking = vi.spyOn(crypto.subtle, "verify")
      const checksOf = Effect.fnUntraced(function* (token: Redacted.Redacted) {
        checking.mockClear()
        yield* signer.verify(token, ["session"])
        return checking.mock.calls.length
      })
      const checks = yield* Effect.forEach([a, a, b, a, b, a, c, a, b, a, c], checksOf)
      yield* TestClock.adjust("1 minute")
      const checksLater = yield* Effect.forEach([c, a, b], checksOf)
      checking.mockRestore()
      assert.deepStrictEqual(checks, [1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 1])
      assert.deepStrictEqual(checksLater, [0, 0, 1])
    })
  )

  it.effect("verifies the same with a memory of one token", () =>
    Effect.gen(function* () {
      const signer = yield* nodeOn(makeKeyStore(), { tokens: { issuer, remembered: 1 } })
      const tokens = yield* Effect.forEach([sessionClaims, automationClaims, docsClaims], (claims) =>
        signer.sign(claims, inMinutes(15))
      )
      for (const token of [...tokens, ...tokens]) yield* signer.verify(token, everyUse)
    })
  )
})
