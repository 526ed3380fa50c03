import { Command } from "effect/cli"
import { listCommand, versionsCommand } from "./workflows/list.ts"
import { showCommand } from "./workflows/show.ts"
import { validateCommand } from "./workflows/validate.ts"
import { createCommand, deleteCommand, editCommand } from "./workflows/write.ts"

/** The commands about workflows. */
export const workflows = Command.make("workflows").pipe(
  Command.withDescription("Workflows: list, show, create, edit, validate, versions, delete"),
  Command.withSubcommands([
    listCommand,
    showCommand,
    createCommand,
    editCommand,
    validateCommand,
    versionsCommand,
    deleteCommand
  ])
)
