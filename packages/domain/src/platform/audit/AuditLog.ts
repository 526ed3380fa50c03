import { Context, DateTime, Effect, Equal, Predicate, Schema } from "effect"
import {
  ActorRef,
  CurrentActor,
  CurrentRequest,
  nextId,
  toActorRef,
  shownWithSelected,
  type Slice,
  type TenantScoped,
  Timestamp,
  type Transaction,
  Uuid
} from "../../kernel/index.ts"

export const AuditEventId = Uuid.pipe(Schema.brand("AuditEventId"))
export type AuditEventId = typeof AuditEventId.Type

/** What was changed: a kind of resource and its id. */
export const AuditTarget = Schema.Struct({ kind: Schema.String, id: Schema.String }).annotate({
  identifier: "AuditTarget"
})
export type AuditTarget = typeof AuditTarget.Type

const FieldValues = Schema.Record(Schema.String, Schema.Json)

/** Only entries about contacts contain a contact's data. */
const changedFields = Schema.NullOr(FieldValues)
  .annotateKey({ description: "Changed fields. Null without `contacts.read` if the target is a contact." })
  .pipe(
    shownWithSelected(["contacts.read"], ({ target }) =>
      Predicate.hasProperty(target, "kind") && target.kind === "contact" ? ["contacts.read"] : []
    )
  )

/** One change that was made: by whom, to what, when, in which request, and the changed fields before and after. */
export class AuditEvent extends Schema.Class<AuditEvent>("AuditEvent")({
  id: AuditEventId,
  actor: ActorRef,
  action: Schema.String,
  target: AuditTarget,
  before: changedFields,
  after: changedFields,
  requestId: Schema.NullOr(Schema.String),
  at: Timestamp
}) {}

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
    readonly forget: (target: AuditTarget) => Effect.Effect<void, never, Transaction>
    /** Newest first; the key of a row is its id. */
    readonly list: (filter: AuditFilter, slice: Slice) => Effect.Effect<ReadonlyArray<AuditEvent>>
  }>
>()("@parley/domain/platform/audit/AuditLog") {}

type AuditValues = Readonly<Record<string, Schema.Json>>

const changedValues = (mine: AuditValues | null, other: AuditValues | null): AuditValues | null => {
  if (mine === null || other === null) return mine
  return Object.fromEntries(Object.entries(mine).filter(([field, value]) => !Equal.equals(value, other[field])))
}

/** Writes down a change that the actor made. Only the fields that differ are kept; secrets are never among them. */
export const recordAudit = Effect.fnUntraced(function* (
  action: string,
  target: AuditTarget,
  change: { readonly before?: AuditValues; readonly after?: AuditValues } = {}
) {
  const before = change.before ?? null
  const after = change.after ?? null
  const log = yield* AuditLog
  const request = yield* CurrentRequest
  yield* log.append(
    new AuditEvent({
      id: yield* nextId(AuditEventId),
      actor: toActorRef(yield* CurrentActor),
      action,
      target,
      before: changedValues(before, after),
      after: changedValues(after, before),
      requestId: request.id,
      at: yield* DateTime.now
    })
  )
})
