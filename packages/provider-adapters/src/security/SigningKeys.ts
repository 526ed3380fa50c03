import { findOutage, Vault } from "@parley/domain/kernel"
import { type PublicKey, type SigningKeyRecord, SigningKeys, type SigningKeySummary } from "@parley/domain/platform"
import { type Cause, Clock, DateTime, Effect, Redacted, Schema, Semaphore } from "effect"
import {
  calculateJwkThumbprint,
  type CryptoKey,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  importJWK,
  importPKCS8
} from "jose"
import { algorithm } from "./TokenFormat.ts"

/** Defect for an unusable stored signing key: another program wrote to the store. */
export class SigningKeyBroken extends Schema.TaggedError<SigningKeyBroken>()("SigningKeyBroken", {
  kid: Schema.String
}) {
  override get message() {
    return `The stored signing key ${this.kid} cannot be used: its public half is not the one it was stored with.`
  }
}

export interface VerifyingKey {
  readonly record: SigningKeyRecord
  readonly published: PublicKey
  readonly key: CryptoKey
}

export interface SigningKey {
  readonly kid: string
  readonly key: CryptoKey
}

const Jwk = Schema.Struct({ kty: Schema.Literal("OKP"), crv: Schema.Literal("Ed25519"), x: Schema.String })
const decodeJwk = Schema.decodeUnknownEffect(Schema.fromJsonString(Jwk))

const sealContext = (kid: string) => `signing-key:${kid}`

/** Creates a key to store. Its id is the thumbprint of the public key, so it is unique. */
const makeSigningKey = Effect.fnUntraced(function* (createdAt: DateTime.Utc) {
  const vault = yield* Vault
  const { privateKey, publicKey } = yield* Effect.promise(() =>
    generateKeyPair(algorithm, { crv: "Ed25519", extractable: true })
  )
  const jwk = yield* Effect.promise(() => exportJWK(publicKey))
  const kid = yield* Effect.promise(() => calculateJwkThumbprint(jwk))
  const pem = Redacted.make(yield* Effect.promise(() => exportPKCS8(privateKey)))
  const record: SigningKeyRecord = {
    kid,
    sealedPrivateKey: yield* vault.seal(sealContext(kid), pem),
    publicKey: JSON.stringify(jwk),
    createdAt
  }
  return record
})

/** Opens the public half of a stored key. */
const openVerifyingKey = Effect.fnUntraced(
  function* (record: SigningKeyRecord) {
    const jwk = yield* decodeJwk(record.publicKey)
    if ((yield* Effect.promise(() => calculateJwkThumbprint(jwk))) !== record.kid) {
      return yield* new SigningKeyBroken({ kid: record.kid })
    }
    const opened: VerifyingKey = {
      record,
      published: { ...jwk, kid: record.kid, alg: algorithm, use: "sig" },
      key: yield* Effect.promise(() => importJWK(jwk, algorithm))
    }
    return opened
  },
  (opening, { kid }) =>
    Effect.catchTags(opening, {
      SchemaError: () => Effect.die(new SigningKeyBroken({ kid })),
      SigningKeyBroken: Effect.die
    })
)

/** Opens the private half of a stored key. */
const openSigningKey = Effect.fnUntraced(function* (record: SigningKeyRecord) {
  const vault = yield* Vault
  const pem = yield* vault.open(sealContext(record.kid), record.sealedPrivateKey)
  const opened: SigningKey = {
    kid: record.kid,
    key: yield* Effect.promise(() => importPKCS8(Redacted.value(pem), algorithm))
  }
  return opened
})

interface Ring {
  /** Newest first. */
  readonly keys: ReadonlyMap<string, VerifyingKey>
  readonly newest: SigningKeyRecord
}

const learningGapMillis = 1000
const staleAfterMillis = 60_000

/** Time that a request for the keys waits for the store. */
const patienceMillis = 500

