import type { Organization } from "@parley/domain/platform"
import { startStoreAuthorization, completeStoreConnection, readShopDomain } from "@parley/domain/commerce"
import { AgreeingStores, codeChallenge, codeVerifier, receiveCode } from "@parley/testkit"
import { DateTime, Effect, Option, Redacted } from "effect"
import { inside } from "./tenants.ts"

/** The providers' side of stores, in a service that runs on the ones in memory. */
export const storeScript = Effect.flatMap(
  Effect.serviceOption(AgreeingStores.ShopScript),
  Option.match({
    onNone: () => Effect.die(new Error("This service does not run on stores in memory.")),
    onSome: Effect.succeed
  })
)

/** The state of a journey. */
export const stateIn = (authorizeUrl: string): string => new URL(authorizeUrl).searchParams.get("state") ?? ""

type Of = Pick<Organization, "id">

const begin = Effect.fnUntraced(function* (organization: Of, shop: string, returnTo?: string) {
  const domain = readShopDomain(shop) ?? (yield* Effect.die(new Error("This is no address of a shop.")))
  return yield* startStoreAuthorization({
    shop: domain,
    codeChallenge,
    ...(returnTo !== undefined && { returnTo })
  }).pipe(inside(organization), Effect.orDie)
})

/** Callback query of a state after the shop owner grants access. */
export const agreedFor = Effect.fnUntraced(function* (shop: string, authorizeUrl: string) {
  const script = yield* storeScript
  yield* script.addCode(shop, `code-${shop}`)
  const state = stateIn(authorizeUrl)
  return script.comesBack({ shop, state, code: `code-${shop}`, at: yield* DateTime.now })
})

/** Callback query of an operator's journey after the shop owner grants access. */
export const comingBack = Effect.fnUntraced(function* (organization: Of, shop: string, returnTo?: string) {
  const { authorizeUrl } = yield* begin(organization, shop, returnTo)
  return `?${new URLSearchParams(yield* agreedFor(shop, authorizeUrl))}`
})

export const connectedShop = Effect.fnUntraced(function* (organization: Of, shop: string) {
  const { authorizeUrl, storeConnectionId } = yield* begin(organization, shop)
  // The callback arrives without an organization.
  const code = yield* Effect.orDie(receiveCode(yield* agreedFor(shop, authorizeUrl)))
  return yield* completeStoreConnection({
    id: storeConnectionId,
    code,
    codeVerifier: Redacted.make(codeVerifier)
  }).pipe(inside(organization), Effect.orDie)
})
