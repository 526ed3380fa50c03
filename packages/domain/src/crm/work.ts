import { Effect } from "effect"
import { sweep } from "../work/index.ts"
import { ContactImportRemains } from "./imports/ContactImports.ts"
import { TagRemains } from "./Tags.ts"

/** What imports and tags that are gone have left behind is deleted. */
export const crmWorks = [
  sweep(
    "imports",
    Effect.flatMap(ContactImportRemains, (imports) => imports.sweep)
  ),
  sweep(
    "tags",
    Effect.flatMap(TagRemains, (tags) => tags.sweep)
  )
] as const
