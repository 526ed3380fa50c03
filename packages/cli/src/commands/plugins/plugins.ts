import type { CataloguedPlugin, Plugin } from "@parley/domain/integrations"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { collect, pageFlags, queryOf } from "../../console/listing.ts"
import { printList, printOne, printRows } from "../../console/print.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { callsCommand, completeCommand, deliveriesCommand } from "./calls.ts"
import { devCommand } from "./dev.ts"
import { catalogueCommand } from "./catalogue.ts"
import {
  disableCommand,
  enableCommand,
  installCommand,
  rotateSecretCommand,
  uninstallCommand,
  updateCommand,
  upgradeCommand
} from "./installation.ts"
import { catalogueView, listView, plugin, view } from "./plugin.ts"

const catalogue = Flag.Boolean("catalogue").pipe(
  Flag.withDescription("List the installable plugins of the catalogue"),
  Flag.withDefault(false)
)

const isInstalled = (row: Plugin | CataloguedPlugin): row is Plugin => "id" in row

const isOffered = (row: Plugin | CataloguedPlugin): row is CataloguedPlugin => "installedId" in row

const listCommand = Command.make(
  "list",
  { org: Flags.org, catalogue, ...pageFlags },
  Effect.fn(function* ({ catalogue, json, limit, org, quiet }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ plugins }) {
        const { isCut, rows } = yield* collect(limit, (page) =>
          plugins.list({ query: { view: catalogue ? "catalogue" : "installed", ...queryOf(page) } })
        )
        if (!catalogue) return yield* printList(listView, { json, quiet }, rows.filter(isInstalled), isCut)
        yield* printRows(catalogueView, { json, quiet }, rows.filter(isOffered), isCut, ({ key }) => key)
      })
    )
  })
).pipe(Command.withDescription("List the installed plugins, newest first, or the catalogue"), Command.withAlias("ls"))

const showCommand = Command.make(
  "show",
  { org: Flags.org, plugin, json: Flags.json },
  Effect.fn(function* ({ json, org, plugin }) {
    yield* inTenant(org, ({ plugins }) =>
      Effect.flatMap(plugins.get({ params: { id: plugin } }), (found) => printOne(view, { json }, found))
    )
  })
).pipe(Command.withDescription("Show a plugin with its permissions, its settings and the changes of a newer version"))

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
    callsCommand,
    completeCommand,
    devCommand,
    uninstallCommand,
    catalogueCommand
  ])
)
