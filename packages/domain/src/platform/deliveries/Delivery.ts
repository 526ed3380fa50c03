import { Schema } from "effect"
import { Timestamp, Uuid } from "../../kernel/index.ts"

export const DeliveryId = Uuid.pipe(Schema.brand("DeliveryId"))
export type DeliveryId = typeof DeliveryId.Type

/** `waiting` to be worked through, `applied`, or `parked` after it could not be. */
export const DeliveryState = Schema.Literals(["waiting", "applied", "parked"])
export type DeliveryState = typeof DeliveryState.Type

/** What a provider has told an organization, and what became of it. */
export class Delivery extends Schema.Class<Delivery>("Delivery")({
  id: DeliveryId,
  /** The area that it came to, and the provider whose words it is in. */
  source: Schema.String,
  provider: Schema.String,
  state: DeliveryState,
  receivedAt: Timestamp,
  appliedAt: Schema.NullOr(Timestamp),
  attempts: Schema.Int,
  /** Why it could not be worked through. */
  reason: Schema.NullOr(Schema.String),
  /** How many things it told, and how many of them nobody here understands. */
  events: Schema.NullOr(Schema.Int),
  unknown: Schema.NullOr(Schema.Int)
}) {}
