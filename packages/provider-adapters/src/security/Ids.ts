import { Ids } from "@parley/domain"
import { Effect, Layer, Redacted } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { createHash, randomBytes } from "node:crypto"
import { makePooledBytes } from "./makePooledBytes.ts"

/** UUIDv5, RFC 9562: the first bytes of a SHA-1 digest, with the version and the variant put in. */
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
