import { Effect } from "effect"
import { sweepTenants } from "../work/index.ts"
import { ContactImportRemains } from "./imports/ContactImports.ts"

/** What imports have left behind is deleted. */
export const crmWorks = [
  sweepTenants(
    "imports",
    Effect.flatMap(ContactImportRemains, (imports) => imports.sweep())
  )
] as const
