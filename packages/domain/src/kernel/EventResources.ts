import { Context, Effect, Layer, Option, Schema } from "effect"
import { CurrentActor, type Tenancy, type TenantScoped } from "./CurrentActor.ts"
import type { EventShape } from "./Outbox.ts"
import type { Permission } from "./Permission.ts"
import { withContext } from "./Dependents.ts"
import { compileVisibility } from "./masks.ts"
import type { UseCase } from "./useCase.ts"

/** How the resource is read that some events are about. */
export interface EventResource<out R> {
  /** Types of events, or what they begin with. */
  readonly about: ReadonlyArray<string>
  readonly permission: Permission
  /** Additional permissions of single fields. */
  readonly shownWith: ReadonlyArray<Permission>
  /** As GET answers it now; `null` where there is none any more, or whoever acts may not see it. */
  readonly read: (event: EventShape) => Effect.Effect<Schema.Json, never, R>
}

/** What events are about, read as whoever acts may see it. */
export class EventResources extends Context.Service<
  EventResources,
  TenantScoped<{
    /** As GET answers it now; `null` where there is nothing to read. */
    readonly read: (event: EventShape) => Effect.Effect<Schema.Json>
  }>
>()("@parley/domain/kernel/EventResources") {}

/**
 * Declares that events are about what a use case reads, by ids that the events have: of all types that begin so, or of some types,
 * which goes first.
 */
export const defineEventResource = <Args extends ReadonlyArray<unknown>, A, E, R>(
  about: string | ReadonlyArray<string>,
  get: UseCase<Args, A, E, R>,
  schema: Schema.Codec<A, unknown>,
  argumentsOf: (event: EventShape) => Args | null
): EventResource<R | CurrentActor> => {
  const { access } = get.useCase
  const encode = Schema.encodeEffect(Schema.toCodecJson(schema))
  const showing = compileVisibility(schema)
  return {
    about: [about].flat(),
    permission: typeof access === "string" ? "webhook_subscriptions.read" : access.permission,
    shownWith: showing.permissions,
    read: (event) => {
      const args = argumentsOf(event)
      if (args === null) return Effect.succeed(null)
      return Effect.matchEffect(get(...args), {
        onFailure: () => Effect.succeed<Schema.Json>(null),
        onSuccess: Effect.fnUntraced(function* (found) {
          const json = yield* Effect.orDie(encode(found))
          const mask = showing.maskFor(yield* CurrentActor)
          return (mask === null ? json : mask(json)) as Schema.Json
        })
      })
    }
  }
}

/** An id of an event, if it has it. */
export const decodeIdField = <Id>(event: EventShape, field: string, kind: Schema.Codec<Id, unknown>): Id | null =>
  Option.getOrNull(Schema.decodeUnknownOption(kind)(event[field]))

/** The arguments of a use case that takes one id: the id in this field of the event. */
export const idArgument =
  <Id>(field: string, kind: Schema.Codec<Id, unknown>) =>
  (event: EventShape): [id: Id] | null => {
    const id = decodeIdField(event, field, kind)
    return id === null ? null : [id]
  }

/** The arguments of a use case that takes none. */
export const noArguments = (): [] => []

/** What the types of an area's events begin with. */
export const areaOfType = (type: string) => type.split(".", 1)[0] ?? ""

/** What reads the resource that events of a type are about. */
export const findEventResource = <Resource extends Pick<EventResource<unknown>, "about">>(
  resources: ReadonlyArray<Resource>,
  type: string
): Resource | null =>
  resources.find(({ about }) => about.includes(type)) ??
  resources.find(({ about }) => about.includes(areaOfType(type))) ??
  null

type Needs<Resource> = Resource extends EventResource<infer R> ? Exclude<R, Tenancy> : never

/** Puts together how the areas have what events are about read. */
export const layerEventResourcesOf = <Resource extends EventResource<unknown>>(
  resources: ReadonlyArray<Resource>
): Layer.Layer<EventResources, never, Needs<Resource>> =>
  Layer.effect(
    EventResources,
    Effect.contextWith((outside: Context.Context<Needs<Resource>>) => {
      const supply = withContext<Tenancy>(outside)
      return Effect.succeed(
        EventResources.of({
          read: (event) => {
            const resource = findEventResource(resources, event.type)
            return resource === null ? Effect.succeed(null) : supply(resource.read(event))
          }
        })
      )
    })
  )
