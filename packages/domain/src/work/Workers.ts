import { Effect, Layer } from "effect"
import { goingOn } from "./goingOn.ts"
import { waiting } from "./waiting.ts"
import type { Wake, Work } from "./Work.ts"

/** How the works of a process are done. */
export interface WorkersOptions {
  /** How often each looks for work by itself; each second if not said. */
  readonly lookMillis?: number
}

const isNeeded = <R>({ isNeeded = Effect.succeed(true) }: Work<R>) => isNeeded

/** Does the work, then waits for more, in each of its lanes. */
const again = <R>({ lanes, name, run }: Work<R>, wake: Wake<R>, lookMillis: number) =>
  run.pipe(
    goingOn(name, lookMillis),
    Effect.andThen(waiting(wake, lookMillis)),
    Effect.forever,
    Effect.forkScoped,
    Effect.replicateEffect(lanes, { discard: true })
  )

/** One after the other, so that tidying up never takes more than one connection from those who wait for an answer. */
const housekeeping = <R>(works: ReadonlyArray<Work<R>>, lookMillis: number) =>
  Effect.forEach(works, ({ name, run }) => goingOn(name, lookMillis)(run), { discard: true }).pipe(
    Effect.andThen(Effect.sleep("10 minutes")),
    Effect.forever,
    Effect.delay("1 minute"),
    Effect.forkScoped
  )

type Needs<Declared> = Declared extends Work<infer R> ? R : never

/**
 * Does these works in this process until its scope ends, beside whatever else it does. As many processes as wanted may do
 * so: whatever waits is done by one of them.
 */
export const layerWorkersOf = <const Works extends ReadonlyArray<Work<unknown>>>(
  works: Works,
  { lookMillis = 1_000 }: WorkersOptions = {}
): Layer.Layer<never, never, Needs<Works[number]>> => {
  const declared = works as ReadonlyArray<Work<Needs<Works[number]>>>
  return Layer.effectDiscard(
    Effect.gen(function* () {
      const needed = yield* Effect.filter(declared, isNeeded)
      const sweeps = needed.filter(({ wake }) => wake === "housekeeping")
      for (const work of needed) if (work.wake !== "housekeeping") yield* again(work, work.wake, lookMillis)
      yield* housekeeping(sweeps, lookMillis)
    })
  )
}
