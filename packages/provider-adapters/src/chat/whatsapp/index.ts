export type { WhatsAppOptions } from "./Graph.ts"
export { errorTable, remedyOf } from "./errorTable.ts"
export { layer, make } from "./WhatsApp.ts"
