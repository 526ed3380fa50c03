import { Context, Effect, Layer } from "effect"
import { type Tenancy, type TenantScoped, type Transaction, withContext } from "../../kernel/index.ts"
import type { KeptPluginCall } from "./PluginCall.ts"

/** How an area goes on with what it has asked plugins for. */
export interface PluginCallEnd<R> {
  /** Called in the unit of work in which the call ends, once. Calls of others are passed by. */
  readonly ended: (call: KeptPluginCall) => Effect.Effect<void, never, R>
}

/** Those who ask plugins to act, in all areas. */
export class PluginCallers extends Context.Service<
  PluginCallers,
  TenantScoped<{
    readonly ended: (call: KeptPluginCall) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/plugins/PluginCallers") {}

type Needs<End> = End extends PluginCallEnd<infer R> ? Exclude<R, Tenancy | Transaction> : never

/** Puts together who goes on with what plugins were asked for. */
export const layerPluginCallersOf = <End extends PluginCallEnd<unknown>>(
  ends: ReadonlyArray<End>
): Layer.Layer<PluginCallers, never, Needs<End>> =>
  Layer.effect(
    PluginCallers,
    Effect.contextWith((outside: Context.Context<Needs<End>>) => {
      const supply = withContext<Tenancy | Transaction>(outside)
      return Effect.succeed(
        PluginCallers.of({
          ended: (call) => Effect.forEach(ends, (end) => supply(end.ended(call)), { discard: true })
        })
      )
    })
  )
