import { PasswordHasher } from "@parley/domain/platform"
import { Effect, Layer, Redacted } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"

const utf8 = new TextEncoder()
const nobody = "sha256$00$00"

/** Hashes with one round of a salted digest. Fast, and suitable only for tests. */
export const layer = Layer.effect(
  PasswordHasher,
  Effect.gen(function* () {
    const digests = yield* Digest.Digest
    const random = yield* SecureRandom.SecureRandom
    const hashWith = (salt: string, password: Redacted.Redacted) =>
      Effect.map(
        digests.digestHex(Digest.sha256, utf8.encode(salt + Redacted.value(password))),
        (hash) => `sha256$${salt}$${hash}`
      )
    const hash = (password: Redacted.Redacted) =>
      Effect.flatMap(random.randomBytes(8), (salt) => hashWith(Hex.encode(salt), password))
    return PasswordHasher.of({
      hash,
      rehash: hash,
      verify: Effect.fnUntraced(function* (password, hash) {
        const known = hash ?? nobody
        const tried = yield* hashWith(known.split("$")[1] ?? "", password)
        return { fits: tried === known, outdated: false }
      })
    })
  })
)
