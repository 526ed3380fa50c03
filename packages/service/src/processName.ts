import { Effect } from "effect"
import * as Os from "node:os"

/** What operators know this process by: its machine, and its number there. */
export const processName = Effect.sync(() => `${Os.hostname()}:${process.pid}`)
