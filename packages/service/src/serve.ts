import { layerBackgroundHealth, layerWorkers } from "@parley/domain"
import { Server } from "@parley/http-adapter/server"
import { Effect, Layer, Scope } from "effect"
import { addressOf, metricsPlaceOf, withholdsMetrics } from "./addresses.ts"
import { cannotListen } from "./cannotListen.ts"
import type { MailLayer } from "./mail.ts"
import { layerPorts } from "./ports.ts"
import type { Joined } from "./processes/joinOthers.ts"
import { processName } from "./processName.ts"
import type { ProcessSteps } from "./ProcessSteps.ts"
import { serverSettings } from "./serverSettings.ts"
import type { Settings } from "./settings.ts"
import { layerTelemetry } from "./telemetry.ts"

/** How a process serves the API. */
export interface ServeSteps<A, E1, R1, E2, R2> extends ProcessSteps<A, E1, R1, E2, R2> {
  /** Whether it also does what is to be done in the background. Otherwise other processes have to. */
  readonly works: boolean
  /** Whether it goes on serving for a while after it was told to stop. */
  readonly drains: boolean
  /** The others that it shares its port with, if it does. */
  readonly joined?: Joined | null
  /** What mails go through in the place of the configured server. */
  readonly mail?: MailLayer | null
}

/** Processes that share a port are watched together. */
const watchedWith = (settings: Settings, { metrics }: Joined) => ({
  sharesPort: true,
  metrics,
  metricsAt: metricsPlaceOf(settings) === null ? null : ("elsewhere" as const)
})

/** Tells operators who scrape the API port where the metrics are. */
const warnOfMetrics = (settings: Settings) =>
  withholdsMetrics(settings)
    ? Effect.logWarning(
        `/metrics is not served: other machines can reach ${addressOf(settings)}. Set PARLEY_METRICS_PORT to serve it on a dedicated port, or PARLEY_METRICS_TOKEN to require a token.`
      )
    : Effect.void

/** Serves the API until the process is told to stop; then it finishes the calls that are under way. */
export const serve = <A, E1, R1, E2, R2>(settings: Settings, steps: ServeSteps<A, E1, R1, E2, R2>) =>
  Effect.gen(function* () {
    const prepared = yield* steps.before
    if (steps.joined?.isFirst ?? true) yield* warnOfMetrics(settings)
    // Begun once the server listens, and ended after it: what calls have put in while it drained is still worked on.
    const background = yield* Scope.fork(yield* Effect.scope)
    yield* Layer.build(
      Server.layer({
        ...serverSettings(settings),
        drainMillis: steps.drains ? settings.drainSeconds.value * 1_000 : 0,
        ...(steps.joined ? watchedWith(settings, steps.joined) : {})
      })
    ).pipe(Effect.catchTag("ServeError", ({ cause }) => Effect.fail(cannotListen(settings, cause))))
    if (steps.works) yield* Layer.buildWithScope(layerWorkers({ name: yield* processName }), background)
    yield* steps.ready(prepared)
    return yield* Effect.onInterrupt(Effect.never, () => steps.stopping)
  }).pipe(
    Effect.scoped,
    Effect.provide(
      layerPorts(settings, { creates: true, migrates: steps.migrates, mail: steps.mail ?? null }).pipe(
        Layer.provideMerge(layerBackgroundHealth),
        Layer.provideMerge(layerTelemetry)
      )
    )
  )
