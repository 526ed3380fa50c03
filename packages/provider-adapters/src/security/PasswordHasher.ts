import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { IsKnownCaller, LoginBusy, PasswordHasher } from "@parley/domain"
import { Effect, Layer, Redacted } from "effect"
import * as Kdf from "effect/crypto/Kdf"
import { randomBytes, timingSafeEqual } from "node:crypto"
import {
  formatPasswordHash,
  type HashCost,
  isMadeWith,
  parsePasswordHash,
  type PasswordHash,
  saltBytes,
  tagBytes
} from "./PasswordHash.ts"
import { makeWaitingLine } from "./WaitingLine.ts"

/** What hashing costs, how many passwords of strangers are hashed at once, and how many may wait for their turn. */
export interface HashingOptions {
  readonly cost?: HashCost
  readonly atOnce?: number
  readonly waiting?: number
}

/** One of OWASP's equivalent minimums. */
export const defaultHashCost: HashCost = { memory: 19_456, passes: 2, parallelism: 1 }

// The same letters typed on two systems may be composed differently.
const bytesOf = (password: Redacted.Redacted) => Buffer.from(Redacted.value(password).normalize("NFC"))

const make = Effect.fnUntraced(function* (options: HashingOptions) {
  const { atOnce = 2, cost = defaultHashCost, waiting = 32 } = options
  const kdf = yield* Kdf.Kdf
  const refuse = () => new LoginBusy({ retryAfterSeconds: 2 })
  const strangers = makeWaitingLine({ atOnce, waiting, refuse })
  const known = makeWaitingLine({ atOnce: 1, waiting, refuse })
  const inLine: typeof strangers = (effect) =>
    Effect.flatMap(IsKnownCaller, (isKnown) => (isKnown ? known(effect) : strangers(effect)))

  const derive = (password: Redacted.Redacted, { cost, salt, tag }: PasswordHash) =>
    inLine(
      Effect.suspend(() => kdf.derive(Kdf.argon2id(cost), bytesOf(password), { salt, length: tag.length })).pipe(
        Effect.catchTag("CryptoError", Effect.die)
      )
    )

  const blank = (): PasswordHash => ({ cost, salt: randomBytes(saltBytes), tag: randomBytes(tagBytes) })
  const nobodys = blank()

  const hash = (password: Redacted.Redacted) =>
    Effect.suspend(() => {
      const hash = blank()
      return Effect.map(derive(password, hash), (tag) => formatPasswordHash({ ...hash, tag }))
    })

  return PasswordHasher.of({
    hash,
    rehash: hash,
    verify: (password, text) =>
      Effect.suspend(() => {
        const stored = text === null ? null : parsePasswordHash(text)
        const hash = stored ?? nobodys
        return Effect.map(derive(password, hash), (tag) => {
          const fits = timingSafeEqual(tag, hash.tag) && stored !== null
          return { fits, outdated: fits && !isMadeWith(hash, cost) }
        })
      })
  })
})

/** Hashes with argon2id from whatever derives keys. */
export const layerNoDeps = (options: HashingOptions = {}): Layer.Layer<PasswordHasher, never, Kdf.Kdf> =>
  Layer.effect(PasswordHasher, make(options))

/** Hashes with the argon2id of Node. */
export const layer = (options: HashingOptions = {}): Layer.Layer<PasswordHasher> =>
  layerNoDeps(options).pipe(Layer.provide(NodeCrypto.layerKdf))
