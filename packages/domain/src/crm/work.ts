import { Effect } from "effect"
import { sweep } from "../work/index.ts"
import { ContactImportRemains } from "./imports/ContactImports.ts"

/** What imports have left behind is deleted. */
export const crmWorks = [
  sweep(
    "imports",
    Effect.flatMap(ContactImportRemains, (imports) => imports.sweep)
  )
] as const
