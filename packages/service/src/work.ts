import { backgroundHealth, layerBackgroundHealth, layerWorkers } from "@parley/domain"
import { Metrics } from "@parley/http-adapter/server"
import { Effect, Layer, Schedule } from "effect"
import { metricsAddressOf } from "./addresses.ts"
import { cannotListen } from "./cannotListen.ts"
import { layerPorts } from "./ports.ts"
import type { Joined } from "./processes/joinOthers.ts"
import { processName } from "./processName.ts"
import type { ProcessSteps } from "./ProcessSteps.ts"
import type { Settings } from "./settings.ts"
import { layerTelemetry } from "./telemetry.ts"

/** How a process does what is to be done in the background. */
export interface WorkSteps<A, E1, R1, E2, R2> extends ProcessSteps<A, E1, R1, E2, R2> {
  /** Channel to the other processes, which show its metrics and its readiness; `null` for a single process. */
  readonly joined: Joined | null
}

/** Reports a failure of the background work to the other processes, once a second. */
const reportBackground = ({ tellBackground }: Joined) =>
  Effect.flatMap(backgroundHealth, ({ status }) =>
    Effect.flatMap(status, (now) => tellBackground(now.state === "failing" ? `${now.part}: ${now.reason}` : null)).pipe(
      Effect.repeat(Schedule.spaced("1 second"))
    )
  )

/** Does what is to be done in the background until the process is told to stop; then calls of providers are heard out. */
export const work = <A, E1, R1, E2, R2>(settings: Settings, steps: WorkSteps<A, E1, R1, E2, R2>) =>
  Effect.gen(function* () {
    const prepared = yield* steps.before
    const address = steps.joined !== null ? null : metricsAddressOf(settings)
    yield* Effect.catchTag(
      Layer.build(Metrics.layer(address, settings.metricsToken.value)),
      "ServeError",
      ({ cause }) => Effect.fail(cannotListen(settings, cause))
    )
    yield* Layer.build(layerWorkers({ name: yield* processName }))
    if (steps.joined !== null) yield* Effect.forkScoped(reportBackground(steps.joined))
    yield* steps.ready(prepared)
    return yield* Effect.onInterrupt(Effect.never, () => steps.stopping)
  }).pipe(
    Effect.scoped,
    Effect.provide(
      layerPorts(settings, { migrates: steps.migrates }).pipe(
        Layer.provideMerge(layerBackgroundHealth),
        Layer.provideMerge(layerTelemetry)
      )
    )
  )
