import { Schema } from "effect"
import { Timestamp } from "../../kernel/index.ts"
import { SubscriberName } from "./Subscriber.ts"

/** How far a subscriber has come in an organization's log. */
export class Subscription extends Schema.Class<Subscription>("Subscription")({
  subscriber: SubscriberName,
  /** All events up to it are handled, parked, or not for this subscriber; `null` before it has begun here. */
  position: Schema.NullOr(Schema.Int),
  /** The position of the last event there is. */
  head: Schema.Int,
  /** The first event after the cursor that is for it; `null` when it has handled all. */
  next: Schema.NullOr(Schema.Struct({ position: Schema.Int, type: Schema.String, at: Timestamp })),
  /** How often the next event has failed. */
  attempts: Schema.Int,
  /** Why it has failed. */
  reason: Schema.NullOr(Schema.String),
  /** When it is tried again. */
  retryAt: Schema.NullOr(Timestamp),
  /** How many events are parked. */
  parked: Schema.Int,
  /** The first of those parked that is to be handled once more. */
  replay: Schema.NullOr(Schema.Int)
}) {}

/** An event that a subscriber could not handle, set aside so that the later ones go on. */
export class ParkedEvent extends Schema.Class<ParkedEvent>("ParkedEvent")({
  subscriber: SubscriberName,
  position: Schema.Int,
  type: Schema.String,
  attempts: Schema.Int,
  reason: Schema.String,
  parkedAt: Timestamp,
  /** Whether it is to be handled once more. */
  isReplayed: Schema.Boolean
}) {}

/** A subscriber that has ever been known on this database. */
export class KnownSubscriber extends Schema.Class<KnownSubscriber>("KnownSubscriber")({
  name: SubscriberName,
  /** Since when it is known: events that were logged before are of no concern to one that begins with the next event. */
  since: Timestamp
}) {}
