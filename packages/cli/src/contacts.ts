import { Command } from "effect/cli"
import { exportCommand } from "./contacts/export.ts"
import { importCommand } from "./contacts/import.ts"
import { importErrorsCommand } from "./contacts/importErrors.ts"
import { listCommand } from "./contacts/list.ts"

/** The commands about contacts. */
export const contacts = Command.make("contacts").pipe(
  Command.withSubcommands([listCommand, importCommand, importErrorsCommand, exportCommand])
)
