import type { AuditLog } from "./AuditLog.ts"

/** What a storage adapter provides of this area. */
export type AuditStorage = AuditLog
