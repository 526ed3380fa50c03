import { Command } from "effect/cli"
import { listCommand, showCommand } from "./automations/read.ts"
import { runCommand, runsCommand } from "./automations/runs.ts"
import { pauseCommand, resumeCommand, settingsCommand } from "./automations/settings.ts"
import { disableCommand, enableCommand } from "./automations/switch.ts"
import { testCommand } from "./automations/test.ts"
import { createCommand, deleteCommand, editCommand, moveCommand } from "./automations/write.ts"

/** The commands about automations. */
export const automations = Command.make("automations").pipe(
  Command.withSubcommands([
    listCommand,
    showCommand,
    createCommand,
    editCommand,
    enableCommand,
    disableCommand,
    moveCommand,
    deleteCommand,
    testCommand,
    runsCommand,
    runCommand,
    settingsCommand,
    pauseCommand,
    resumeCommand
  ])
)
