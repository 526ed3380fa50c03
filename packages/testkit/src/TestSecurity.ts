import type { SecurityPorts } from "@parley/domain/composition"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Layer } from "effect"
import { Aead, type SecureRandom } from "effect/crypto"
import * as PasswordPolicy from "./memory/platform/identity/PasswordPolicy.ts"
import * as PasswordHasher from "./memory/platform/identity/PasswordHasher.ts"
import * as TokenSigner from "./memory/platform/identity/TokenSigner.ts"
import * as Cursors from "./memory/kernel/Cursors.ts"
import * as Ids from "./memory/kernel/Ids.ts"
import * as Vault from "./memory/kernel/Vault.ts"
import { layerRandom, layerSeeded } from "./security/layerRandom.ts"
import * as Proof from "./security/Proof.ts"

/** Every security port on these random bytes. */
const layerOn = (random: Layer.Layer<SecureRandom.SecureRandom>): Layer.Layer<SecurityPorts> => {
  // Each short code and digest on the spot: WebCrypto hands it to another thread, which takes many times as long.
  const crypto = Layer.mergeAll(Aead.layerWebCrypto, NodeCrypto.layerDigest, NodeCrypto.layerMac).pipe(
    Layer.provideMerge(random)
  )
  return Layer.mergeAll(
    PasswordPolicy.layer,
    Cursors.layer,
    Ids.layer,
    PasswordHasher.layer,
    TokenSigner.layer,
    Vault.layer
  ).pipe(Layer.provide(Proof.layer), Layer.provide(crypto))
}

/** All security ports, fast enough for thousands of tests. Not secure. */
export const layer: Layer.Layer<SecurityPorts> = layerOn(layerRandom)

/** The same, which draws from the seed. */
export const layerSeededBy = (seed: string): Layer.Layer<SecurityPorts> => layerOn(layerSeeded(seed))
