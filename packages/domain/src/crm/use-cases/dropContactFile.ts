import { Effect } from "effect"
import { type FileId, Files } from "../../platform/files/index.ts"
import { transact, useCase } from "../../kernel/index.ts"
import { ContactImports } from "../imports/ContactImports.ts"

/** Drops a file that no import has. One that an import has stays. */
export const dropContactFile = useCase(
  "contacts.dropFile",
  { access: { permission: "contacts.import" } },
  Effect.fnUntraced(function* (id: FileId) {
    if (yield* (yield* ContactImports).forgetFile(id)) yield* (yield* Files).remove(id)
  }, transact)
)
