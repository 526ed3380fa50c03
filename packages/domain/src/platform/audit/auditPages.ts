import { Effect } from "effect"
import { paged, type PageRequest } from "../../kernel/index.ts"
import { type AuditFilter, AuditLog } from "./AuditLog.ts"

const allEvents: AuditFilter = {
  actorId: null,
  targetKind: null,
  targetId: null,
  action: null,
  from: null,
  to: null
}

/** Page of the trail of the current organization, newest first. */
export const pageOfAuditEvents = Effect.fnUntraced(function* (
  list: string,
  { page, ...filter }: { readonly page: PageRequest } & Partial<AuditFilter>
) {
  const log = yield* AuditLog
  return yield* paged(
    list,
    page,
    (slice) => log.list({ ...allEvents, ...filter }, slice),
    (event) => [event.id]
  )
})
