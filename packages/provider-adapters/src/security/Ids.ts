import { Ids } from "@parley/domain"
import { Effect, Layer, Redacted } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { randomBytes } from "node:crypto"
import { makePooledBytes } from "./makePooledBytes.ts"

export const layer = Layer.sync(Ids, () =>
  Ids.of({
    next: SecureRandom.make(makePooledBytes()).uuidV7(),
    secret: (bytes) => Effect.sync(() => Redacted.make(randomBytes(bytes).toString("base64url")))
  })
)
