/** The command tree of `parley`, for who wants to run it inside a program of their own. */
export { commands } from "./commands.ts"
export { run } from "./run.ts"
/** The adapters as the configuration chooses them, for other processes on the same configuration. */
export { layerPorts } from "./composition/ports.ts"
export { readSettings, type Settings } from "./composition/settings.ts"
