export { layer as layerCursors } from "./Cursors.ts"
export { layer as layerIds } from "./Ids.ts"
export * from "./layer.ts"
export {
  generateMasterKey,
  layer as layerMasterKeys,
  layerConfig as layerMasterKeysConfig,
  type MasterKey,
  MasterKeyError,
  MasterKeys
} from "./MasterKeys.ts"
export {
  defaultHashCost,
  type HashCost,
  type HashingOptions,
  layer as layerPasswordHasher,
  layerNoDeps as layerPasswordHasherNoDeps
} from "./PasswordHasher.ts"
export { layer as layerPasswordPolicy, type PasswordPolicyOptions } from "./PasswordPolicy.ts"
export { SigningKeyBroken } from "./SigningKeys.ts"
export { layer as layerTokenSigner, type TokenOptions } from "./TokenSigner.ts"
export { layer as layerVault, SealBroken } from "./Vault.ts"
