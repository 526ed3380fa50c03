export { errorTable, remedyOf } from "./errorTable.ts"
export type { WhatsAppOptions } from "./Graph.ts"
export { layer, make } from "./WhatsApp.ts"
