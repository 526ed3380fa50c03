import { Context, Effect, Layer, Option, Schema } from "effect"
import { CurrentActor, type Tenancy, type TenantScoped } from "./CurrentActor.ts"
import type { EventShape } from "./Outbox.ts"
import type { Permission } from "./Permission.ts"
import { withContext } from "./portLayer.ts"
import { compileVisibility } from "./masks.ts"
import type { UseCase } from "./useCase.ts"

/** Reader of the resource of some events. */
export interface EventResource<out R> {
  /** Event types or type prefixes. */
  readonly about: ReadonlyArray<string>
  readonly permission: Permission
  /** Additional permissions of single fields. */
  readonly shownWith: ReadonlyArray<Permission>
  /** The resource as GET returns it now; `null` if it no longer exists or the actor may not see it. */
  readonly read: (event: EventShape) => Effect.Effect<Schema.Json, never, R>
}

/** Resources of events, limited to the access of the actor. */
export class EventResources extends Context.Service<
  EventResources,
  TenantScoped<{
    /** The resource as GET returns it now; `null` if there is nothing to read. */
    readonly read: (event: EventShape) => Effect.Effect<Schema.Json>
  }>
>()("@parley/domain/kernel/EventResources") {}

/**
 * Declares the use case that reads the resource of events, by ids in the events. It applies to a type prefix or to single types; single types take
 * precedence.
 */
export const defineEventResource = <Input extends object, A, E, R>(
  about: string | ReadonlyArray<string>,
  get: UseCase<readonly [input: Input], A, E, R>,
  schema: Schema.Codec<A, unknown>,
  inputOf: (event: EventShape) => Input | null
): EventResource<R | CurrentActor> => {
  const { access } = get.declaration
  const encode = Schema.encodeEffect(Schema.toCodecJson(schema))
  const showing = compileVisibility(schema)
  return {
    about: [about].flat(),
    permission: typeof access === "string" ? "webhook_subscriptions.read" : access.permission,
    shownWith: showing.permissions,
    read: (event) => {
      const input = inputOf(event)
      if (input === null) return Effect.succeed(null)
      return Effect.matchEffect(get(input), {
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

/** Returns an id field of an event, if present. */
export const decodeIdField = <Id>(event: EventShape, field: string, kind: Schema.Codec<Id, unknown>): Id | null =>
  Option.getOrNull(Schema.decodeUnknownOption(kind)(event[field]))

/** Builds the input of a use case with one id from this field of the event. */
export const idInput =
  <Id>(field: string, kind: Schema.Codec<Id, unknown>) =>
  (event: EventShape): { readonly id: Id } | null => {
    const id = decodeIdField(event, field, kind)
    return id === null ? null : { id }
  }

/** Input for a use case without input. */
export const noInput = (): object => ({})

/** Returns the type prefix of an area's events. */
export const areaOfType = (type: string) => type.split(".", 1)[0] ?? ""

/** Finds the resource reader of an event type. */
export const findEventResource = <Resource extends Pick<EventResource<unknown>, "about">>(
  resources: ReadonlyArray<Resource>,
  type: string
): Resource | null =>
  resources.find(({ about }) => about.includes(type)) ??
  resources.find(({ about }) => about.includes(areaOfType(type))) ??
  null

type Needs<Resource> = Resource extends EventResource<infer R> ? Exclude<R, Tenancy> : never

/** Combines the event resources of the areas. */
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
