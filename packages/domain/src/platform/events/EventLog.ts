import { Context, type DateTime, type Effect } from "effect"
import type { ActorRef, Causation, EventShape, Slice, TenantScoped } from "../../kernel/index.ts"

/** An event as it stands in the organization's log. Positions count from 1 without a gap, in the order of the commits. */
export interface LoggedEvent<Event extends EventShape = EventShape> {
  readonly position: number
  readonly at: DateTime.Utc
  readonly actor: ActorRef
  /** The automations and workflows that it comes from; `null` for what people and stores do. */
  readonly causation: Causation | null
  readonly event: Event
}

/** The organization's ordered, gap-free log of events. */
export class EventLog extends Context.Service<
  EventLog,
  TenantScoped<{
    /** Oldest first; the key of a row is its position. Only events of these types: of none, when none is given. */
    readonly list: (types: ReadonlyArray<string> | "all", slice: Slice) => Effect.Effect<ReadonlyArray<LoggedEvent>>
    /** Those at these positions, in their order. */
    readonly at: (positions: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<LoggedEvent>>
    /** The position of the last event there is; 0 before the first one. */
    readonly head: () => Effect.Effect<number>
  }>
>()("@parley/domain/platform/events/EventLog") {}
