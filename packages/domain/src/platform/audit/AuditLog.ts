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

/** Changed resource: its kind and its id. */
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

/** Audited change: actor, target, time, request, and the changed fields before and after. */
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

/** Audit filter. All set fields must match. `from` is inclusive, `to` is exclusive. */
export interface AuditFilter {
  readonly actorId: string | null
  readonly targetKind: string | null
  readonly targetId: string | null
  readonly action: string | null
  readonly from: DateTime.Utc | null
  readonly to: DateTime.Utc | null
}

/** Append-only audit trail of an organization. */
export class AuditLog extends Context.Service<
  AuditLog,
  TenantScoped<{
    readonly append: (event: AuditEvent) => Effect.Effect<void, never, Transaction>
    /** Deletes the changed fields of this target. The entries and their actors stay. */
    readonly forget: (target: AuditTarget) => Effect.Effect<void, never, Transaction>
    /** Newest first; the key of a row is its id. */
    readonly list: (filter: AuditFilter, slice: Slice) => Effect.Effect<ReadonlyArray<AuditEvent>>
  }>
>()("@parley/domain/platform/audit/AuditLog") {}

export type AuditValues = Readonly<Record<string, Schema.Json>>

const changedValues = (mine: AuditValues | null, other: AuditValues | null): AuditValues | null => {
  if (mine === null || other === null) return mine
  return Object.fromEntries(Object.entries(mine).filter(([field, value]) => !Equal.equals(value, other[field])))
}

/** Records a change of the actor. It stores only the fields that differ, and never secrets. */
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
