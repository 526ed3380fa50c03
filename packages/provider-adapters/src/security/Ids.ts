import { Ids } from "@parley/domain"
import { Effect, Layer, Redacted } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { randomBytes } from "node:crypto"

const make = Effect.map(SecureRandom.SecureRandom, (random) =>
  Ids.of({
    next: random.uuidV7(),
    secret: (bytes) => Effect.sync(() => Redacted.make(randomBytes(bytes).toString("base64url")))
  })
)

export const layer = Layer.effect(Ids, make).pipe(Layer.provide(SecureRandom.layerWebCrypto))
