import { Context, Effect, Layer, Schema } from "effect"
import type { Tenancy, TenantScoped } from "./CurrentActor.ts"
import { withContext } from "./portLayer.ts"

/** Resource that uses another resource and cannot work without it. */
export const Dependent = Schema.Struct({ kind: Schema.String, id: Schema.String })
export type Dependent = typeof Dependent.Type

/** Lists the dependents as text. */
export const describeDependents = (usedBy: ReadonlyArray<Dependent>): string =>
  usedBy.map(({ id, kind }) => `${kind} ${id}`).join(", ")

/** Kinds of resources with dependents in the areas above. */
export type DependencyKind = "plugin" | "schedule" | "webhook_subscription"

/** Finds the resources of an area that use a resource of an area below it. */
export interface DependentFinder<R> {
  readonly of: DependencyKind
  readonly find: (id: string) => Effect.Effect<ReadonlyArray<Dependent>, never, R>
}

/** Dependents of a resource in all areas. A new use and a deletion both lock the owner first, so neither misses the other. */
export class Dependents extends Context.Service<
  Dependents,
  TenantScoped<{
    readonly find: (of: DependencyKind, id: string) => Effect.Effect<ReadonlyArray<Dependent>>
  }>
>()("@parley/domain/kernel/Dependents") {}

type Needs<Finder> = Finder extends DependentFinder<infer R> ? Exclude<R, Tenancy> : never

/** Combines the finders of the areas. */
export const layerDependentsOf = <Finder extends DependentFinder<unknown>>(
  finders: ReadonlyArray<Finder>
): Layer.Layer<Dependents, never, Needs<Finder>> =>
  Layer.effect(
    Dependents,
    Effect.contextWith((outside: Context.Context<Needs<Finder>>) => {
      const supply = withContext<Tenancy>(outside)
      return Effect.succeed(
        Dependents.of({
          find: (of, id) =>
            Effect.map(
              Effect.forEach(
                finders.filter((finder) => finder.of === of),
                ({ find }) => supply(find(id))
              ),
              (found) => found.flat()
            )
        })
      )
    })
  )
