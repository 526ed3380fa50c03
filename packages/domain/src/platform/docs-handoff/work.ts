import { Effect } from "effect"
import { sweepTenants } from "../background/index.ts"
import { DocsCodes } from "./DocsCodes.ts"

/** Codes that nobody has redeemed in time are deleted. */
export const docsHandoffWorks = [
  sweepTenants(
    "docs codes",
    Effect.flatMap(DocsCodes, (codes) => codes.sweep())
  )
] as const
