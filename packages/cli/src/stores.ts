import { Command } from "effect/cli"
import { commerceCommand } from "./stores/commerce.ts"
import { authorizeCommand, completeCommand, connectCommand } from "./stores/connect.ts"
import { disconnectCommand } from "./stores/disconnect.ts"
import { listCommand } from "./stores/list.ts"
import { cartsCommand, customersCommand, ordersCommand, productsCommand } from "./stores/lists.ts"
import { privacyCommand } from "./stores/privacy.ts"
import { showCommand } from "./stores/show.ts"
import { cartCommand, customerCommand, linkCommand, orderCommand, productCommand } from "./stores/single.ts"
import { skippedCommand } from "./stores/skipped.ts"
import { statusCommand } from "./stores/status.ts"
import { syncCommand } from "./stores/sync.ts"
import { updateCommand } from "./stores/update.ts"

/** The commands about stores. */
export const stores = Command.make("stores").pipe(
  Command.withSubcommands([
    listCommand,
    showCommand,
    connectCommand,
    authorizeCommand,
    completeCommand,
    updateCommand,
    syncCommand,
    statusCommand,
    skippedCommand,
    disconnectCommand,
    commerceCommand,
    ordersCommand,
    orderCommand,
    cartsCommand,
    cartCommand,
    customersCommand,
    customerCommand,
    linkCommand,
    productsCommand,
    productCommand,
    privacyCommand
  ])
)
