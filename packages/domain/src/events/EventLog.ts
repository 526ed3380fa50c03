import { Context, type Effect, Schema } from "effect"
import { DomainEvent } from "../DomainEvent.ts"
import { ActorRef, type Slice, type TenantScoped, Timestamp } from "../kernel/index.ts"

/** An event as it stands in the organization's log. Positions count from 1 without a gap, in the order of the commits. */
export class LoggedEvent extends Schema.Class<LoggedEvent>("LoggedEvent")({
  position: Schema.Int,
  at: Timestamp,
  actor: ActorRef,
  event: DomainEvent
}) {}

/** The organization's ordered, gap-free log of events. */
export class EventLog extends Context.Service<
  EventLog,
  TenantScoped<{
    /** Oldest first; the key of a row is its position. Only events of these types: of none, when none is given. */
    readonly list: (types: ReadonlyArray<string>, slice: Slice) => Effect.Effect<ReadonlyArray<LoggedEvent>>
    /** The position of the last event there is; 0 before the first one. */
    readonly head: () => Effect.Effect<number>
  }>
>()("@parley/domain/events/EventLog") {}