/** Signing keys of this node, synchronized with the shared store. */
export const makeSigningKeyRing = Effect.gen(function* () {
  const store = yield* SigningKeys
  const vault = yield* Vault

  const stored = Effect.gen(function* () {
    const records = yield* store.all
    if (records.length > 0) return records
    yield* store.insertFirst(yield* makeSigningKey(yield* DateTime.now))
    return yield* store.all
  })

  const read = Effect.fnUntraced(
    function* (known: ReadonlyMap<string, VerifyingKey>) {
      const records = yield* stored
      const [newest] = records
      if (newest === undefined) return yield* Effect.die(new Error("The store of signing keys keeps none."))
      const keys = yield* Effect.forEach(records, (record) => {
        const before = known.get(record.kid)
        return before === undefined ? openVerifyingKey(record) : Effect.succeed(before)
      })
      const ring: Ring = { keys: new Map(keys.map((key) => [key.record.kid, key])), newest }
      return ring
    },
    Effect.provideService(Vault, vault)
  )

  let ring = yield* read(new Map())
  let signer = yield* openSigningKey(ring.newest)
  let begun = 0
  let applied = 0
  let awaited: string | null = null
  let learnedAt = Number.NEGATIVE_INFINITY
  let refreshedAt = yield* Clock.currentTimeMillis
  const learning = Semaphore.makeUnsafe(1)

  const reload = Effect.suspend(() => {
    begun += 1
    const turn = begun
    return Effect.map(read(ring.keys), (next) => {
      // An earlier read can end later with older data.
      if (turn > applied) {
        applied = turn
        ring = next
      }
      if (awaited !== null && ring.keys.has(awaited)) awaited = null
      return ring
    })
  })

  const knownInOutage = (cause: Cause.Cause<never>) =>
    findOutage(cause) === null ? Effect.failCause(cause) : Effect.succeed(ring)

  const atOnce = Effect.suspend(() =>
    Effect.timeoutOrElse(reload, { duration: patienceMillis, orElse: () => Effect.succeed(ring) })
  )

  const learn = Effect.fnUntraced(
    function* (kid: string) {
      const now = yield* Clock.currentTimeMillis
      if (!ring.keys.has(kid) && Math.abs(now - learnedAt) >= learningGapMillis) {
        learnedAt = now
        yield* reload
      }
      return ring.keys.get(kid) ?? null
    },
    // A caller that leaves early must not cause another read.
    Effect.uninterruptible,
    (turn) => learning.withPermit(turn)
  )

  const isStale = (now: number) => Math.abs(now - refreshedAt) >= staleAfterMillis

  const refresh = Effect.clockWith((clock) => {
    // Set first, so one caller reads and the others continue with the known keys.
    refreshedAt = clock.currentTimeMillisUnsafe()
    return reload.pipe(
      Effect.tap(() => Effect.sync(() => (awaited = null))),
      Effect.catchDefect((defect) => Effect.logWarning("The signing keys could not be read again.", defect))
    )
  })

  const keepUp = Effect.clockWith((clock) => {
    if (isStale(clock.currentTimeMillisUnsafe())) return refresh
    return awaited === null ? Effect.void : reload
  })

  const openSigner = Effect.suspend(() =>
    Effect.tap(openSigningKey(ring.newest), (opened) =>
      Effect.sync(() => {
        signer = opened
      })
    )
  ).pipe(Effect.provideService(Vault, vault))

  const summaryOf = ({ record }: VerifyingKey, active: boolean): SigningKeySummary => ({
    kid: record.kid,
    createdAt: record.createdAt,
    active
  })

  return {
    /** Whether the store still has the key, as far as this node knows. */
    holds: (key: VerifyingKey) => ring.keys.get(key.record.kid) === key,
    /** Finds a key by id. Looks up unknown keys in the store, at most once a second for all ids. */
    find: (kid: string) =>
      Effect.suspend(() => {
        const key = ring.keys.get(kid)
        return key === undefined ? learn(kid) : Effect.succeed(key)
      }),
    /** Whether `refresh` should read the store again. */
    isStale,
    refresh,
    /** Signing key: the newest key that the store is known to contain. */
    signer: Effect.flatMap(keepUp, () => (signer.kid === ring.newest.kid ? Effect.succeed(signer) : openSigner)),
    /** Keys of the store, or the known keys of this node while the store is unavailable or slow. */
    published: Effect.map(Effect.catchCause(atOnce, knownInOutage), ({ keys }) =>
      Array.from(keys.values(), ({ published }) => published)
    ),
    summaries: Effect.map(reload, ({ keys }) => Array.from(keys.values(), (key, index) => summaryOf(key, index === 0))),
    /** Stores a new key. The unit of work of the caller can fail, so the key signs only after the store contains it. */
    rotate: Effect.gen(function* () {
      const { newest } = yield* reload
      const now = yield* DateTime.now
      // The clock of another node can be ahead, but the new key must be the newest.
      const record = yield* makeSigningKey(DateTime.max(now, DateTime.add(newest.createdAt, { milliseconds: 1 })))
      yield* store.insert(record)
      awaited = record.kid
      const summary: SigningKeySummary = { kid: record.kid, createdAt: record.createdAt, active: true }
      return summary
    }).pipe(Effect.provideService(Vault, vault))
  }
})
