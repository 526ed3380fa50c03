import { layerWorkers } from "@parley/domain"
import { Metrics } from "@parley/http-adapter/server"
import { Effect, Layer } from "effect"
import { metricsAddressOf } from "./addresses.ts"
import { cannotListen } from "./cannotListen.ts"
import { layerPorts } from "./ports.ts"
import { processName } from "./processName.ts"
import type { ProcessSteps } from "./ProcessSteps.ts"
import type { Settings } from "./settings.ts"
import { layerTelemetry } from "./telemetry.ts"

/** Does what is to be done in the background until the process is told to stop; then calls of providers are heard out. */
export const work = <A, E1, R1, E2, R2>(settings: Settings, steps: ProcessSteps<A, E1, R1, E2, R2>) =>
  Effect.gen(function* () {
    const prepared = yield* steps.before
    yield* Effect.catchTag(Layer.build(Metrics.layer(metricsAddressOf(settings))), "ServeError", ({ cause }) =>
      Effect.fail(cannotListen(settings, cause))
    )
    yield* Layer.build(layerWorkers({ name: yield* processName }))
    yield* steps.ready(prepared)
    return yield* Effect.onInterrupt(Effect.never, () => steps.stopping)
  }).pipe(
    Effect.scoped,
    Effect.provide(Layer.provideMerge(layerPorts(settings, { migrates: steps.migrates }), layerTelemetry))
  )
