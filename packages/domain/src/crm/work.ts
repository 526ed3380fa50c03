import { Effect } from "effect"
import { sweepTenants } from "../platform/background/index.ts"
import { ContactImportRemains } from "./imports/ContactImports.ts"
import { contactRefolds } from "./refolding.ts"

/** Search texts are brought up to date, and what imports have left behind is deleted. */
export const crmWorks = [
  contactRefolds,
  sweepTenants(
    "imports",
    Effect.flatMap(ContactImportRemains, (imports) => imports.sweep())
  )
] as const
