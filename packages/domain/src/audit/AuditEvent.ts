import { Schema } from "effect"
import { ActorRef, Timestamp, Uuid } from "../kernel/index.ts"

export const AuditEventId = Uuid.pipe(Schema.brand("AuditEventId"))
export type AuditEventId = typeof AuditEventId.Type

/** What was changed: a kind of resource and its id. */
export const Target = Schema.Struct({ kind: Schema.String, id: Schema.String }).annotate({ identifier: "AuditTarget" })
export type Target = typeof Target.Type

const Values = Schema.Record(Schema.String, Schema.Json)

/** One change that was made: by whom, to what, when, in which request, and the changed fields before and after. */
export class AuditEvent extends Schema.Class<AuditEvent>("AuditEvent")({
  id: AuditEventId,
  actor: ActorRef,
  action: Schema.String,
  target: Target,
  before: Schema.NullOr(Values),
  after: Schema.NullOr(Values),
  requestId: Schema.NullOr(Schema.String),
  at: Timestamp
}) {}
