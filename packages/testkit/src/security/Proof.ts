import { Context, Effect, Layer } from "effect"
import { Mac, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"

const utf8 = new TextEncoder()

/** Proves the origin of texts with a keyed code over a purpose and its parts. The key exists for the lifetime of the layer. */
export class Proof extends Context.Service<
  Proof,
  { readonly of: (purpose: string, parts: ReadonlyArray<string>) => Effect.Effect<string> }
>()("@parley/testkit/security/Proof") {}

export const layer = Layer.effect(
  Proof,
  Effect.gen(function* () {
    const mac = yield* Mac.Mac
    const random = yield* SecureRandom.SecureRandom
    const key = yield* Mac.key(Mac.hmacSha256, yield* random.randomBytes(64))
    return Proof.of({
      of: (purpose, parts) =>
        mac.sign(key, utf8.encode(JSON.stringify([purpose, ...parts]))).pipe(
          Effect.map((code) => Base64Url.encode(code)),
          Effect.orDie
        )
    })
  }).pipe(Effect.orDie)
)
