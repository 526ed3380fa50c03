import type { SigningKeys } from "@parley/domain/platform"
import type { SecurityPorts } from "@parley/domain/composition"
import { Layer, type Redacted } from "effect"
import * as Cursors from "./Cursors.ts"
import * as Ids from "./Ids.ts"
import * as MasterKeys from "./MasterKeys.ts"
import * as PasswordHasher from "./PasswordHasher.ts"
import * as PasswordPolicy from "./PasswordPolicy.ts"
import * as TokenSigner from "./TokenSigner.ts"
import * as Vault from "./Vault.ts"

export interface SecurityOptions {
  /**
   * A list such as `k2:<base64>,k1:<base64>`: the first is the current one. To change keys, first add the new one at the
   * end of the list on every node, then put it in front; drop an old one when nothing that it sealed is needed.
   */
  readonly masterKeys: Redacted.Redacted
  readonly tokens: TokenSigner.TokenOptions
  readonly hashing?: PasswordHasher.HashingOptions
  readonly passwords?: PasswordPolicy.PasswordPolicyOptions
}

export const layer = (options: SecurityOptions): Layer.Layer<SecurityPorts, MasterKeys.MasterKeyError, SigningKeys> =>
  Layer.mergeAll(
    PasswordPolicy.layer(options.passwords),
    TokenSigner.layer(options.tokens),
    Cursors.layer,
    PasswordHasher.layer(options.hashing)
  ).pipe(
    Layer.provideMerge(Layer.mergeAll(Ids.layer, Vault.layer)),
    Layer.provide(MasterKeys.layer(options.masterKeys))
  )
