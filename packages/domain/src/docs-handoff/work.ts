import { Effect } from "effect"
import { sweep } from "../work/index.ts"
import { DocsCodeRedemption } from "./DocsCodes.ts"

/** Codes that nobody has redeemed in time are deleted. */
export const docsHandoffWorks = [
  sweep(
    "docs codes",
    Effect.flatMap(DocsCodeRedemption, (codes) => codes.sweep)
  )
] as const
