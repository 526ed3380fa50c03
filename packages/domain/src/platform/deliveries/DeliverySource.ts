import { Context, Effect, Layer, Schema } from "effect"
import type { CurrentActor, CurrentOrganization, Transaction } from "../../kernel/index.ts"
import type { WaitingInboundDelivery } from "./InboundDeliveries.ts"

/** The delivery is permanently unreadable. */
export class DeliveryUnreadable extends Schema.TaggedError<DeliveryUnreadable>()("DeliveryUnreadable", {
  provider: Schema.String
}) {
  override get message() {
    return `This is not a delivery of the provider ${this.provider}.`
  }
}

/** Number of events in a delivery, and number of unknown events among them. */
export interface DeliveryContents {
  readonly events: number
  readonly unknown: number
}

/** Services of each unit of work. A source gets all other services at construction. */
type UnitContext = CurrentActor | CurrentOrganization | Transaction

/** Area that receives deliveries, decodes them and applies their events. */
export interface DeliverySource {
  readonly name: string
  /** Applies these deliveries of one provider as one batch. Returns the contents of each. */
  readonly apply: (
    provider: string,
    batch: ReadonlyArray<WaitingInboundDelivery>
  ) => Effect.Effect<ReadonlyArray<DeliveryContents>, DeliveryUnreadable, UnitContext>
  /** Splits a delivery into events that are applied separately. */
  readonly steps: (
    provider: string,
    delivery: WaitingInboundDelivery
  ) => Effect.Effect<ReadonlyArray<Effect.Effect<void, never, UnitContext>>, DeliveryUnreadable, UnitContext>
}

/** Delivery sources of this service, by name. */
export class DeliverySources extends Context.Service<DeliverySources, ReadonlyMap<string, DeliverySource>>()(
  "@parley/domain/platform/deliveries/DeliverySources"
) {}

type NeedsOf<Source> = Source extends Effect.Effect<DeliverySource, never, infer R> ? R : never

/** Registers these sources with their different dependencies. */
export const layerDeliverySourcesOf = <Source extends Effect.Effect<DeliverySource, never, unknown>>(
  sources: ReadonlyArray<Source>
): Layer.Layer<DeliverySources, never, NeedsOf<Source>> =>
  Layer.effect(
    DeliverySources,
    Effect.contextWith((outside: Context.Context<NeedsOf<Source>>) =>
      Effect.map(
        Effect.forEach(sources, (source) => Effect.provideContext(source, outside) as Effect.Effect<DeliverySource>),
        (made) => new Map(made.map((source) => [source.name, source]))
      )
    )
  )

/** Declares how an area decodes deliveries and applies their events. */
export const defineDeliverySource = <Event, R1, R2>({
  apply,
  isUnknown,
  name,
  read
}: {
  readonly name: string
  /** All events of a delivery in order; `null` if it is not a delivery of this provider. */
  readonly read: (
    provider: string,
    delivery: WaitingInboundDelivery
  ) => Effect.Effect<ReadonlyArray<Event> | null, never, R1 | UnitContext>
  readonly isUnknown: (event: Event) => boolean
  /** Applies events in this unit of work. A repetition changes nothing. */
  readonly apply: (provider: string, events: ReadonlyArray<Event>) => Effect.Effect<void, never, R2 | UnitContext>
}): Effect.Effect<DeliverySource, never, R1 | R2> =>
  Effect.map(Effect.context<R1 | R2>(), (given) => {
    const provided = <A, E>(effect: Effect.Effect<A, E, R1 | R2 | UnitContext>): Effect.Effect<A, E, UnitContext> =>
      Effect.updateContext(effect, (current: Context.Context<UnitContext>) => Context.merge(given, current))
    const readOrFail = Effect.fnUntraced(function* (provider: string, delivery: WaitingInboundDelivery) {
      return (yield* read(provider, delivery)) ?? (yield* new DeliveryUnreadable({ provider }))
    })
    return {
      name,
      apply: (provider, batch) =>
        provided(
          Effect.gen(function* () {
            const readings = yield* Effect.forEach(batch, (delivery) => readOrFail(provider, delivery))
            yield* apply(provider, readings.flat())
            return readings.map((events) => ({ events: events.length, unknown: events.filter(isUnknown).length }))
          })
        ),
      steps: (provider, delivery) =>
        provided(
          Effect.map(readOrFail(provider, delivery), (events) =>
            events.map((event) => provided(apply(provider, [event])))
          )
        )
    }
  })
