import { Context, type DateTime, Effect, Option, Schema, type Scope, Stream } from "effect"
import {
  type NotFound,
  type OrganizationId,
  type Slice,
  type TenantScoped,
  Timestamp,
  type Transaction
} from "../../kernel/index.ts"
import { type Organization, OrganizationDirectory } from "../identity/index.ts"
import { type DeclaredEventConsumer, EventConsumerName } from "./EventConsumer.ts"
import { EventConsumerUnknown } from "./errors.ts"

/** Progress of an event consumer in an organization's log. */
export class EventCursor extends Schema.Class<EventCursor>("EventCursor")({
  consumer: EventConsumerName,
  /** All events up to it are handled, parked or irrelevant; `null` before the start. */
  position: Schema.NullOr(Schema.Int),
  /** Position of the last event in the log. */
  head: Schema.Int,
  /** First relevant event after the cursor; `null` when all are handled. */
  next: Schema.NullOr(Schema.Struct({ position: Schema.Int, type: Schema.String, at: Timestamp })),
  /** Number of failures of the next event. */
  attempts: Schema.Int,
  /** Reason of the last failure. */
  reason: Schema.NullOr(Schema.String),
  /** Time of the next retry. */
  retryAt: Schema.NullOr(Timestamp),
  /** Number of parked events. */
  parked: Schema.Int,
  /** Position of the first parked event to replay. */
  replay: Schema.NullOr(Schema.Int)
}) {}

/** Event that failed and was parked, because the later events must continue. */
export class ParkedEvent extends Schema.Class<ParkedEvent>("ParkedEvent")({
  consumer: EventConsumerName,
  position: Schema.Int,
  type: Schema.String,
  attempts: Schema.Int,
  reason: Schema.String,
  parkedAt: Timestamp,
  /** Whether it is scheduled for replay. */
  isReplayed: Schema.Boolean
}) {}

/** Event consumer that was ever registered in this database. */
export class KnownEventConsumer extends Schema.Class<KnownEventConsumer>("KnownEventConsumer")({
  name: EventConsumerName,
  /** Registration time. An event consumer that starts with the next event ignores earlier events. */
  since: Timestamp
}) {}

/** Failure of the next event. */
export interface FailedEvent {
  /** Position of the cursor. */
  readonly after: number
  readonly position: number
  /** Number of failures, including this one. */
  readonly attempts: number
  readonly reason: string
}

/** Cursor without relevant events up to a later position. */
export interface IdleCursor {
  readonly consumer: EventConsumerName
  readonly position: number
  readonly head: number
}

