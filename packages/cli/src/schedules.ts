import { Command } from "effect/cli"
import { listCommand, showCommand, statusCommand } from "./schedules/read.ts"
import { createCommand, deleteCommand, updateCommand } from "./schedules/write.ts"

/** The commands about schedules. */
export const schedules = Command.make("schedules").pipe(
  Command.withSubcommands([listCommand, showCommand, createCommand, updateCommand, deleteCommand, statusCommand])
)
