import { Command } from "effect/cli"
import { redeliverCommand, replayCommand, rotateSecretCommand, testCommand } from "./subscriptions/again.ts"
import { deliveriesCommand, deliveryCommand, listCommand, showCommand } from "./subscriptions/lists.ts"
import { createCommand, deleteCommand, disableCommand, enableCommand, updateCommand } from "./subscriptions/write.ts"

/** The commands about webhook subscriptions. */
export const subscriptions = Command.make("subscriptions").pipe(
  Command.withSubcommands([
    listCommand,
    showCommand,
    createCommand,
    updateCommand,
    deleteCommand,
    enableCommand,
    disableCommand,
    testCommand,
    rotateSecretCommand,
    deliveriesCommand,
    deliveryCommand,
    redeliverCommand,
    replayCommand
  ])
)
