import { defineArea } from "../../kernel/index.ts"
import { AuditLog } from "./AuditLog.ts"

const auditStorage = [AuditLog] as const

export const auditArea = defineArea({
  name: "platform/audit",
  storage: auditStorage,
  permissions: ["audit.read"]
})
