import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../../kernel/index.ts"
import { type AuditFilter, AuditLog } from "../AuditLog.ts"

/** Lists the audit trail, newest first. */
export const listAuditEvents = useCase(
  { name: "audit.list", access: { permission: "audit.read" } },
  Effect.fnUntraced(function* ({ page, ...filter }: { readonly page: PageRequest } & AuditFilter) {
    const log = yield* AuditLog
    return yield* paged(
      "audit_events",
      page,
      (slice) => log.list(filter, slice),
      (event) => [event.id]
    )
  })
)
