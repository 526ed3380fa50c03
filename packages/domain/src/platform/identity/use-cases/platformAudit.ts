import { Effect } from "effect"
import { CurrentOrganization, type PageRequest, useCase } from "../../../kernel/index.ts"
import { type AuditFilter, pageOfAuditEvents } from "../../audit/index.ts"
import { platformOrganizationId } from "../authorization.ts"

/** Lists the audit trail of the installation, newest first. Entries of organizations are in their own trails. */
export const listPlatformAuditEvents = useCase(
  { name: "audit.listPlatform", access: "operator", operatorScope: "audit.read" },
  Effect.fnUntraced(
    function* (input: { readonly page: PageRequest } & Partial<AuditFilter>) {
      return yield* pageOfAuditEvents("platform_audit_events", input)
    },
    Effect.provideService(CurrentOrganization, { id: platformOrganizationId })
  )
)
