import { Effect } from "effect"
import { availableParallelism } from "node:os"
import type { Settings } from "../settings.ts"

/** How many processes there shall be. */
export const processCount = ({ processes }: Settings): Effect.Effect<number> =>
  Effect.sync(() => (processes.value === "auto" ? availableParallelism() : processes.value))
