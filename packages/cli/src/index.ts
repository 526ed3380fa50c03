/** The command tree of `parley`, for who wants to run it inside a program of their own. */
export { commands } from "./commands.ts"
export { run } from "./run.ts"
