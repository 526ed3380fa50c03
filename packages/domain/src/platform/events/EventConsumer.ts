import { Context, Effect, Layer, Schema } from "effect"
import type { CurrentActor, CurrentOrganization, EventShape, Transaction } from "../../kernel/index.ts"
import { type LoggedEvent, makeEventDecoder } from "./EventLog.ts"

/** Name of an event consumer, also stored in its rows: `area.what_it_does`. */
export const EventConsumerName = Schema.String.check(Schema.isPattern(/^[a-z_]+\.[a-z_]+$/)).pipe(
  Schema.brand("EventConsumerName")
)
export type EventConsumerName = typeof EventConsumerName.Type

/** First event for a new event consumer in an organization's log. */
export type StartPosition = "first_event" | "next_event"

type EventTypeSelection<Event extends EventShape> = ReadonlyArray<Event["type"]> | "all"

/** Logged event of a selected type. */
type SelectedEvent<Event extends EventShape, Events extends EventTypeSelection<Event>> = LoggedEvent<
  Events extends ReadonlyArray<infer Type> ? Extract<Event, { readonly type: Type }> : Event
>

/**
 * Result of a handler. `more`: a part is done and stored; the same events come again for the rest. `upTo`: the events up to this position are done;
 * later ones come again. `nobody`: the organization does not need this event consumer. It handles nothing there until `EventCursors.wake` is called.
 */
export type HandlerResult = "done" | "more" | "nobody" | { readonly upTo: number }

/** Context of a handler: the unit of work that also moves the cursor, the organization, and the event consumer as actor. */
export type HandlerContext = Transaction | CurrentOrganization | CurrentActor

interface Declaration<Event extends EventShape, Events extends EventTypeSelection<Event>, R> {
  readonly name: string
  /** Schema of the events of the areas that the event consumer depends on. */
  readonly schema: Schema.Codec<Event, unknown>
  readonly events: Events
  readonly beginsWith: StartPosition
  /** Maximum number of events in one unit of work (aim below a second). */
  readonly batch: number
  /** Handles events in log order. Its writes and the cursor move commit together or not at all. No crash can lose an event or handle it twice. */
  readonly handle: (
    events: ReadonlyArray<SelectedEvent<Event, Events>>
  ) => Effect.Effect<HandlerResult | void, unknown, R>
}

/** Event consumer whose handler requires these services. */
export interface EventConsumer<out R> {
  readonly name: EventConsumerName
  readonly types: ReadonlyArray<string> | "all"
  readonly beginsWith: StartPosition
  readonly batch: number
  readonly handle: (events: ReadonlyArray<LoggedEvent>) => Effect.Effect<HandlerResult | void, unknown, R>
}

/** Static declaration of an event consumer. */
export type DeclaredEventConsumer = Pick<EventConsumer<never>, "name" | "types">

/** Declares an event consumer: its event types and its handler. */
export const defineEventConsumer = <Event extends EventShape, const Events extends EventTypeSelection<Event>, R>({
  batch,
  beginsWith,
  events: types,
  handle,
  name,
  schema
}: Declaration<Event, Events, R>): EventConsumer<R> => {
  const read = makeEventDecoder({ schema })
  const wanted: ReadonlySet<string> | null = types === "all" ? null : new Set(types)
  const isWanted = (logged: LoggedEvent<Event>): logged is SelectedEvent<Event, Events> =>
    wanted === null || wanted.has(logged.event.type)
  return {
    name: EventConsumerName.make(name),
    types,
    beginsWith,
    batch,
    handle: (events) => Effect.flatMap(read(events), (known) => handle(known.filter(isWanted)))
  }
}

/** Event consumers of this process, by name. */
export class EventConsumers extends Context.Service<
  EventConsumers,
  ReadonlyMap<EventConsumerName, EventConsumer<HandlerContext>>
>()("@parley/domain/platform/events/EventConsumers") {}

type Needs<Each> = Each extends EventConsumer<infer R> ? R : never

/** Provides the services that the handlers require. */
export const layerEventConsumersOf = <const All extends ReadonlyArray<EventConsumer<unknown>>>(
  all: All
): Layer.Layer<EventConsumers, never, Exclude<Needs<All[number]>, HandlerContext>> =>
  Layer.effect(
    EventConsumers,
    Effect.contextWith((outside: Context.Context<Exclude<Needs<All[number]>, HandlerContext>>) => {
      const complete = (consumer: EventConsumer<unknown>): EventConsumer<HandlerContext> => ({
        ...consumer,
        // The handler context takes precedence over the services at layer construction.
        handle: (events) =>
          Effect.updateContext(
            consumer.handle(events),
            (inside: Context.Context<HandlerContext>) => Context.merge(outside, inside) as Context.Context<unknown>
          )
      })
      return Effect.succeed(new Map(all.map((each) => [each.name, complete(each)])))
    })
  )
