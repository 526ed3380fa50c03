import { Vault } from "@parley/domain/kernel"
import { Effect, Layer, Redacted } from "effect"
import { Aead, Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { createHmac } from "node:crypto"
import { Proof } from "../../security/Proof.ts"

const utf8 = new TextEncoder()

/** It runs synchronously. WebCrypto would seal on another thread, so results would depend on the load of the machine. */
const algorithm = Aead.chacha20Poly1305

/** Seals with real encryption. The key exists for the lifetime of the layer. */
export const layer = Layer.effect(
  Vault,
  Effect.gen(function* () {
    const aead = yield* Aead.Aead
    const digests = yield* Digest.Digest
    const proof = yield* Proof
    const random = yield* SecureRandom.SecureRandom
    const key = yield* aead.generateKey(algorithm)
    return Vault.of({
      seal: Effect.fnUntraced(function* (context, secret) {
        const nonce = yield* random.randomBytes(algorithm.nonceLength)
        const plain = utf8.encode(Redacted.value(secret))
        const sealed = yield* aead.encrypt(key, plain, { nonce, aad: utf8.encode(context) })
        return Base64Url.encode(Uint8Array.from([...nonce, ...sealed]))
      }, Effect.orDie),
      open: Effect.fnUntraced(function* (context, text) {
        const bytes = yield* Effect.fromResult(Base64Url.decode(text))
        const [nonce, sealed] = [bytes.slice(0, algorithm.nonceLength), bytes.slice(algorithm.nonceLength)]
        const plain = yield* aead.decrypt(key, sealed, { nonce, aad: utf8.encode(context) })
        return Redacted.make(new TextDecoder().decode(plain))
      }, Effect.orDie),
      fingerprint: (context, text) => proof.of("fingerprint", [context, text]),
      mac: (key, text) => Effect.sync(() => createHmac("sha256", Redacted.value(key)).update(text).digest("base64url")),
      digest: (secret) =>
        Effect.map(digests.digest(Digest.sha256, utf8.encode(Redacted.value(secret))), (bytes) =>
          Base64Url.encode(bytes)
        )
    })
  }).pipe(Effect.orDie)
)
