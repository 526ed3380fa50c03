import * as AuditLog from "./AuditLog.ts"

export const layer = AuditLog.layer
