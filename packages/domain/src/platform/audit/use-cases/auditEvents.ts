import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../../kernel/index.ts"
import { type AuditFilter, AuditLog } from "../AuditLog.ts"

const allEvents: AuditFilter = {
  actorId: null,
  targetKind: null,
  targetId: null,
  action: null,
  from: null,
  to: null
}

/** Lists the audit trail, newest first. */
export const listAuditEvents = useCase(
  { name: "audit.list", access: { permission: "audit.read" } },
  Effect.fnUntraced(function* ({ page, ...filter }: { readonly page: PageRequest } & Partial<AuditFilter>) {
    const log = yield* AuditLog
    return yield* paged(
      "audit_events",
      page,
      (slice) => log.list({ ...allEvents, ...filter }, slice),
      (event) => [event.id]
    )
  })
)
