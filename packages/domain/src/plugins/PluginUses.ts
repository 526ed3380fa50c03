import { Context, Effect, Layer } from "effect"
import { type PluginId, type Tenancy, type TenantScoped, withContext } from "../kernel/index.ts"

/** Something that asks a plugin to act. */
export interface PluginUser {
  readonly kind: string
  readonly id: string
}

/** How an area finds what it has that asks a plugin to act. */
export interface PluginUse<R> {
  readonly of: (id: PluginId) => Effect.Effect<ReadonlyArray<PluginUser>, never, R>
}

/** What asks a plugin to act, in all areas. */
export class PluginUses extends Context.Service<
  PluginUses,
  TenantScoped<{
    readonly of: (id: PluginId) => Effect.Effect<ReadonlyArray<PluginUser>>
  }>
>()("@parley/domain/plugins/PluginUses") {}

type Needs<Use> = Use extends PluginUse<infer R> ? Exclude<R, Tenancy> : never

/** Puts together what the areas have that asks plugins to act. */
export const layerPluginUsesOf = <Use extends PluginUse<unknown>>(
  uses: ReadonlyArray<Use>
): Layer.Layer<PluginUses, never, Needs<Use>> =>
  Layer.effect(
    PluginUses,
    Effect.contextWith((outside: Context.Context<Needs<Use>>) => {
      const supply = withContext<Tenancy>(outside)
      return Effect.succeed(
        PluginUses.of({
          of: (id) =>
            Effect.map(
              Effect.forEach(uses, (use) => supply(use.of(id))),
              (found) => found.flat()
            )
        })
      )
    })
  )
