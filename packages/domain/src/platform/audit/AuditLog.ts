import { Context, type DateTime, type Effect } from "effect"
import type { Slice, TenantScoped, Transaction } from "../../kernel/index.ts"
import type { AuditEvent, Target } from "./AuditEvent.ts"

/** Which audit events to read; every part that is set must hold. `from` is within the range, `to` is just behind it. */
export interface AuditFilter {
  readonly actorId: string | null
  readonly targetKind: string | null
  readonly targetId: string | null
  readonly action: string | null
  readonly from: DateTime.Utc | null
  readonly to: DateTime.Utc | null
}

/** The append-only trail of changes in an organization. */
export class AuditLog extends Context.Service<
  AuditLog,
  TenantScoped<{
    readonly append: (event: AuditEvent) => Effect.Effect<void, never, Transaction>
    /** Forgets what was changed of this target, from what to what; that it was, and by whom, stays. */
    readonly forget: (target: Target) => Effect.Effect<void, never, Transaction>
    /** Newest first; the key of a row is its id. */
    readonly list: (filter: AuditFilter, slice: Slice) => Effect.Effect<ReadonlyArray<AuditEvent>>
  }>
>()("@parley/domain/platform/audit/AuditLog") {}
