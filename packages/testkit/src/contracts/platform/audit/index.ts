import { auditLog } from "./auditLog.ts"

export { auditLogContract } from "./auditLog.ts"

export const auditContracts = [auditLog]
