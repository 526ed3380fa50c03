import { PasswordHasher } from "@parley/domain"
import { Effect, Layer, Redacted } from "effect"
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto"

const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const length = 32

const derive = (password: Redacted.Redacted, salt: Buffer) =>
  Effect.callback<Buffer>((resume) => {
    scrypt(Redacted.value(password).normalize("NFC"), salt, length, cost, (error, key) =>
      resume(error === null ? Effect.succeed(key) : Effect.die(error))
    )
  })

const nobodys = `scrypt:${"00".repeat(16)}:${"00".repeat(length)}`

const hash = (password: Redacted.Redacted) =>
  Effect.suspend(() => {
    const salt = randomBytes(16)
    return Effect.map(derive(password, salt), (key) => `scrypt:${salt.toString("hex")}:${key.toString("hex")}`)
  })

/**
 * The shop's own adapter of the port `PasswordHasher`. Its customers' passwords were hashed with scrypt long before
 * Parley came, and so they stay.
 */
export const layer = Layer.succeed(
  PasswordHasher,
  PasswordHasher.of({
    hash,
    rehash: hash,
    verify: Effect.fnUntraced(function* (password, hash) {
      const [, salt = "", key = ""] = (hash ?? nobodys).split(":")
      const tried = yield* derive(password, Buffer.from(salt, "hex"))
      const known = Buffer.from(key, "hex")
      const fits = known.length === length && timingSafeEqual(tried, known) && hash !== null
      return { fits, outdated: false }
    })
  })
)