/** Progress of each event consumer in the organization's log, and its parked events. */
export class EventCursors extends Context.Service<
  EventCursors,
  TenantScoped<{
    /** Cursors of these event consumers, in their order. */
    readonly list: (consumers: ReadonlyArray<DeclaredEventConsumer>) => Effect.Effect<ReadonlyArray<EventCursor>>
    /** Creates a cursor before the first event logged at or after this time (`null`: before all events), if none exists. */
    readonly begin: (name: EventConsumerName, since: DateTime.Utc | null) => Effect.Effect<void, never, Transaction>
    /**
     * Locks the cursor until this unit of work ends. `null` when another process holds it or it does not exist. Lock it before all other rows to
     * prevent deadlocks.
     */
    readonly lock: (
      name: EventConsumerName
    ) => Effect.Effect<{ readonly position: number; readonly attempts: number } | null, never, Transaction>
    /** Moves the locked cursor, and resets the failure count of the next event. */
    readonly advance: (name: EventConsumerName, position: number) => Effect.Effect<void, never, Transaction>
    /**
     * Moves the unchanged cursors to their heads in one statement, and returns the names of their event consumers. Cursors that are locked, resting
     * or before a failed event stay unchanged.
     */
    readonly passBy: (
      idle: ReadonlyArray<IdleCursor>
    ) => Effect.Effect<ReadonlySet<EventConsumerName>, never, Transaction>
    /** Suspends the event consumer of the locked cursor until `wake`. Until then it reads only after every five hundred events. */
    readonly rest: (name: EventConsumerName) => Effect.Effect<void, never, Transaction>
    /** Resumes the event consumer from this commit on. Without a cursor, it starts with the next logged event. */
    readonly wake: (name: EventConsumerName) => Effect.Effect<void, never, Transaction>
    /** Records a failure of the next event and its retry time. Ignored after another process has recorded it or moved the cursor. */
    readonly retry: (
      name: EventConsumerName,
      failed: FailedEvent,
      again: DateTime.Utc
    ) => Effect.Effect<void, never, Transaction>
    /** Parks the next event and moves the cursor past it, unless another process has moved the cursor. */
    readonly park: (
      name: EventConsumerName,
      failed: FailedEvent,
      now: DateTime.Utc
    ) => Effect.Effect<void, never, Transaction>
    /** Parked events, earliest first. The key of a row is its event consumer and its position. */
    readonly listParked: (name: EventConsumerName | null, slice: Slice) => Effect.Effect<ReadonlyArray<ParkedEvent>>
    /** Schedules parked events for replay: all, or one. */
    readonly replayParked: (
      name: EventConsumerName,
      position: number | null
    ) => Effect.Effect<number, NotFound, Transaction>
    /** Locks a parked event that is scheduled for replay. `false` if it is not scheduled or another process holds it. */
    readonly lockReplay: (name: EventConsumerName, position: number) => Effect.Effect<boolean, never, Transaction>
    /** Records that a parked event failed again. It stays parked. */
    readonly replayFailed: (
      name: EventConsumerName,
      position: number,
      reason: string
    ) => Effect.Effect<void, never, Transaction>
    /** Deletes a parked event. */
    readonly unpark: (name: EventConsumerName, position: number) => Effect.Effect<void, NotFound, Transaction>
    /** Moves the cursor to the position. Every event after it is handled again or for the first time, and is no longer parked. */
    readonly rewind: (name: EventConsumerName, position: number) => Effect.Effect<void, NotFound, Transaction>
    /** Deletes all data of an event consumer. */
    readonly remove: (name: EventConsumerName) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/platform/events/EventCursors") {}

/** Listener to the event logs of all organizations. */
export interface AllLogsListener {
  /**
   * Waits until events may have been logged since the last completion, and returns the organizations. Completes immediately if that has already
   * happened.
   */
  readonly next: Effect.Effect<ReadonlySet<OrganizationId>>
}

/** Event consumers of all organizations. Not tenant-scoped. */
export class EventConsumerDirectory extends Context.Service<
  EventConsumerDirectory,
  {
    /** In name order. */
    readonly list: Effect.Effect<ReadonlyArray<KnownEventConsumer>>
    /** Registers new event consumers as of now. Existing ones stay unchanged. */
    readonly add: (
      names: ReadonlyArray<EventConsumerName>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<KnownEventConsumer>>
    readonly remove: (name: EventConsumerName) => Effect.Effect<void, NotFound, Transaction>
    /** Listens to all organizations until the scope ends. Notifications are fast but can be lost. */
    readonly listen: Effect.Effect<AllLogsListener, never, Scope.Scope>
  }
>()("@parley/domain/platform/events/EventConsumerDirectory") {}

/** Rejects the name of an event consumer that was never registered. A typo must not look like an idle one. */
export const requireKnownConsumer = Effect.fnUntraced(function* (name: EventConsumerName) {
  const known = yield* (yield* EventConsumerDirectory).list
  if (!known.some((each) => each.name === name)) return yield* new EventConsumerUnknown({ name })
})

const pageSize = 500

/** All organizations, oldest first. */
export const allOrganizations = Stream.paginate(
  null,
  Effect.fnUntraced(function* (after: ReadonlyArray<string> | null) {
    const organizations: ReadonlyArray<Organization> = yield* (yield* OrganizationDirectory).list({
      limit: pageSize,
      after
    })
    const last = organizations.at(-1)
    const next = last === undefined || organizations.length < pageSize ? Option.none() : Option.some([last.id])
    return [organizations, next] as const
  })
)
