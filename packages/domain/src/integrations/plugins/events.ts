import { Schema } from "effect"
import { eventAppender, PluginId } from "../../kernel/index.ts"
import { PluginErrorCode } from "./Plugin.ts"

const eventSchema = <const Type extends string, F extends Schema.Struct.Fields>(type: Type, fields: F) =>
  Schema.Struct({ type: Schema.Literal(type), pluginId: PluginId, ...fields })

export const PluginEvent = Schema.Union([
  eventSchema("plugin.installed", { key: Schema.String, version: Schema.String }),
  eventSchema("plugin.updated", { fields: Schema.Array(Schema.String) }),
  eventSchema("plugin.upgraded", { from: Schema.String, to: Schema.String }),
  eventSchema("plugin.enabled", {}),
  eventSchema("plugin.disabled", {}),
  eventSchema("plugin.uninstalled", { key: Schema.String }),
  eventSchema("plugin.failed", { code: PluginErrorCode })
])
export type PluginEvent = typeof PluginEvent.Type

/** Appends an event in the commit of the change that it describes. */
export const appendEvent = eventAppender<PluginEvent>()
