import { Context, Effect, Layer, Schema } from "effect"
import type { Tenancy, TenantScoped } from "./CurrentActor.ts"

/**
 * Provides the context in which a layer was built to effects that another area runs without knowing what they need. The context
 * in which they run comes first, and has to be `Inside`: a unit of work, an organization. The type of the layer has to ensure
 * that the rest was there.
 */
export const withContext =
  <Inside>(outside: Context.Context<never>) =>
  <A, E>(effect: Effect.Effect<A, E, unknown>): Effect.Effect<A, E, Inside> =>
    Effect.updateContext(
      effect,
      (inside: Context.Context<Inside>) => Context.merge(outside, inside) as Context.Context<unknown>
    )

/** Something that uses something else, and would come to nothing without it. */
export const Dependent = Schema.Struct({ kind: Schema.String, id: Schema.String })
export type Dependent = typeof Dependent.Type

/** What uses something, in words. */
export const describeDependents = (usedBy: ReadonlyArray<Dependent>): string =>
  usedBy.map(({ id, kind }) => `${kind} ${id}`).join(", ")

/** How an area finds what it has that uses something of an area below it. */
export interface DependentFinder<Id, R> {
  readonly of: (id: Id) => Effect.Effect<ReadonlyArray<Dependent>, never, R>
}

/**
 * What uses something, in all areas: a port of the area that owns it, which those above fill. Whoever begins to use it takes the lock of the
 * owner first, as does who deletes it: so that neither misses the other.
 */
export type Dependents<Id> = TenantScoped<{
  readonly of: (id: Id) => Effect.Effect<ReadonlyArray<Dependent>>
}>

type Needs<Each> = Each extends { readonly of: (id: never) => Effect.Effect<infer _A, infer _E, infer R> }
  ? Exclude<R, Tenancy>
  : never

/** Puts together what the areas have that uses something. */
export const layerDependentsOf = <Self, Id, Each extends DependentFinder<Id, unknown>>(
  port: Context.Service<Self, Dependents<Id>>,
  uses: ReadonlyArray<Each>
): Layer.Layer<Self, never, Needs<Each>> =>
  Layer.effect(
    port,
    Effect.contextWith((outside: Context.Context<Needs<Each>>) => {
      const supply = withContext<Tenancy>(outside)
      return Effect.succeed(
        port.of({
          of: (id: Id) =>
            Effect.map(
              Effect.forEach(uses, (use) => supply(use.of(id))),
              (found) => found.flat()
            )
        })
      )
    })
  )
