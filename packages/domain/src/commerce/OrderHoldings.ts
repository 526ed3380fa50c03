import { Context, Effect, Layer } from "effect"
import { type Tenancy, type TenantScoped, type Transaction, withContext } from "../kernel/index.ts"
import type { OrderId } from "./Ids.ts"

/** What another area holds of orders, and what becomes of it. Both run in the unit of work of the change, once the orders are locked. */
export interface OrderHolding<R> {
  /** Before orders become nobody's, because the person is forgotten who has placed them. */
  readonly release: (ids: ReadonlyArray<OrderId>) => Effect.Effect<void, never, R | Tenancy | Transaction>
  /** Before orders go. */
  readonly remove: (ids: ReadonlyArray<OrderId>) => Effect.Effect<void, never, R | Tenancy | Transaction>
}

/** What areas hold of the organization's orders. */
export class OrderHoldings extends Context.Service<
  OrderHoldings,
  TenantScoped<{
    readonly release: (ids: ReadonlyArray<OrderId>) => Effect.Effect<void, never, Transaction>
    readonly remove: (ids: ReadonlyArray<OrderId>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/commerce/OrderHoldings") {}

type Needs<Holding> = Holding extends OrderHolding<infer R> ? Exclude<R, Tenancy | Transaction> : never

/** Puts together what the areas hold of orders. They come one after the other, so that locks are taken in one order. */
export const layerOrderHoldingsOf = <Holding extends OrderHolding<unknown>>(
  holdings: ReadonlyArray<Holding>
): Layer.Layer<OrderHoldings, never, Needs<Holding>> =>
  Layer.effect(
    OrderHoldings,
    Effect.contextWith((outside: Context.Context<Needs<Holding>>) => {
      const supply = withContext<Tenancy | Transaction>(outside)
      const each = (does: (holding: OrderHolding<unknown>) => Effect.Effect<void, never, unknown>) =>
        Effect.forEach(holdings, (holding) => supply(does(holding)), { discard: true })
      return Effect.succeed(
        OrderHoldings.of({
          release: (ids) => (ids.length === 0 ? Effect.void : each((holding) => holding.release(ids))),
          remove: (ids) => (ids.length === 0 ? Effect.void : each((holding) => holding.remove(ids)))
        })
      )
    })
  )
