import { DateTime, Effect } from "effect"
import { sweepTenants } from "../platform/background/index.ts"
import { renewIdle } from "./access/renewIdle.ts"
import { sweepPending } from "./life/sweepPending.ts"
import { closedCartsKept } from "./carts/closedCartsKept.ts"
import { sweepPrivacy } from "./privacy/sweepPrivacy.ts"
import { sweepUninstalled } from "./privacy/sweepUninstalled.ts"
import { StoreAuthorizations } from "./StoreAuthorizations.ts"
import { StoreCarts } from "./StoreCarts.ts"
import { storeLanes } from "./syncing/storeLanes.ts"

const sweepCarts = Effect.gen(function* () {
  const endedBy = DateTime.subtractDuration(yield* DateTime.now, closedCartsKept)
  return yield* (yield* StoreCarts).sweep(endedBy)
})

/** Stores are kept up with, and what shops ask about personal data is done. States with which nobody came back from a shop in time are deleted, and so are connections that nobody has agreed to and stores that the app is long gone from; what stores are read with does not end by itself. */
export const storesWorks = [
  storeLanes,
  sweepTenants("closed carts", sweepCarts),
  sweepTenants(
    "store authorizations",
    Effect.flatMap(StoreAuthorizations, (authorizations) => authorizations.sweep())
  ),
  sweepTenants("store access", renewIdle),
  sweepTenants("pending stores", sweepPending),
  sweepTenants("uninstalled stores", sweepUninstalled),
  sweepTenants("privacy requests", sweepPrivacy, "housekeeping")
] as const
