import { Predicate, Schema } from "effect"
import { ActorRef, shownWithSome, Timestamp, Uuid } from "../../kernel/index.ts"

export const AuditEventId = Uuid.pipe(Schema.brand("AuditEventId"))
export type AuditEventId = typeof AuditEventId.Type

/** What was changed: a kind of resource and its id. */
export const Target = Schema.Struct({ kind: Schema.String, id: Schema.String }).annotate({ identifier: "AuditTarget" })
export type Target = typeof Target.Type

const Values = Schema.Record(Schema.String, Schema.Json)

/** Only entries about contacts contain a contact's data. */
const changedFields = Schema.NullOr(Values)
  .annotateKey({ description: "Changed fields. Null without `contacts.read` if the target is a contact." })
  .pipe(
    shownWithSome(["contacts.read"], ({ target }) =>
      Predicate.hasProperty(target, "kind") && target.kind === "contact" ? ["contacts.read"] : []
    )
  )

/** One change that was made: by whom, to what, when, in which request, and the changed fields before and after. */
export class AuditEvent extends Schema.Class<AuditEvent>("AuditEvent")({
  id: AuditEventId,
  actor: ActorRef,
  action: Schema.String,
  target: Target,
  before: changedFields,
  after: changedFields,
  requestId: Schema.NullOr(Schema.String),
  at: Timestamp
}) {}
