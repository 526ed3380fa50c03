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

/** How far a subscriber has come in an organization's log. */
export class EventCursor extends Schema.Class<EventCursor>("Subscription")({
  subscriber: EventConsumerName,
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
  subscriber: EventConsumerName,
  position: Schema.Int,
  type: Schema.String,
  attempts: Schema.Int,
  reason: Schema.String,
  parkedAt: Timestamp,
  /** Whether it is to be handled once more. */
  isReplayed: Schema.Boolean
}) {}

/** A subscriber that has ever been known on this database. */
export class KnownEventConsumer extends Schema.Class<KnownEventConsumer>("KnownSubscriber")({
  name: EventConsumerName,
  /** Since when it is known: events that were logged before are of no concern to one that begins with the next event. */
  since: Timestamp
}) {}

/** How the next event failed. */
export interface FailedEvent {
  /** Where the cursor stands. */
  readonly after: number
  readonly position: number
  /** How often, with this time. */
  readonly attempts: number
  readonly reason: string
}

/** A cursor, and how far there is nothing after it for its subscriber. */
export interface IdleCursor {
  readonly subscriber: EventConsumerName
  readonly position: number
  readonly head: number
}

/** How far each subscriber has come in the organization's log, and which events it could not handle. */
export class EventCursors extends Context.Service<
  EventCursors,
  TenantScoped<{
    /** How far these have come, in their order. */
    readonly list: (subscribers: ReadonlyArray<DeclaredEventConsumer>) => Effect.Effect<ReadonlyArray<EventCursor>>
    /** Puts a cursor before the first event that was not logged before then (`null`: before all), unless there is one. */
    readonly begin: (name: EventConsumerName, since: DateTime.Utc | null) => Effect.Effect<void, never, Transaction>
    /**
     * Locks the cursor, so that nobody else moves it before this unit of work ends. `null` when somebody else has it, or
     * when there is none. Lock it before anything else, so that nobody waits in a circle.
     */
    readonly lock: (
      name: EventConsumerName
    ) => Effect.Effect<{ readonly position: number; readonly attempts: number } | null, never, Transaction>
    /** Moves the cursor that was locked, and forgets how often the event after it has failed. */
    readonly advance: (name: EventConsumerName, position: number) => Effect.Effect<void, never, Transaction>
    /**
     * Moves the cursors that still stand there to their heads, all at once; says of which subscribers. One that somebody else has, that rests
     * or whose next event has failed stays where it is.
     */
    readonly passBy: (
      idle: ReadonlyArray<IdleCursor>
    ) => Effect.Effect<ReadonlySet<EventConsumerName>, never, Transaction>
    /** Has a subscriber whose cursor is locked look no more, but for every five hundred events, until `wake` says that somebody needs it. */
    readonly rest: (name: EventConsumerName) => Effect.Effect<void, never, Transaction>
    /** Has it look again, from this commit on. One that has not begun yet begins with what is logged from now on. */
    readonly wake: (name: EventConsumerName) => Effect.Effect<void, never, Transaction>
    /** Keeps that the next event failed and when it is tried again, unless somebody else has done so, or moved the cursor. */
    readonly retry: (
      name: EventConsumerName,
      failed: FailedEvent,
      again: DateTime.Utc
    ) => Effect.Effect<void, never, Transaction>
    /** Sets the next event aside and moves the cursor past it, unless somebody else has moved it. */
    readonly park: (
      name: EventConsumerName,
      failed: FailedEvent,
      now: DateTime.Utc
    ) => Effect.Effect<void, never, Transaction>
    /** Those that are parked, the earliest first; the key of a row is its subscriber and its position. */
    readonly listParked: (name: EventConsumerName | null, slice: Slice) => Effect.Effect<ReadonlyArray<ParkedEvent>>
    /** Has parked events handled once more, all of them or this one. */
    readonly replayParked: (
      name: EventConsumerName,
      position: number | null
    ) => Effect.Effect<number, NotFound, Transaction>
    /** Locks a parked event that is to be handled once more; says whether that was so and nobody else has it. */
    readonly lockReplay: (name: EventConsumerName, position: number) => Effect.Effect<boolean, never, Transaction>
    /** Keeps that a parked event failed again; it stays parked. */
    readonly replayFailed: (
      name: EventConsumerName,
      position: number,
      reason: string
    ) => Effect.Effect<void, never, Transaction>
    /** Forgets a parked event. */
    readonly unpark: (name: EventConsumerName, position: number) => Effect.Effect<void, NotFound, Transaction>
    /** Puts the cursor there, so that every event after it is handled, again or for the first time; those are not parked then. */
    readonly rewind: (name: EventConsumerName, position: number) => Effect.Effect<void, NotFound, Transaction>
    /** Removes what is kept of a subscriber. */
    readonly remove: (name: EventConsumerName) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/platform/events/EventCursors") {}

/** Tells in which organizations something was logged. */
export interface AllLogsListener {
  /** Waits until something may have been logged since it last answered, and says where. It answers at once if that has happened already. */
  readonly next: Effect.Effect<ReadonlySet<OrganizationId>>
}

/** Knows the subscribers of all organizations. It stands above tenants. */
export class EventConsumerDirectory extends Context.Service<
  EventConsumerDirectory,
  {
    /** By name. */
    readonly list: Effect.Effect<ReadonlyArray<KnownEventConsumer>>
    /** Makes these known, from now on; what is known already stays as it is. */
    readonly add: (
      names: ReadonlyArray<EventConsumerName>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<KnownEventConsumer>>
    readonly remove: (name: EventConsumerName) => Effect.Effect<void, NotFound, Transaction>
    /** Listens to all organizations until the scope ends. It is quick, not sure: a sign may be lost on its way. */
    readonly listen: Effect.Effect<AllLogsListener, never, Scope.Scope>
  }
>()("@parley/domain/platform/events/EventConsumerDirectory") {}

/** Refuses a name that no subscriber has ever had here, so that a slip of the pen is not taken for one that has nothing to do. */
export const requireKnownConsumer = Effect.fnUntraced(function* (name: EventConsumerName) {
  const known = yield* (yield* EventConsumerDirectory).list
  if (!known.some((each) => each.name === name)) return yield* new EventConsumerUnknown({ name })
})

const pageSize = 500

/** Every organization there is, oldest first. */
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
