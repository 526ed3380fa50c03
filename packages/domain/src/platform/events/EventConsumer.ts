import { Context, Effect, Layer, Schema } from "effect"
import type { CurrentActor, CurrentOrganization, EventShape, Transaction } from "../../kernel/index.ts"
import { type LoggedEvent, makeEventDecoder } from "./EventLog.ts"

/** What a subscriber is known by, in its rows as well: `area.what_it_does`. */
export const EventConsumerName = Schema.String.check(Schema.isPattern(/^[a-z_]+\.[a-z_]+$/)).pipe(
  Schema.brand("SubscriberName")
)
export type EventConsumerName = typeof EventConsumerName.Type

/** With which event of an organization's log a subscriber that is new begins. */
export type StartPosition = "first_event" | "next_event"

/** The types of the events that a subscriber wants. */
type EventTypeSelection<Event extends EventShape> = ReadonlyArray<Event["type"]> | "all"

/** A logged event that the subscriber wants. */
type SelectedEvent<Event extends EventShape, Events extends EventTypeSelection<Event>> = LoggedEvent<
  Events extends ReadonlyArray<infer Type> ? Extract<Event, { readonly type: Type }> : Event
>

/**
 * `more`: only a part was done, which is kept; the same events come again for the rest. `upTo`: they are done up to the one at this
 * position; those after it come again. `nobody`: nobody in the organization needs it; nothing is handled there until
 * `Subscriptions.wake` says that somebody does.
 */
export type HandlerResult = "done" | "more" | "nobody" | { readonly upTo: number }

/** What a handler finds round it: the unit of work that also moves the cursor, the organization, and the subscriber as actor. */
export type HandlerContext = Transaction | CurrentOrganization | CurrentActor

interface Declaration<Event extends EventShape, Events extends EventTypeSelection<Event>, R> {
  readonly name: string
  /** What the events are read as: those of the areas that the subscriber knows. */
  readonly schema: Schema.Codec<Event, unknown>
  readonly events: Events
  readonly beginsWith: StartPosition
  /** How many events are handled in one unit of work at most (aim below a second). */
  readonly batch: number
  /**
   * Handles events in their order. What it writes is committed together with the move of the cursor or not at all, so
   * whatever happens to the process, no event is lost and none is handled twice.
   */
  readonly handle: (
    events: ReadonlyArray<SelectedEvent<Event, Events>>
  ) => Effect.Effect<HandlerResult | void, unknown, R>
}

/** A subscriber whose handler still needs these services. */
export interface EventConsumer<out R> {
  readonly name: EventConsumerName
  readonly types: ReadonlyArray<string> | "all"
  readonly beginsWith: StartPosition
  readonly batch: number
  readonly handle: (events: ReadonlyArray<LoggedEvent>) => Effect.Effect<HandlerResult | void, unknown, R>
}

/** What the code says of a subscriber without running it. */
export type DeclaredEventConsumer = Pick<EventConsumer<never>, "name" | "types">

/** Declares who follows which events, and what is done about them. */
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

/** The subscribers that this process knows, by their names. */
export class EventConsumers extends Context.Service<
  EventConsumers,
  ReadonlyMap<EventConsumerName, EventConsumer<HandlerContext>>
>()("@parley/domain/platform/events/EventConsumers") {}

type Needs<Each> = Each extends EventConsumer<infer R> ? R : never

/** Gives subscribers what their handlers need from outside. */
export const layerEventConsumersOf = <const All extends ReadonlyArray<EventConsumer<unknown>>>(
  all: All
): Layer.Layer<EventConsumers, never, Exclude<Needs<All[number]>, HandlerContext>> =>
  Layer.effect(
    EventConsumers,
    Effect.contextWith((outside: Context.Context<Exclude<Needs<All[number]>, HandlerContext>>) => {
      const complete = (subscriber: EventConsumer<unknown>): EventConsumer<HandlerContext> => ({
        ...subscriber,
        // What a handler finds round it comes before what was there when the layer was built.
        handle: (events) =>
          Effect.updateContext(
            subscriber.handle(events),
            (inside: Context.Context<HandlerContext>) => Context.merge(outside, inside) as Context.Context<unknown>
          )
      })
      return Effect.succeed(new Map(all.map((each) => [each.name, complete(each)])))
    })
  )
