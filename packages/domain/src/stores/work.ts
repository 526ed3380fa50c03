import { DateTime, Effect } from "effect"
import { sweepTenants } from "../work/index.ts"
import { renewIdle } from "./access/renewIdle.ts"
import { sweepPending } from "./life/sweepPending.ts"
import { closedCartsKept } from "./carts/closedCartsKept.ts"
import { StoreAuthorizations } from "./StoreAuthorizations.ts"
import { StoreCarts } from "./StoreCarts.ts"
import { storeLanes } from "./syncing/storeLanes.ts"

const sweepCarts = Effect.gen(function* () {
  const endedBy = DateTime.subtractDuration(yield* DateTime.now, closedCartsKept)
  return yield* (yield* StoreCarts).sweep(endedBy)
})

/** Stores are kept up with. States with which nobody came back from a shop in time are deleted, and connections that nobody has agreed to; what stores are read with does not end by itself. */
export const storesWorks = [
  storeLanes,
  sweepTenants("closed carts", sweepCarts),
  sweepTenants(
    "store authorizations",
    Effect.flatMap(StoreAuthorizations, (authorizations) => authorizations.sweep())
  ),
  sweepTenants("store access", renewIdle),
  sweepTenants("pending stores", sweepPending)
] as const
