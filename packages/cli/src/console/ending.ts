import { Console, Effect } from "effect"
import { ExitCode } from "./ExitCode.ts"

/** From now on a signal is how the process ends well. Until then, it would have been an interruption. */
export const endsWell = Effect.sync(() => {
  process.exitCode = ExitCode.ok
})

const endAtOnceOnSignal = Effect.sync(() => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(ExitCode.interrupted))
})

/** The next signal ends the process at once. */
export const expectSecondSignal = Effect.asVoid(
  // A terminal tells the whole group of processes, and npm passes it on: the same signal may come twice.
  Effect.forkDetach(Effect.delay(endAtOnceOnSignal, "1 second"))
)

/** Says that the process ends, and how to end it at once. */
export const announceEnd = Effect.andThen(
  Console.error("Stopping: the calls under way are finished first. Once more stops at once."),
  expectSecondSignal
)

/** Says that it has ended. */
export const saysGoodbye = Effect.onInterrupt(() => Console.error("Parley has stopped."))
