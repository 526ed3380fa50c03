import { Effect } from "effect"
import { Jobs } from "../../platform/jobs/index.ts"
import { useCase } from "../../kernel/index.ts"
import type { ContactImportId } from "../imports/ContactImport.ts"
import { ContactImports } from "../imports/ContactImports.ts"
import { importOf } from "../imports/importOf.ts"

/** Reads how far an import is, and what came of it. */
export const getContactImport = useCase(
  "contacts.getImport",
  { access: { permission: "contacts.import" } },
  Effect.fnUntraced(function* (id: ContactImportId) {
    const order = yield* (yield* ContactImports).get(id)
    return importOf(order, yield* (yield* Jobs).get(order.jobId))
  })
)
