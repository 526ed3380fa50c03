export { areas } from "../areas.ts"
export * from "./contactExports.ts"
export * from "./events.ts"
export * from "./layers.ts"
