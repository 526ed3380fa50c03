import { Schema } from "effect"
import { appending, PluginId } from "../../kernel/index.ts"
import { PluginErrorCode } from "./Plugin.ts"

const happened = <const Type extends string, F extends Schema.Struct.Fields>(type: Type, fields: F) =>
  Schema.Struct({ type: Schema.Literal(type), pluginId: PluginId, ...fields })

/** Events of plugins. */
export const PluginEvent = Schema.Union([
  happened("plugin.installed", { key: Schema.String, version: Schema.String }),
  happened("plugin.updated", { fields: Schema.Array(Schema.String) }),
  happened("plugin.upgraded", { from: Schema.String, to: Schema.String }),
  happened("plugin.enabled", {}),
  happened("plugin.disabled", {}),
  happened("plugin.uninstalled", { key: Schema.String }),
  happened("plugin.failed", { code: PluginErrorCode })
])
export type PluginEvent = typeof PluginEvent.Type

/** Appends an event of this area in the commit of the change that it describes. */
export const appendEvent = appending<PluginEvent>()
