import { Context, DateTime, Duration, Effect, type JsonSchema, Schema } from "effect"
import {
  type Actor,
  type ActorRef,
  type Causation,
  CurrentActor,
  Cursors,
  type EventShape,
  hasPermission,
  type Permission,
  type Slice,
  type TenantScoped,
  ValidationFailed
} from "../../kernel/index.ts"

/** Event in the organization's log. Positions count from 1 without a gap, in commit order. */
export interface LoggedEvent<Event extends EventShape = EventShape> {
  readonly position: number
  readonly at: DateTime.Utc
  readonly actor: ActorRef
  /** Automations and workflows that caused the event; `null` for events of people and stores. */
  readonly causation: Causation | null
  readonly event: Event
}

/** Ordered, gap-free event log of the organization. */
export class EventLog extends Context.Service<
  EventLog,
  TenantScoped<{
    /** Lists events of these types, oldest first. The key of a row is its position. An empty list of types matches no event. */
    readonly list: (types: ReadonlyArray<string> | "all", slice: Slice) => Effect.Effect<ReadonlyArray<LoggedEvent>>
    /** Returns the events at these positions, in log order. */
    readonly at: (positions: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<LoggedEvent>>
    /** Position of the last event; 0 for an empty log. */
    readonly head: () => Effect.Effect<number>
  }>
>()("@parley/domain/platform/events/EventLog") {}

/** All event types, with the permission to see each of them. */
export interface EventCatalogue<Event extends EventShape> {
  readonly schema: Schema.Codec<Event, unknown>
  readonly permissions: Readonly<Record<Event["type"], Permission>>
}

/** Returns the event types that the actor may see. */
export const visibleTypesOf = <Event extends EventShape>(
  { permissions }: Pick<EventCatalogue<Event>, "permissions">,
  actor: Actor
): ReadonlyArray<string> =>
  Object.entries<Permission>(permissions)
    .filter(([, permission]) => hasPermission(actor, permission))
    .map(([type]) => type)

/** Whether a filter matches an event type: by name, or by a prefix such as `contact.*`. */
const matchesTypePattern = (type: string, asked: string): boolean =>
  asked.endsWith(".*") ? type.startsWith(asked.slice(0, -1)) : type === asked

/** Returns the requested event types that the actor may see; all visible types without a request. */
export const resolveEventTypes = <Event extends EventShape>(
  catalogue: Pick<EventCatalogue<Event>, "permissions">,
  asked: ReadonlyArray<string> | undefined
) =>
  Effect.flatMap(CurrentActor, (actor): Effect.Effect<ReadonlyArray<string>, ValidationFailed> => {
    const visible = visibleTypesOf(catalogue, actor)
    if (asked === undefined) return Effect.succeed(visible)
    const known = Object.keys(catalogue.permissions)
    const errors = asked.flatMap((each, index) =>
      known.some((type) => matchesTypePattern(type, each))
        ? []
        : [{ pointer: `/type/${index}`, message: "There are no events of this type" }]
    )
    return errors.length > 0
      ? Effect.fail(new ValidationFailed({ errors }))
      : Effect.succeed(visible.filter((type) => asked.some((each) => matchesTypePattern(type, each))))
  })

/**
 * Decodes logged events by the catalogue. They were valid when logged, so no rule is checked again. An unknown event is a defect: the log is older or
 * newer than the code.
 */
export const makeEventDecoder = <Event extends EventShape>({ schema }: Pick<EventCatalogue<Event>, "schema">) => {
  const decode = Schema.decodeUnknownEffect(schema, { disableChecks: true })
  return (events: ReadonlyArray<LoggedEvent>): Effect.Effect<ReadonlyArray<LoggedEvent<Event>>> =>
    Effect.forEach(events, (logged) => Effect.map(decode(logged.event), (event) => ({ ...logged, event }))).pipe(
      Effect.orDie
    )
}

/** Description of an event type. */
export interface EventTypeInfo {
  readonly type: string
  /** Permission to see the event. */
  readonly permission: Permission
  /** Permission to read the event's resource; `null` if the resource cannot be read. */
  readonly resourcePermission: Permission | null
  /** Additional permissions of single fields of the resource. */
  readonly resourceShownWith: ReadonlyArray<Permission>
  /** Fields of the event without `type`. */
  readonly fields: ReadonlyArray<string>
  /** JSON Schema of the fields. */
  readonly schema: JsonSchema.JsonSchema
  /** Example values of the fields. */
  readonly example: Readonly<Record<string, Schema.Json>>
}

/** All event types, including types of the areas above, by name. */
export class EventTypes extends Context.Service<EventTypes, ReadonlyMap<string, EventTypeInfo>>()(
  "@parley/domain/platform/events/EventTypes"
) {}

/** Log order is commit order. Event times may differ from it by the duration of a unit of work. */
const maxUnitOfWorkDuration = Duration.minutes(5)

/** Finds a position before all events since this time, by binary search in the log. */
export const positionBefore = Effect.fnUntraced(function* (since: DateTime.Utc) {
  const log = yield* EventLog
  const from = DateTime.subtractDuration(since, maxUnitOfWorkDuration)
  let low = 0
  let high = yield* log.head()
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [logged] = yield* log.list("all", { after: [String(middle)], limit: 1 })
    if (logged === undefined || !DateTime.isLessThan(logged.at, from)) high = middle
    else low = middle + 1
  }
  return low
})

/** Returns the start position: the position of the cursor, or one before all events since the time; `null` for neither. */
export const resolveStartPosition = Effect.fnUntraced(function* (
  cursor: string | null,
  since: DateTime.Utc | undefined
) {
  if (cursor !== null) return Number((yield* (yield* Cursors).open("events", cursor))[0] ?? 0)
  return since === undefined ? null : yield* positionBefore(since)
})
