import { AuditLog } from "./AuditLog.ts"

/** The ports that a storage adapter provides of this area. */
export const auditStorage = [AuditLog] as const
