import { Ids } from "@parley/domain/kernel"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { createHash } from "node:crypto"

const uuidV5 = (namespace: string, name: string) => {
  const bytes = createHash("sha1")
    .update(Buffer.from(namespace.replaceAll("-", ""), "hex"))
    .update(name)
    .digest("hex")
  const variant = ((Number.parseInt(bytes.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  return `${bytes.slice(0, 8)}-${bytes.slice(8, 12)}-5${bytes.slice(13, 16)}-${variant}${bytes.slice(18, 20)}-${bytes.slice(20, 32)}`
}

export const layer = Layer.effect(
  Ids,
  Effect.map(SecureRandom.SecureRandom, (random) =>
    Ids.of({
      next: random.uuidV7(),
      secret: (bytes) => Effect.map(random.randomBytes(bytes), (secret) => Redacted.make(Base64Url.encode(secret))),
      derived: (namespace, name) => Effect.sync(() => uuidV5(namespace, name))
    })
  )
)
