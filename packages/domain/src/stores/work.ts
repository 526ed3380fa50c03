import { Effect } from "effect"
import { sweepTenants } from "../work/index.ts"
import { renewIdle } from "./access/renewIdle.ts"
import { sweepPending } from "./life/sweepPending.ts"
import { StoreAuthorizations } from "./StoreAuthorizations.ts"

/** States with which nobody came back from a shop in time are deleted, connections that nobody has agreed to, too, and what stores are read with does not end by itself. */
export const storesWorks = [
  sweepTenants(
    "store authorizations",
    Effect.flatMap(StoreAuthorizations, (authorizations) => authorizations.sweep())
  ),
  sweepTenants("store access", renewIdle),
  sweepTenants("pending stores", sweepPending)
] as const
