import { Ids } from "@parley/domain"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"

export const layer = Layer.effect(
  Ids,
  Effect.map(SecureRandom.SecureRandom, (random) =>
    Ids.of({
      next: random.uuidV7(),
      secret: (bytes) => Effect.map(random.randomBytes(bytes), (secret) => Redacted.make(Base64Url.encode(secret)))
    })
  )
)
