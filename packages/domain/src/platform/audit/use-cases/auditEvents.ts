import { type PageRequest, useCase } from "../../../kernel/index.ts"
import type { AuditFilter } from "../AuditLog.ts"
import { pageOfAuditEvents } from "../auditPages.ts"

/** Lists the audit trail, newest first. */
export const listAuditEvents = useCase(
  { name: "audit.list", access: { permission: "audit.read" } },
  (input: { readonly page: PageRequest } & Partial<AuditFilter>) => pageOfAuditEvents("audit_events", input)
)
