export * as Metrics from "./Metrics.ts"
export * as Server from "./Server.ts"
export { ServerConfig, type ServerSettings, settings } from "./ServerConfig.ts"
