export { oracleRole } from "./testing/oracle/scopes.ts"
export { underRowLevelSecurity } from "./testing/oracle/underRowLevelSecurity.ts"
export { freshDatabase, layerServer } from "./testing/server.ts"
export { startTestServer } from "./testing/startTestServer.ts"
