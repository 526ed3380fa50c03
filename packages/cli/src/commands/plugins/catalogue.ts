import {
  type CatalogueEntry,
  listOfferedPlugins,
  offerPlugin,
  PluginKey,
  PluginManifest,
  withdrawPlugin
} from "@parley/domain/integrations"
import { Console, Effect, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { pageFlags } from "../../console/listing.ts"
import { printRows, type View } from "../../console/print.ts"
import { confirm } from "../../console/prompts.ts"
import { typedArgument } from "../../console/typed.ts"
import { operate } from "../../tenant/target.ts"

const Entry = Schema.Struct({ manifest: PluginManifest, url: Schema.String })

const view: View<CatalogueEntry> = {
  schema: Entry,
  none: "The catalogue has no plugins.",
  columns: [
    { heading: "KEY", of: ({ manifest }) => manifest.key },
    { heading: "VERSION", of: ({ manifest }) => manifest.version },
    { heading: "NAME", of: ({ manifest }) => manifest.name },
    { heading: "PERMISSIONS", of: ({ manifest }) => manifest.permissions.join(",") },
    { heading: "READ AT", of: ({ url }) => url }
  ]
}

const list = Command.make(
  "list",
  pageFlags,
  Effect.fn(function* ({ json, limit, quiet }) {
    const all = yield* operate(listOfferedPlugins())
    const rows = all.slice(0, limit)
    yield* printRows(view, { json, quiet }, rows, rows.length < all.length, ({ manifest }) => manifest.key)
  })
).pipe(Command.withDescription("List the plugins that all organizations can install"))

const add = Command.make(
  "add",
  { url: Argument.String("url").pipe(Argument.withDescription("URL of the manifest")) },
  Effect.fn(function* ({ url }) {
    const { manifest } = yield* operate(offerPlugin({ url }))
    yield* Console.error(`${manifest.key} ${manifest.version} is in the catalogue.`)
  })
).pipe(Command.withDescription("Add a plugin or a newer version to the catalogue, by its manifest"))

const remove = Command.make(
  "remove",
  {
    key: typedArgument("key", PluginKey).pipe(Argument.withDescription("Key of the plugin")),
    yes: Flags.yes
  },
  Effect.fn(function* ({ key, yes }) {
    yield* confirm(`Remove ${key} from the catalogue? Installed plugins stay.`, yes)
    yield* operate(withdrawPlugin({ key }))
    yield* Console.error(`${key} was removed from the catalogue.`)
  })
).pipe(Command.withDescription("Remove a plugin from the catalogue. Installed plugins stay"))

export const catalogueCommand = Command.make("catalogue").pipe(
  Command.withDescription("Catalogue of installable plugins, for operators: list, add, remove"),
  Command.withSubcommands([list, add, remove])
)
