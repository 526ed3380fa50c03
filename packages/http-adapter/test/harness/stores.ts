import { beginStoreAuthorization, type Organization, readShopDomain } from "@parley/domain"
import { AgreeingStores } from "@parley/testkit"
import { DateTime, Effect, Option } from "effect"
import { inside } from "./tenants.ts"

/** The providers' side of stores, in a service that runs on the ones in memory. */
export const storeScript = Effect.flatMap(
  Effect.serviceOption(AgreeingStores.ShopScript),
  Option.match({
    onNone: () => Effect.die(new Error("This service does not run on stores in memory.")),
    onSome: Effect.succeed
  })
)

/** The state that somebody is sent to a shop with. */
export const stateIn = (authorizeUrl: string): string => new URL(authorizeUrl).searchParams.get("state") ?? ""

/** The query with which somebody comes back who has agreed in a shop. */
export const comingBack = Effect.fnUntraced(function* (
  organization: Pick<Organization, "id">,
  shop: string,
  returnTo?: string
) {
  const domain = readShopDomain(shop) ?? (yield* Effect.die(new Error("This is no address of a shop.")))
  const begun = yield* beginStoreAuthorization(domain, returnTo).pipe(inside(organization), Effect.orDie)
  const script = yield* storeScript
  yield* script.addCode(shop, `code-${shop}`)
  const state = stateIn(begun.authorizeUrl)
  return `?${new URLSearchParams(script.comesBack({ shop, state, code: `code-${shop}`, at: yield* DateTime.now }))}`
})
