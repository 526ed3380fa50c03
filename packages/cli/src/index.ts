/** The command tree of `parley`, for use inside another program. */
export { loadCommands } from "./commands.ts"
export { run } from "./run.ts"
