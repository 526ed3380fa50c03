import { Context, Effect, Layer, Schema } from "effect"
import type { Tenancy, TenantScoped } from "./CurrentActor.ts"

/**
 * Provides the build context of a layer to effects that another area runs without knowledge of their requirements. The run context takes precedence
 * and must be `Inside`: a unit of work, an organization. The type of the layer must guarantee the rest.
 */
export const withContext =
  <Inside>(outside: Context.Context<never>) =>
  <A, E>(effect: Effect.Effect<A, E, unknown>): Effect.Effect<A, E, Inside> =>
    Effect.updateContext(
      effect,
      (inside: Context.Context<Inside>) => Context.merge(outside, inside) as Context.Context<unknown>
    )

/** Resource that uses another resource and cannot work without it. */
export const Dependent = Schema.Struct({ kind: Schema.String, id: Schema.String })
export type Dependent = typeof Dependent.Type

/** Lists the dependents as text. */
export const describeDependents = (usedBy: ReadonlyArray<Dependent>): string =>
  usedBy.map(({ id, kind }) => `${kind} ${id}`).join(", ")

/** Finds the resources of an area that use a resource of an area below it. */
export interface DependentFinder<Id, R> {
  readonly of: (id: Id) => Effect.Effect<ReadonlyArray<Dependent>, never, R>
}

/**
 * Dependents of a resource in all areas. The area that owns the resource declares the port, and the areas above implement it. A new use and a
 * deletion both lock the owner first, so neither misses the other.
 */
export type Dependents<Id> = TenantScoped<{
  readonly of: (id: Id) => Effect.Effect<ReadonlyArray<Dependent>>
}>

type Needs<Each> = Each extends { readonly of: (id: never) => Effect.Effect<infer _A, infer _E, infer R> }
  ? Exclude<R, Tenancy>
  : never

/** Combines the dependents of the areas. */
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
