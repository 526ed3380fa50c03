import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { IsKnownCaller, LoginOverloaded, PasswordHasher } from "@parley/domain/platform"
import { Effect, Layer, Option, Redacted, Semaphore } from "effect"
import * as Kdf from "effect/crypto/Kdf"
import { randomBytes, timingSafeEqual } from "node:crypto"

/** Cost of a hash: memory in KiB, passes and lanes. */
export interface HashCost {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/** Parsed argon2id hash. */
export interface PasswordHash {
  readonly cost: HashCost
  readonly salt: Uint8Array
  readonly tag: Uint8Array
}

const saltBytes = 16
const tagBytes = 32

const pattern =
  /^\$argon2id\$v=19\$m=([1-9][0-9]{0,5}),t=([1-9][0-9]?),p=([1-9][0-9]?)\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

// The cost in a stored hash must not overload the service.
const isAffordable = ({ memory, parallelism, passes }: HashCost) =>
  memory >= 8 * parallelism && memory <= 262_144 && passes <= 16 && parallelism <= 16

const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64").replace(/=+$/, "")

/** Writes the hash as a PHC string. */
const formatPasswordHash = ({ cost, salt, tag }: PasswordHash) =>
  `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${toBase64(salt)}$${toBase64(tag)}`

/** Parses a PHC string; `null` if invalid or above the cost limit of a login. */
const parsePasswordHash = (text: string): PasswordHash | null => {
  const [, memory, passes, parallelism, salt = "", tag = ""] = pattern.exec(text) ?? []
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  return isAffordable(cost) ? { cost, salt: Buffer.from(salt, "base64"), tag: Buffer.from(tag, "base64") } : null
}

/** Whether the hash has the current cost. */
const isMadeWith = ({ cost, salt, tag }: PasswordHash, today: HashCost) =>
  cost.memory === today.memory &&
  cost.passes === today.passes &&
  cost.parallelism === today.parallelism &&
  salt.length === saltBytes &&
  tag.length === tagBytes

/** Limits how many effects run concurrently and how many wait. Rejects further callers immediately. */
const makeWaitingLine = <E>(options: {
  readonly atOnce: number
  readonly waiting: number
  readonly refuse: () => E
}) => {
  const running = Semaphore.makeUnsafe(options.atOnce)
  const room = Semaphore.makeUnsafe(options.atOnce + options.waiting)
  return <A, E2, R>(effect: Effect.Effect<A, E2, R>): Effect.Effect<A, E | E2, R> =>
    Effect.flatMap(
      room.withPermitsIfAvailable(1)(running.withPermit(effect)),
      Option.match({ onNone: () => Effect.fail(options.refuse()), onSome: (done) => Effect.succeed(done) })
    )
}

/** Cost of hashing, and limits for concurrent and waiting hashes of anonymous callers. */
export interface HashingOptions {
  readonly cost?: HashCost
  readonly atOnce?: number
  readonly waiting?: number
}

/** One of OWASP's equivalent minimums. */
export const defaultHashCost: HashCost = { memory: 19_456, passes: 2, parallelism: 1 }

// Two systems can compose the same letters differently.
const bytesOf = (password: Redacted.Redacted) => Buffer.from(Redacted.value(password).normalize("NFC"))

const make = Effect.fnUntraced(function* (options: HashingOptions) {
  const { atOnce = 2, cost = defaultHashCost, waiting = 32 } = options
  const kdf = yield* Kdf.Kdf
  const refuse = () => new LoginOverloaded({ retryAfterSeconds: 2 })
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

/** Hashes with argon2id of any key derivation. */
export const layerNoDeps = (options: HashingOptions = {}): Layer.Layer<PasswordHasher, never, Kdf.Kdf> =>
  Layer.effect(PasswordHasher, make(options))

/** Hashes with argon2id of Node. */
export const layer = (options: HashingOptions = {}): Layer.Layer<PasswordHasher> =>
  layerNoDeps(options).pipe(Layer.provide(NodeCrypto.layerKdf))
