export { layerEmbedded } from "./testing/embedded.ts"
export { freshDatabase, layerServer, serverUrl } from "./testing/server.ts"
