export { isExactNumber } from "./exactNumber.ts"
export * from "./readJson.ts"
export type { JsonFault } from "./readSlowly.ts"
