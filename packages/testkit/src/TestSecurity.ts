import type { SecurityPorts } from "@parley/domain"
import { Layer } from "effect"
import { Aead, Digest, Mac, SecureRandom } from "effect/crypto"
import * as PasswordHasher from "./identity/PasswordHasher.ts"
import * as TokenSigner from "./identity/TokenSigner.ts"
import * as Cursors from "./kernel/Cursors.ts"
import * as Ids from "./kernel/Ids.ts"
import * as Vault from "./kernel/Vault.ts"
import * as Proof from "./security/Proof.ts"

const crypto = Layer.mergeAll(Aead.layerWebCrypto, Digest.layerWebCrypto, Mac.layerWebCrypto).pipe(
  Layer.provideMerge(SecureRandom.layerWebCrypto)
)

/** Every security port, quick enough for thousands of tests. Nothing here is fit to guard anything. */
export const layer: Layer.Layer<SecurityPorts> = Layer.mergeAll(
  Cursors.layer,
  Ids.layer,
  PasswordHasher.layer,
  TokenSigner.layer,
  Vault.layer
).pipe(Layer.provide(Proof.layer), Layer.provide(crypto))
