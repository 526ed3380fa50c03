import { Effect } from "effect"
import { sweepTenants } from "../work/index.ts"
import { renewIdle } from "./access/renewIdle.ts"
import { StoreAuthorizations } from "./StoreAuthorizations.ts"

/** States with which nobody came back from a shop in time are deleted, and what stores are read with does not end by itself. */
export const storesWorks = [
  sweepTenants(
    "store authorizations",
    Effect.flatMap(StoreAuthorizations, (authorizations) => authorizations.sweep())
  ),
  sweepTenants("store access", renewIdle)
] as const
