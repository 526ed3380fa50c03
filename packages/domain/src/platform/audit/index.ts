export * from "./AuditLog.ts"
export * from "./use-cases/auditEvents.ts"
