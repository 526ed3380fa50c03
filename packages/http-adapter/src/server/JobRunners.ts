import { layerJobKinds, runJobs } from "@parley/domain"
import { Effect, Layer, Schedule } from "effect"
import { goingOn } from "./goingOn.ts"
import { ServerConfig } from "./ServerConfig.ts"

/** How many jobs a process works on at once. */
const runners = 2

/**
 * Does the jobs of these kinds that wait, in this process, next to its requests. Every node looks for work each second, at
 * its own moments, and goes on where a node that died has stopped. When the process is stopped, its jobs go back into the queue.
 */
export const layerRunners = (lookMillis = 1_000) =>
  Layer.effectDiscard(
    runJobs.pipe(
      goingOn("A runner of jobs failed; it goes on", lookMillis),
      Effect.repeat(Schedule.spaced(lookMillis).pipe(Schedule.jittered)),
      Effect.forkScoped,
      Effect.replicateEffect(runners, { discard: true })
    )
  )

/** Does all jobs there are. */
export const layer = Layer.unwrap(
  Effect.map(ServerConfig, ({ jobLookMillis }) => layerRunners(jobLookMillis).pipe(Layer.provide(layerJobKinds)))
)
