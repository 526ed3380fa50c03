import { Ids } from "@parley/domain/kernel"
import { Effect, Layer, Redacted } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { createHash, randomBytes, randomFillSync } from "node:crypto"

const poolSize = 4_096

/** Pool of random bytes from the operating system. Wipes bytes from the pool after use. */
const makePooledBytes = (): ((size: number) => Uint8Array) => {
  const pool = new Uint8Array(poolSize)
  let spent = pool.length

  return (size) => {
    if (size > pool.length) return randomFillSync(new Uint8Array(size))
    if (spent + size > pool.length) {
      randomFillSync(pool)
      spent = 0
    }
    const bytes = pool.slice(spent, spent + size)
    pool.fill(0, spent, spent + size)
    spent += size
    return bytes
  }
}

/** Creates a UUIDv5 (RFC 9562): the first bytes of a SHA-1 digest, with version and variant. */
const uuidV5 = (namespace: string, name: string) => {
  const digest = createHash("sha1")
    .update(Buffer.from(namespace.replaceAll("-", ""), "hex"))
    .update(name)
    .digest()
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x50
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80
  return digest.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, "$1-$2-$3-$4-$5")
}

export const layer = Layer.sync(Ids, () =>
  Ids.of({
    next: SecureRandom.make(makePooledBytes()).uuidV7(),
    secret: (bytes) => Effect.sync(() => Redacted.make(randomBytes(bytes).toString("base64url"))),
    derived: (namespace, name) => Effect.sync(() => uuidV5(namespace, name))
  })
)
