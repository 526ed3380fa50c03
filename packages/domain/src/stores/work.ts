import { Effect } from "effect"
import { sweepTenants } from "../work/index.ts"
import { StoreAuthorizations } from "./StoreAuthorizations.ts"

/** States with which nobody came back from a shop in time are deleted. */
export const storesWorks = [
  sweepTenants(
    "store authorizations",
    Effect.flatMap(StoreAuthorizations, (authorizations) => authorizations.sweep())
  )
] as const
