import { Permission, PluginId } from "@parley/domain/kernel"
import { CataloguedPlugin, Plugin, type PluginCallAttempt, PluginWithCredentials } from "@parley/domain/integrations"
import { Redacted, Schema } from "effect"
import { Argument, Flag } from "effect/cli"
import type { Column, View } from "../../console/print.ts"
import { jsonFlag, typedArgument } from "../../console/typed.ts"

export const plugin = typedArgument("plugin", PluginId).pipe(Argument.withDescription("Id of the plugin"))

/** Status or error of a request, with its duration. */
export const attemptResult = ({ durationMs, error, status }: PluginCallAttempt) =>
  `${status ?? error ?? ""}, ${durationMs} ms`

const columns: ReadonlyArray<Column<Plugin>> = [
  { heading: "ID", of: ({ id }) => id },
  { heading: "KEY", of: ({ key }) => key },
  { heading: "NAME", of: ({ name }) => name },
  { heading: "VERSION", of: ({ manifest }) => manifest.version },
  { heading: "STATUS", of: ({ status }) => status },
  { heading: "UPDATE", of: ({ update }) => update?.version ?? "" },
  { heading: "ERROR", of: ({ lastError }) => lastError?.code ?? "" }
]

export const listView: View<Plugin> = {
  schema: Plugin,
  none: "This organization has no plugins.",
  columns
}

export const catalogueView: View<CataloguedPlugin> = {
  schema: CataloguedPlugin,
  none: "The catalogue has no plugins.",
  columns: [
    { heading: "KEY", of: ({ key }) => key },
    { heading: "NAME", of: ({ name }) => name },
    { heading: "VERSION", of: ({ manifest }) => manifest.version },
    { heading: "PUBLISHER", of: ({ manifest }) => manifest.publisher.name },
    { heading: "PERMISSIONS", of: ({ manifest }) => manifest.permissions.join(",") },
    { heading: "INSTALLED", of: ({ installedId }) => installedId ?? "" }
  ]
}

const detail: ReadonlyArray<Column<Plugin>> = [
  ...columns.slice(0, 5),
  { heading: "HOST", of: ({ manifest }) => manifest.baseUrl },
  { heading: "PERMISSIONS", of: ({ permissions }) => permissions.join(" ") },
  { heading: "EVENTS", of: ({ manifest }) => (manifest.events?.types ?? []).join(" ") },
  { heading: "ACTIONS", of: ({ manifest }) => (manifest.actions ?? []).map(({ key }) => key).join(" ") },
  { heading: "SETTINGS", of: ({ settings }) => JSON.stringify(settings) },
  { heading: "UPDATE", of: ({ update }) => (update === null ? "" : JSON.stringify(update)) },
  { heading: "ERROR", of: ({ lastError }) => lastError?.message ?? "" }
]

export const view: View<Plugin> = { schema: Plugin, none: "There is no plugin.", columns: detail }

/** View of a plugin that can require manually supplied credentials. */
export const suppliedView: View<PluginWithCredentials> = {
  schema: PluginWithCredentials,
  none: "There is no plugin.",
  columns: [
    ...detail,
    { heading: "TOKEN", of: ({ token }) => (token === undefined ? "" : Redacted.value(token)) },
    { heading: "SECRET", of: ({ secret }) => (secret === undefined ? "" : Redacted.value(secret)) }
  ]
}

/** Permissions that the member grants. */
export const grants = Flag.Literals("grant", Permission.literals).pipe(
  Flag.withDescription("Granted permission; repeatable"),
  Flag.atLeast(0)
)

export const settings = jsonFlag("settings", Schema.Record(Schema.String, Schema.Json)).pipe(
  Flag.withDescription('Settings as JSON, such as {"pointsPerOrder":10}'),
  Flag.optional
)
