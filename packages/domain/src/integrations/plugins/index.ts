export * from "./calls/callLanes.ts"
export {
  type AskedOfPlugin,
  faultsOfInput,
  layerPluginCallersOf,
  type PluginCallEnd,
  PluginCallers,
  startPluginCall
} from "./calls/callLifecycle.ts"
export {
  type KeptPluginCall,
  PluginCall,
  PluginCallCompletion,
  type PluginCaller,
  PluginCallError,
  PluginCallErrorCode,
  PluginCallId,
  PluginCalls,
  PluginCallState
} from "./calls/PluginCall.ts"
export * from "./errors.ts"
export { PluginEvent } from "./events.ts"
export * from "./lifecycle/lifecycleCallLanes.ts"
export {
  type LifecycleCall,
  LifecycleCallId,
  LifecycleCalls,
  type LifecycleType,
  subscriptionOf
} from "./lifecycle/LifecycleCalls.ts"
export { addToken, signToken, tokenLife, tokenRotatesAfter } from "./lifecycle/pluginLifecycle.ts"
export { faultsOfManifest, type ManifestSurroundings } from "./manifestChecks.ts"
export * from "./Plugin.ts"
export * from "./PluginCatalogue.ts"
export * from "./PluginManifest.ts"
export * from "./Plugins.ts"
export {
  itemsOf,
  membersOf,
  mostSchemaLevels,
  type PluginSchema,
  secretKeyword,
  secretNames,
  step
} from "./schemas/PluginSchema.ts"
export * from "./schemas/schemaCoercion.ts"
export * from "./schemas/schemaFaults.ts"
export { faultOfCharacters, faultsOfValue } from "./schemas/valueFaults.ts"
export * from "./use-cases/catalogue.ts"
export * from "./use-cases/installations.ts"
export * from "./use-cases/pluginLifecycle.ts"
export * from "./use-cases/plugins.ts"
