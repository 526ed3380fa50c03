import { Command } from "effect/cli"
import { archiveCommand, pauseCommand, publishCommand, resumeCommand } from "./workflows/life.ts"
import { listCommand, versionsCommand } from "./workflows/list.ts"
import { moveCommand } from "./workflows/move.ts"
import { cancelCommand, enrollCommand, runCommand, runsCommand, startCommand, watchCommand } from "./workflows/runs.ts"
import { showCommand } from "./workflows/show.ts"
import { validateCommand } from "./workflows/validate.ts"
import { createCommand, deleteCommand, editCommand } from "./workflows/write.ts"

/** The commands about workflows. */
export const workflows = Command.make("workflows").pipe(
  Command.withSubcommands([
    listCommand,
    showCommand,
    createCommand,
    editCommand,
    validateCommand,
    publishCommand,
    versionsCommand,
    pauseCommand,
    resumeCommand,
    archiveCommand,
    runsCommand,
    runCommand,
    watchCommand,
    startCommand,
    enrollCommand,
    moveCommand,
    cancelCommand,
    deleteCommand
  ])
)
