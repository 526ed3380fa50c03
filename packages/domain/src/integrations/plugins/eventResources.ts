import { byId, eventResource, PluginId } from "../../kernel/index.ts"
import { Plugin } from "./Plugin.ts"
import { getPlugin } from "./use-cases/getPlugin.ts"

/** What the events of this area are about, as GET answers it. */
export const pluginResources = [eventResource("plugin", getPlugin, Plugin, byId("pluginId", PluginId))] as const
