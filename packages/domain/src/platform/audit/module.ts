import { defineArea } from "../../kernel/index.ts"
import { AuditLog } from "./AuditLog.ts"

/** The ports that a storage adapter provides of this area. */
const auditStorage = [AuditLog] as const

/** What this area says of itself. */
export const auditArea = defineArea({
  name: "platform/audit",
  storage: auditStorage,
  permissions: ["audit.read"]
})
