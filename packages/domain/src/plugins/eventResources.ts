import { type EventShape, PluginId } from "../kernel/index.ts"
import { eventResource, idIn } from "../webhooks/index.ts"
import { Plugin } from "./Plugin.ts"
import { getPlugin } from "./use-cases/getPlugin.ts"

const plugins = (event: EventShape): [PluginId] | null => {
  const id = idIn(event, "pluginId", PluginId)
  return id === null ? null : [id]
}

/** What the events of this area are about, as GET answers it. */
export const pluginResources = [eventResource("plugin", getPlugin, Plugin, plugins)] as const
