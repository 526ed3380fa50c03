import * as NodeServices from "@effect/platform-node/NodeServices"
import { backgroundHealth, layerBackgroundHealth } from "@parley/domain/platform"
import { layerWorkers, type Ports } from "@parley/domain/composition"
import { Metrics, Server } from "@parley/http-adapter/server"
import { Config, ConfigProvider, Effect, Layer, Option, Record, Schedule, Scope } from "effect"
import { FetchHttpClient, HttpMiddleware, UrlParams } from "effect/http"
import { Otlp, OtlpSerialization } from "effect/observability"
import type { WrongUsage } from "./Failure.ts"
import { addressOf, cannotListen, metricsAddressOf, metricsPlaceOf, withholdsMetrics } from "./addresses.ts"
import type { NoDatabase } from "./database.ts"
import { processName } from "./environment.ts"
import { layerPorts } from "./ports.ts"
import type { Joined } from "./processes/Channel.ts"
import type { MailLayer } from "./providers.ts"
import { serverSettings } from "./serverSettings.ts"
import { type GivenFlags, readSettings, type Settings } from "./readSettings.ts"
import type { SettingName } from "./settings.ts"

/** Hooks in the life of a process. */
export interface ProcessSteps<A, E1, R1, E2, R2> {
  /** Whether the process migrates the database first. Otherwise the database must be current. */
  readonly migrates: boolean
  /** Runs before the process accepts calls. */
  readonly before: Effect.Effect<A, E1, R1>
  /** Runs when the process is ready. */
  readonly ready: (prepared: A) => Effect.Effect<void, E2, R2>
  /** Runs on the stop signal, before pending work ends. */
  readonly stopping: Effect.Effect<void>
}

/** Whether a path contains personal data. Traces omit such paths. */
const isPersonal = (url: string) => url.includes("/contacts/by-phone/")

/** Removes the query from traces, because it contains search terms and credentials of providers. */
const discretion = Layer.mergeAll(
  Layer.succeed(UrlParams.CurrentRedactedNames, [/.*/]),
  Layer.succeed(HttpMiddleware.TracerDisabledWhen, ({ url }) => isPersonal(url))
)

/** Defaults for unset OpenTelemetry variables: an endpoint enables traces, metrics and logs. */
const unlessSaid = ConfigProvider.layerAdd(
  ConfigProvider.fromUnknown({
    OTEL_TRACES_EXPORTER: "otlp",
    OTEL_METRICS_EXPORTER: "otlp",
    OTEL_LOGS_EXPORTER: "otlp"
  })
)

/**
 * Sends traces, metrics and logs to an OpenTelemetry collector. Standard variables such as `OTEL_EXPORTER_OTLP_ENDPOINT` configure it. Without
 * them, the layer does nothing.
 */
const layerTelemetry = Layer.unwrap(
  Effect.gen(function* () {
    const serviceName = yield* Config.String("OTEL_SERVICE_NAME").pipe(Config.withDefault("parley"))
    const exporting = Otlp.layerFromConfig({ resource: { serviceName }, loggerMergeWithExisting: true }).pipe(
      Layer.provide(unlessSaid),
      Layer.provide(OtlpSerialization.layerJson),
      Layer.provide(FetchHttpClient.layer)
    )
    return Layer.merge(exporting, discretion)
  }).pipe(Effect.orDie)
)

/** Options and hooks of a process that serves the API. */
export interface ServeSteps<A, E1, R1, E2, R2> extends ProcessSteps<A, E1, R1, E2, R2> {
  /** Whether the process also runs background tasks. Otherwise other processes must run them. */
  readonly works: boolean
  /** Whether the process continues to serve for a while after the stop signal. */
  readonly drains: boolean
  /** Processes that share the port, if any. */
  readonly joined?: Joined | null
  /** Mail layer that replaces the configured mail server. */
  readonly mail?: MailLayer | null
}

/** Shows combined metrics for processes that share a port. */
const watchedWith = (settings: Settings, { metrics }: Joined) => ({
  sharesPort: true,
  metrics,
  metricsAt: metricsPlaceOf(settings) === null ? null : ("elsewhere" as const)
})

/** Warns operators who scrape the API port that the metrics have another address. */
const warnOfMetrics = (settings: Settings) =>
  withholdsMetrics(settings)
    ? Effect.logWarning(
        `/metrics is not served: other machines can reach ${addressOf(settings)}. Set PARLEY_METRICS_PORT to serve it on a dedicated port, or PARLEY_METRICS_TOKEN to require a token.`
      )
    : Effect.void

/** Serves the API until the stop signal, then finishes pending calls. */
export const serve = <A, E1, R1, E2, R2>(settings: Settings, steps: ServeSteps<A, E1, R1, E2, R2>) =>
  Effect.gen(function* () {
    const prepared = yield* steps.before
    if (steps.joined?.isFirst ?? true) yield* warnOfMetrics(settings)
    // The background tasks start after the server listens and stop after it, so work from calls during the drain is processed.
    const background = yield* Scope.fork(yield* Effect.scope)
    yield* Layer.build(
      Server.layer({
        ...serverSettings(settings),
        drainMillis: steps.drains ? settings.drainSeconds.value * 1_000 : 0,
        ...(steps.joined ? watchedWith(settings, steps.joined) : {})
      })
    ).pipe(Effect.catchTag("ServeError", ({ cause }) => Effect.fail(cannotListen(settings, cause))))
    if (steps.works) {
      yield* Layer.buildWithScope(layerWorkers({ name: yield* processName }), background)
    }
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

/** Options and hooks of a worker process. */
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

/** Runs background tasks until the stop signal, then waits for pending provider calls. */
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

/** Settings by name, as variable texts. Missing settings come from the environment. */
export type EmbeddedSettings = { readonly [Name in SettingName]?: string }

const asGiven = (given: Readonly<Record<string, string | undefined>>): GivenFlags =>
  Record.map(given, Option.fromUndefinedOr)

/**
 * Ports of all use cases, as configured, for use in another service. Creates the embedded database by default, and migrates the database first unless
 * `migrates` is false. While the installation is on hold, the workers on these ports do not start.
 */
export const embed = (
  given: EmbeddedSettings = {},
  { migrates = true }: { readonly migrates?: boolean } = {}
): Layer.Layer<Ports, NoDatabase | WrongUsage> =>
  Layer.unwrap(
    Effect.map(readSettings(asGiven(given)), (settings) => layerPorts(settings, { creates: true, migrates }))
  ).pipe(Layer.provide(NodeServices.layer))
