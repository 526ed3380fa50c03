export { Action } from "./Action.ts"
export { type ApiVersion, apiVersions, defaultApiVersion } from "./apiVersions.ts"
export type { Books } from "./books.ts"
export type { DeliveryMisbehaviour, Misbehaviour } from "./Misbehaviour.ts"
export { callbackSignature } from "./oauthApi.ts"
export {
  defaultShop,
  defaultStoreApp,
  type ProtectedField,
  type SimulatedApp,
  type SimulatedShop,
  type StoreSimulatorOptions
} from "./Options.ts"
export { deliverySignature } from "./Outbox.ts"
export { layer, type RunningStoreSimulator, startStoreSimulator, StoreSimulator } from "./StoreSimulator.ts"
export type { StoreCall, StoreDelivered } from "./World.ts"
