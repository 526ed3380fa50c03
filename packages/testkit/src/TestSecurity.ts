import type { SecurityPorts } from "@parley/domain"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Layer } from "effect"
import { Aead } from "effect/crypto"
import * as PasswordHasher from "./identity/PasswordHasher.ts"
import * as TokenSigner from "./identity/TokenSigner.ts"
import * as Cursors from "./kernel/Cursors.ts"
import * as Ids from "./kernel/Ids.ts"
import * as Vault from "./kernel/Vault.ts"
import { layerRandom } from "./security/layerRandom.ts"
import * as Proof from "./security/Proof.ts"

// Each short code and digest on the spot: WebCrypto hands it to another thread, which takes many times as long.
const crypto = Layer.mergeAll(Aead.layerWebCrypto, NodeCrypto.layerDigest, NodeCrypto.layerMac).pipe(
  Layer.provideMerge(layerRandom)
)

/** Every security port, quick enough for thousands of tests. Nothing here is fit to guard anything. */
export const layer: Layer.Layer<SecurityPorts> = Layer.mergeAll(
  Cursors.layer,
  Ids.layer,
  PasswordHasher.layer,
  TokenSigner.layer,
  Vault.layer
).pipe(Layer.provide(Proof.layer), Layer.provide(crypto))
