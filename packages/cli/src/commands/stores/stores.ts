import { StoreConnectionStatus } from "@parley/domain/commerce"
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { collect, listFlags, one, queryOf } from "../../console/listing.ts"
import { printList, printOne } from "../../console/print.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { authorizeCommand, completeCommand, connectCommand, disconnectCommand, updateCommand } from "./connect.ts"
import { privacyCommand } from "./privacy.ts"
import {
  cartCommand,
  cartsCommand,
  commerceCommand,
  customerCommand,
  customersCommand,
  linkCommand,
  orderCommand,
  ordersCommand,
  productCommand,
  productsCommand
} from "./records.ts"
import { skippedCommand, statusCommand, syncCommand } from "./sync.ts"
import { connection, listView, view } from "./views.ts"

const listCommand = Command.make(
  "list",
  { org: Flags.org, ...listFlags({ status: one(StoreConnectionStatus) }) },
  Effect.fn(function* ({ filter, json, limit, org, quiet }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ storeConnections }) {
        const { isCut, rows } = yield* collect(limit, (page) =>
          storeConnections.list({ query: { ...filter, ...queryOf(page) } })
        )
        yield* printList(listView, { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(Command.withDescription("List the connected stores, newest first"), Command.withAlias("ls"))

const showCommand = Command.make(
  "show",
  { org: Flags.org, connection, json: Flags.json },
  Effect.fn(function* ({ connection, json, org }) {
    yield* inTenant(org, ({ storeConnections }) =>
      Effect.flatMap(storeConnections.get({ params: { id: connection } }), (found) => printOne(view, { json }, found))
    )
  })
).pipe(Command.withDescription("Show a store with its state and the age of its data"))

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
