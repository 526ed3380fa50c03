export * from "./AuditLog.ts"
export * from "./auditPages.ts"
export * from "./use-cases/auditEvents.ts"
