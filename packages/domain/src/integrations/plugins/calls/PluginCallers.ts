import { Context, Effect, Layer } from "effect"
import { type Tenancy, type TenantScoped, type Transaction, withContext } from "../../../kernel/index.ts"
import type { KeptPluginCall } from "./PluginCall.ts"

/** How an area goes on with what it has asked plugins for. */
export interface PluginCallEnd<R> {
  /** Called in the unit of work in which the call ends, once. Calls of others are passed by. */
  readonly ended: (call: KeptPluginCall) => Effect.Effect<void, never, R>
  /** Whether it has asked for this call and does not wait for what comes of it any more: then nobody is asked. */
  readonly isGivenUp: (call: KeptPluginCall) => Effect.Effect<boolean, never, R>
}

/** Those who ask plugins to act, in all areas. */
export class PluginCallers extends Context.Service<
  PluginCallers,
  TenantScoped<{
    readonly ended: (call: KeptPluginCall) => Effect.Effect<void, never, Transaction>
    readonly isGivenUp: (call: KeptPluginCall) => Effect.Effect<boolean>
  }>
>()("@parley/domain/integrations/plugins/PluginCallers") {}

type Needs<End> = End extends PluginCallEnd<infer R> ? Exclude<R, Tenancy | Transaction> : never

/** Puts together who goes on with what plugins were asked for. */
export const layerPluginCallersOf = <End extends PluginCallEnd<unknown>>(
  ends: ReadonlyArray<End>
): Layer.Layer<PluginCallers, never, Needs<End>> =>
  Layer.effect(
    PluginCallers,
    Effect.contextWith((outside: Context.Context<Needs<End>>) => {
      const reading = withContext<Tenancy>(outside)
      const writing = withContext<Tenancy | Transaction>(outside)
      return Effect.succeed(
        PluginCallers.of({
          ended: (call) => Effect.forEach(ends, (end) => writing(end.ended(call)), { discard: true }),
          isGivenUp: Effect.fnUntraced(function* (call) {
            for (const end of ends) if (yield* reading(end.isGivenUp(call))) return true
            return false
          })
        })
      )
    })
  )
