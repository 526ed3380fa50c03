import { pluginCalls } from "./pluginCalls.ts"
import { lifecycleCalls, pluginCatalogue, plugins } from "./plugins.ts"

export const pluginsContracts = [lifecycleCalls, pluginCalls, pluginCatalogue, plugins]
