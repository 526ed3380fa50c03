import { DateTime, Effect, Equal, type Schema } from "effect"
import { CurrentActor, CurrentRequest, nextId, refer } from "../../kernel/index.ts"
import { AuditEvent, AuditEventId, type Target } from "./AuditEvent.ts"
import { AuditLog } from "./AuditLog.ts"

type Values = Readonly<Record<string, Schema.Json>>

const changed = (mine: Values | null, other: Values | null): Values | null => {
  if (mine === null || other === null) return mine
  return Object.fromEntries(Object.entries(mine).filter(([field, value]) => !Equal.equals(value, other[field])))
}

/** Writes down a change that the actor made. Only the fields that differ are kept; secrets are never among them. */
export const record = Effect.fnUntraced(function* (
  action: string,
  target: Target,
  change: { readonly before?: Values; readonly after?: Values } = {}
) {
  const before = change.before ?? null
  const after = change.after ?? null
  const log = yield* AuditLog
  const request = yield* CurrentRequest
  yield* log.append(
    new AuditEvent({
      id: yield* nextId(AuditEventId),
      actor: refer(yield* CurrentActor),
      action,
      target,
      before: changed(before, after),
      after: changed(after, before),
      requestId: request.id,
      at: yield* DateTime.now
    })
  )
})
