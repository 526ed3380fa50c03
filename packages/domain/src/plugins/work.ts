import { pluginLanes } from "./lifecycle/pluginLanes.ts"

/** Plugins are told of their lives. */
export const pluginsWorks = [pluginLanes] as const
