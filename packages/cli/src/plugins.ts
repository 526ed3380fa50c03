import { Command } from "effect/cli"
import { catalogueCommand } from "./plugins/catalogue.ts"
import { completeCommand } from "./plugins/complete.ts"
import { deliveriesCommand } from "./plugins/deliveries.ts"
import { installCommand } from "./plugins/install.ts"
import { listCommand, showCommand } from "./plugins/list.ts"
import { rotateSecretCommand } from "./plugins/rotateSecret.ts"
import { disableCommand, enableCommand } from "./plugins/switch.ts"
import { uninstallCommand } from "./plugins/uninstall.ts"
import { updateCommand, upgradeCommand } from "./plugins/update.ts"

/** The commands about plugins. */
export const plugins = Command.make("plugins").pipe(
  Command.withSubcommands([
    listCommand,
    showCommand,
    installCommand,
    updateCommand,
    upgradeCommand,
    enableCommand,
    disableCommand,
    rotateSecretCommand,
    deliveriesCommand,
    completeCommand,
    uninstallCommand,
    catalogueCommand
  ])
)
