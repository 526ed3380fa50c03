import { Context, Effect, Layer, Schema } from "effect"
import type { CurrentActor, CurrentOrganization, EventShape, Transaction } from "../../kernel/index.ts"
import { type LoggedEvent, readingWith } from "./EventLog.ts"

/** What a subscriber is known by, in its rows as well: `area.what_it_does`. */
export const SubscriberName = Schema.String.check(Schema.isPattern(/^[a-z_]+\.[a-z_]+$/)).pipe(
  Schema.brand("SubscriberName")
)
export type SubscriberName = typeof SubscriberName.Type

/** With which event of an organization's log a subscriber that is new begins. */
export type Beginning = "first_event" | "next_event"

/** The types of the events that a subscriber wants. */
type Wanted<Event extends EventShape> = ReadonlyArray<Event["type"]> | "all"

/** A logged event that the subscriber wants. */
type LoggedOf<Event extends EventShape, Events extends Wanted<Event>> = LoggedEvent<
  Events extends ReadonlyArray<infer Type> ? Extract<Event, { readonly type: Type }> : Event
>

/**
 * `more`: only a part was done, which is kept; the same events come again for the rest. `upTo`: they are done up to the one at this
 * position; those after it come again. `nobody`: nobody in the organization needs it; nothing is handled there until
 * `Subscriptions.wake` says that somebody does.
 */
export type Handled = "done" | "more" | "nobody" | { readonly upTo: number }

/** What a handler finds round it: the unit of work that also moves the cursor, the organization, and the subscriber as actor. */
export type InHandler = Transaction | CurrentOrganization | CurrentActor

interface Declaration<Event extends EventShape, Events extends Wanted<Event>, R> {
  readonly name: string
  /** What the events are read as: those of the areas that the subscriber knows. */
  readonly schema: Schema.Codec<Event, unknown>
  readonly events: Events
  readonly beginsWith: Beginning
  /** How many events are handled in one unit of work at most (aim below a second). */
  readonly batch: number
  /**
   * Handles events in their order. What it writes is committed together with the move of the cursor or not at all, so
   * whatever happens to the process, no event is lost and none is handled twice.
   */
  readonly handle: (events: ReadonlyArray<LoggedOf<Event, Events>>) => Effect.Effect<Handled | void, unknown, R>
}

/** A subscriber whose handler still needs these services. */
export interface Subscriber<out R> {
  readonly name: SubscriberName
  readonly types: ReadonlyArray<string> | "all"
  readonly beginsWith: Beginning
  readonly batch: number
  readonly handle: (events: ReadonlyArray<LoggedEvent>) => Effect.Effect<Handled | void, unknown, R>
}

/** What the code says of a subscriber without running it. */
export type DeclaredSubscriber = Pick<Subscriber<never>, "name" | "types">

/** Declares who follows which events, and what is done about them. */
export const defineSubscriber = <Event extends EventShape, const Events extends Wanted<Event>, R>({
  batch,
  beginsWith,
  events: types,
  handle,
  name,
  schema
}: Declaration<Event, Events, R>): Subscriber<R> => {
  const read = readingWith({ schema })
  const wanted: ReadonlySet<string> | null = types === "all" ? null : new Set(types)
  const isWanted = (logged: LoggedEvent<Event>): logged is LoggedOf<Event, Events> =>
    wanted === null || wanted.has(logged.event.type)
  return {
    name: SubscriberName.make(name),
    types,
    beginsWith,
    batch,
    handle: (events) => Effect.flatMap(read(events), (known) => handle(known.filter(isWanted)))
  }
}

/** The subscribers that this process knows, by their names. */
export class Subscribers extends Context.Service<Subscribers, ReadonlyMap<SubscriberName, Subscriber<InHandler>>>()(
  "@parley/domain/platform/events/Subscribers"
) {}

type Needs<Each> = Each extends Subscriber<infer R> ? R : never

/** Gives subscribers what their handlers need from outside. */
export const layerSubscribersOf = <const All extends ReadonlyArray<Subscriber<unknown>>>(
  all: All
): Layer.Layer<Subscribers, never, Exclude<Needs<All[number]>, InHandler>> =>
  Layer.effect(
    Subscribers,
    Effect.contextWith((outside: Context.Context<Exclude<Needs<All[number]>, InHandler>>) => {
      const complete = (subscriber: Subscriber<unknown>): Subscriber<InHandler> => ({
        ...subscriber,
        // What a handler finds round it comes before what was there when the layer was built.
        handle: (events) =>
          Effect.updateContext(
            subscriber.handle(events),
            (inside: Context.Context<InHandler>) => Context.merge(outside, inside) as Context.Context<unknown>
          )
      })
      return Effect.succeed(new Map(all.map((each) => [each.name, complete(each)])))
    })
  )
