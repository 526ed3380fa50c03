export { layerEmbedded } from "./testing/embedded.ts"
export { oracleRole } from "./testing/oracle/scopes.ts"
export { underRowLevelSecurity } from "./testing/oracle/underRowLevelSecurity.ts"
export { freshDatabase, layerServer, serverUrl } from "./testing/server.ts"
