export type { WhatsAppOptions } from "./Graph.ts"
export { errorTable, remedyOf } from "./refusals.ts"
export { layer, make } from "./WhatsApp.ts"
