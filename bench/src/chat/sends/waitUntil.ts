import { Effect } from "effect"
import { ToolFailed } from "../../load/ToolFailed.ts"

const longestWaitMillis = 300_000

/** Waits until the condition holds, for five minutes at most. */
export const waitUntil = Effect.fnUntraced(function* <E, R>(what: string, isSo: Effect.Effect<boolean, E, R>) {
  const begun = performance.now()
  while (!(yield* isSo)) {
    if (performance.now() - begun > longestWaitMillis) {
      return yield* new ToolFailed({ tool: "parley", output: `After five minutes it is not so that ${what}.` })
    }
    yield* Effect.sleep("20 millis")
  }
})
