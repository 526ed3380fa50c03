import { Context, Effect, Layer } from "effect"
import { type Tenancy, type TenantScoped, withContext } from "../kernel/index.ts"
import type { WebhookSubscriptionId } from "./Ids.ts"

/** Something that calls a subscription. */
export interface SubscriptionUser {
  readonly kind: string
  readonly id: string
}

/** How an area finds what it has that calls a subscription. */
export interface SubscriptionUse<R> {
  readonly of: (id: WebhookSubscriptionId) => Effect.Effect<ReadonlyArray<SubscriptionUser>, never, R>
}

/** What calls a subscription, in all areas. */
export class SubscriptionUses extends Context.Service<
  SubscriptionUses,
  TenantScoped<{
    readonly of: (id: WebhookSubscriptionId) => Effect.Effect<ReadonlyArray<SubscriptionUser>>
  }>
>()("@parley/domain/webhooks/SubscriptionUses") {}

type Needs<Use> = Use extends SubscriptionUse<infer R> ? Exclude<R, Tenancy> : never

/** Puts together what the areas have that calls subscriptions. */
export const layerSubscriptionUsesOf = <Use extends SubscriptionUse<unknown>>(
  uses: ReadonlyArray<Use>
): Layer.Layer<SubscriptionUses, never, Needs<Use>> =>
  Layer.effect(
    SubscriptionUses,
    Effect.contextWith((outside: Context.Context<Needs<Use>>) => {
      const supply = withContext<Tenancy>(outside)
      return Effect.succeed(
        SubscriptionUses.of({
          of: (id) =>
            Effect.map(
              Effect.forEach(uses, (use) => supply(use.of(id))),
              (found) => found.flat()
            )
        })
      )
    })
  )
