export * from "./calls/callLanes.ts"
export {
  type PluginCallRequest,
  validateActionInput,
  type ActionCall,
  layerActionCallListeners,
  type ActionCallListener,
  ActionCallListeners,
  startPluginCall
} from "./calls/callLifecycle.ts"
export {
  PluginCall,
  PluginCallCompletion,
  PluginCaller,
  PluginCallError,
  PluginCallErrorCode,
  PluginCallId,
  PluginCallState
} from "./calls/PluginCall.ts"
export { PluginCallAttempt, PluginCallLog } from "./calls/PluginCallLog.ts"
export { type PluginCallFilter, PluginCalls, type StoredPluginCall } from "./calls/PluginCalls.ts"
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
export { addToken, signToken, pluginTokenLifetime, tokenRotatesAfter } from "./lifecycle/pluginLifecycle.ts"
export { validateManifest, type ManifestContext } from "./manifestChecks.ts"
export * from "./Plugin.ts"
export * from "./PluginCatalogue.ts"
export * from "./PluginManifest.ts"
export * from "./Plugins.ts"
export {
  itemsOf,
  membersOf,
  maxSchemaDepth,
  type PluginSchema,
  secretKeyword,
  secretNames,
  toPointerSegment
} from "./schemas/PluginSchema.ts"
export * from "./schemas/schemaCoercion.ts"
export * from "./schemas/schemaValidation.ts"
export { validateSchemaValue } from "./schemas/valueValidation.ts"
export * from "./use-cases/catalogue.ts"
export * from "./use-cases/installations.ts"
export * from "./use-cases/ownPlugin.ts"
export * from "./use-cases/pluginLifecycle.ts"
export * from "./use-cases/plugins.ts"
