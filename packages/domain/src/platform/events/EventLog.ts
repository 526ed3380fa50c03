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

/** The events that there are, and which permission an actor needs to see each of them. */
export interface EventCatalogue<Event extends EventShape> {
  readonly schema: Schema.Codec<Event, unknown>
  readonly permissions: Readonly<Record<Event["type"], Permission>>
}

/** The types of events that the actor may see. */
export const visibleTypesOf = <Event extends EventShape>(
  { permissions }: Pick<EventCatalogue<Event>, "permissions">,
  actor: Actor
): ReadonlyArray<string> =>
  Object.entries<Permission>(permissions)
    .filter(([, permission]) => hasPermission(actor, permission))
    .map(([type]) => type)

/** Whether a type of event is meant: by its name, or by its beginning, as `contact.*` means all of contacts. */
const matchesTypePattern = (type: string, asked: string): boolean =>
  asked.endsWith(".*") ? type.startsWith(asked.slice(0, -1)) : type === asked

/** The types of events that are asked for and that the actor may see; all of those if nothing is asked for. */
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
 * Reads events of the log as what the catalogue says they are. They were right when they were logged, so no rule is checked
 * again; one that the catalogue does not know is a defect: the log is older or newer than the code.
 */
export const makeEventDecoder = <Event extends EventShape>({ schema }: Pick<EventCatalogue<Event>, "schema">) => {
  const decode = Schema.decodeUnknownEffect(schema, { disableChecks: true })
  return (events: ReadonlyArray<LoggedEvent>): Effect.Effect<ReadonlyArray<LoggedEvent<Event>>> =>
    Effect.forEach(events, (logged) => Effect.map(decode(logged.event), (event) => ({ ...logged, event }))).pipe(
      Effect.orDie
    )
}

/** What is known of a type of event. */
export interface EventTypeInfo {
  readonly type: string
  /** What somebody needs to see it. */
  readonly permission: Permission
  /** What somebody needs to read what it is about; `null` where that cannot be read. */
  readonly resourcePermission: Permission | null
  /** Additional permissions of single fields of the resource. */
  readonly resourceShownWith: ReadonlyArray<Permission>
  /** The fields it has, besides its type. */
  readonly fields: ReadonlyArray<string>
  /** What its fields are, as JSON Schema. */
  readonly schema: JsonSchema.JsonSchema
  /** What its fields may be. */
  readonly example: Readonly<Record<string, Schema.Json>>
}

/** All types of events, those of the areas above too, by name. */
export class EventTypes extends Context.Service<EventTypes, ReadonlyMap<string, EventTypeInfo>>()(
  "@parley/domain/platform/events/EventTypes"
) {}

/** Events stand in the order of their commits, which may differ from that of their times by as much as a unit of work lasts. */
const maxUnitOfWorkDuration = Duration.minutes(5)

/** A position that everything comes after which happened since then, found by halving the log. */
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

/** The position after which to read: that of the cursor, or one before everything that happened since then; `null` for neither. */
export const resolveStartPosition = Effect.fnUntraced(function* (
  cursor: string | null,
  since: DateTime.Utc | undefined
) {
  if (cursor !== null) return Number((yield* (yield* Cursors).open("events", cursor))[0] ?? 0)
  return since === undefined ? null : yield* positionBefore(since)
})
