import { Command } from "effect/cli"
import { tailCommand } from "./events/tail.ts"
import { typesCommand } from "./events/types.ts"

/** The commands about events. */
export const events = Command.make("events").pipe(Command.withSubcommands([tailCommand, typesCommand]))
