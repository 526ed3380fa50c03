export * from "./AuditEvent.ts"
export * from "./AuditLog.ts"
export * from "./record.ts"
export * from "./use-cases/listAuditEvents.ts"
