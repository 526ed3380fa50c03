import * as AuditLog from "./AuditLog.ts"

/** The storage of this area. */
export const layer = AuditLog.layer
