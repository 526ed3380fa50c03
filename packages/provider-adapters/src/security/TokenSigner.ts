import { Ids } from "@parley/domain/kernel"
import { type Claims, TokenExpired, TokenInvalid, TokenSigner } from "@parley/domain/platform"
import { Clock, DateTime, Effect, Layer, Redacted } from "effect"
import { CompactSign, compactVerify, errors } from "jose"
import { hash } from "node:crypto"
import { makeSigningKeyRing, type VerifyingKey } from "./SigningKeys.ts"
import { algorithm, readToken, writeToken } from "./TokenFormat.ts"

/** Bounded cache of verified tokens. A full cache evicts the half that was not used for longest. */
const makeVerifiedTokens = <A>(capacity: number) => {
  const generation = Math.max(1, Math.floor(capacity / 2))
  let recent = new Map<string, A>()
  let older = new Map<string, A>()

  const set = (digest: string, entry: A): void => {
    if (recent.size >= generation) {
      older = recent
      recent = new Map()
    }
    recent.set(digest, entry)
  }

  return {
    set,
    // An exact order of use would delete and insert entries, which makes a `Map` slow.
    get: (digest: string): A | undefined => {
      const entry = recent.get(digest)
      if (entry !== undefined) return entry
      const before = older.get(digest)
      if (before !== undefined) set(digest, before)
      return before
    }
  }
}

/** Issuer, and number of cached verified tokens. */
export interface TokenOptions {
  readonly issuer: string
  readonly remembered?: number
}

interface Verified {
  readonly key: VerifyingKey
  readonly claims: Claims & { readonly expiresAt: DateTime.Utc }
  readonly expiresAt: number
}

const longestToken = 4096

/** Maximum time that the clock of an issuing node can be ahead. */
const clockSkewMillis = 60_000

const checkSignature = (key: VerifyingKey, token: string) =>
  Effect.tryPromise({
    try: () => compactVerify(token, key.key, { algorithms: [algorithm] }),
    catch: (cause) => {
      if (cause instanceof errors.JOSEError) return new TokenInvalid()
      throw cause
    }
  })

const admit = (
  { claims, expiresAt }: Verified,
  uses: ReadonlyArray<Claims["use"]>,
  now: number
): Effect.Effect<Verified["claims"], TokenInvalid | TokenExpired> => {
  if (!uses.includes(claims.use)) return Effect.fail(new TokenInvalid())
  return now >= expiresAt ? Effect.fail(new TokenExpired()) : Effect.succeed(claims)
}

const make = Effect.fnUntraced(function* ({ issuer, remembered = 10_000 }: TokenOptions) {
  const ids = yield* Ids
  const ring = yield* makeSigningKeyRing
  const verified = makeVerifiedTokens<Verified>(remembered)

  const examine = Effect.fnUntraced(function* (token: string, now: number) {
    const read = yield* Effect.fromOption(readToken(token), () => new TokenInvalid())
    if (read.issuer !== issuer) return yield* new TokenInvalid()
    const key = yield* ring.find(read.kid)
    if (key === null) return yield* new TokenInvalid()
    yield* checkSignature(key, token)
    if (read.issuedAt > now + clockSkewMillis || read.notBefore > now) return yield* new TokenInvalid()
    const { expiresAt } = read
    const known: Verified = { key, claims: { ...read.claims, expiresAt: DateTime.makeUnsafe(expiresAt) }, expiresAt }
    return known
  })

  const check = (token: string, uses: ReadonlyArray<Claims["use"]>, now: number) => {
    if (token.length > longestToken) return Effect.fail(new TokenInvalid())
    // The cache contains digests, so no entry can be used as a token.
    const digest = hash("sha256", token, "base64url")
    const seen = verified.get(digest)
    if (seen !== undefined && ring.holds(seen.key)) return admit(seen, uses, now)
    return Effect.flatMap(examine(token, now), (known) => {
      if (now < known.expiresAt) verified.set(digest, known)
      return admit(known, uses, now)
    })
  }

  return TokenSigner.of({
    sign: Effect.fnUntraced(function* (claims, expiresAt) {
      const { key, kid } = yield* ring.signer
      const { header, payload } = writeToken({
        kid,
        claims,
        issuer,
        id: yield* ids.next,
        issuedAt: yield* Clock.currentTimeMillis,
        expiresAt: DateTime.toEpochMillis(expiresAt)
      })
      return Redacted.make(yield* Effect.promise(() => new CompactSign(payload).setProtectedHeader(header).sign(key)))
    }),
    verify: (redacted, uses) =>
      Effect.clockWith((clock) => {
        const token = Redacted.value(redacted)
        const now = clock.currentTimeMillisUnsafe()
        return ring.isStale(now) ? Effect.flatMap(ring.refresh, () => check(token, uses, now)) : check(token, uses, now)
      }),
    publicKeys: ring.published,
    keys: ring.summaries,
    rotate: ring.rotate
  })
})

export const layer = (options: TokenOptions) => Layer.effect(TokenSigner, make(options))
