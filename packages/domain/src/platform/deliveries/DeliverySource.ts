import { Context, Effect, Layer, Schema } from "effect"
import type { CurrentActor, CurrentOrganization, Transaction } from "../../kernel/index.ts"
import type { WaitingInboundDelivery } from "./InboundDeliveries.ts"

/** It cannot be read, now or ever. */
export class DeliveryUnreadable extends Schema.TaggedError<DeliveryUnreadable>()("DeliveryUnreadable", {
  provider: Schema.String
}) {
  override get message() {
    return `This is not a delivery of the provider ${this.provider}.`
  }
}

/** How many things a delivery told, and how many of them nobody here understands. */
export interface DeliveryContents {
  readonly events: number
  readonly unknown: number
}

/** What is new with each unit of work; everything else that a source needs it has from the start. */
type UnitContext = CurrentActor | CurrentOrganization | Transaction

/** An area that deliveries come to: it knows what they tell, and does it. */
export interface DeliverySource {
  readonly name: string
  /** Does what these tell, all of one provider, as one batch; says of each how much that was. */
  readonly apply: (
    provider: string,
    batch: ReadonlyArray<WaitingInboundDelivery>
  ) => Effect.Effect<ReadonlyArray<DeliveryContents>, DeliveryUnreadable, UnitContext>
  /** The things that a delivery tells, each to be done by itself. */
  readonly steps: (
    provider: string,
    delivery: WaitingInboundDelivery
  ) => Effect.Effect<ReadonlyArray<Effect.Effect<void, never, UnitContext>>, DeliveryUnreadable, UnitContext>
}

/** The sources of this service, by their names. */
export class DeliverySources extends Context.Service<DeliverySources, ReadonlyMap<string, DeliverySource>>()(
  "@parley/domain/platform/deliveries/DeliverySources"
) {}

type NeedsOf<Source> = Source extends Effect.Effect<DeliverySource, never, infer R> ? R : never

/** Registers these sources. Each needs something else. */
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

/** Says what an area does with deliveries: how it reads what they tell, and how it does that. */
export const defineDeliverySource = <Event, R1, R2>({
  apply,
  isUnknown,
  name,
  read
}: {
  readonly name: string
  /** Everything that a delivery tells, in its order; `null` if it is not one of this provider. */
  readonly read: (
    provider: string,
    delivery: WaitingInboundDelivery
  ) => Effect.Effect<ReadonlyArray<Event> | null, never, R1 | UnitContext>
  readonly isUnknown: (event: Event) => boolean
  /** Does what was told, in this unit of work. A second time it changes nothing. */
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
            const told = yield* Effect.forEach(batch, (delivery) => readOrFail(provider, delivery))
            yield* apply(provider, told.flat())
            return told.map((events) => ({ events: events.length, unknown: events.filter(isUnknown).length }))
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
