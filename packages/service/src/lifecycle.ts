import * as NodeServices from "@effect/platform-node/NodeServices"
import { backgroundHealth, layerBackgroundHealth, layerWorkers, type Ports } from "@parley/domain"
import { Metrics, Server, type ServerSettings } from "@parley/http-adapter/server"
import { Config, ConfigProvider, Effect, Layer, Option, Record, Schedule, Scope } from "effect"
import { FetchHttpClient, HttpMiddleware, UrlParams } from "effect/http"
import { Otlp, OtlpSerialization } from "effect/observability"
import type { WrongUsage } from "./Failure.ts"
import { addressOf, cannotListen, docsUrlOf, metricsAddressOf, metricsPlaceOf, withholdsMetrics } from "./addresses.ts"
import type { NoDatabase } from "./database.ts"
import { processName } from "./environment.ts"
import { layerPorts } from "./ports.ts"
import type { Joined } from "./processes/Channel.ts"
import type { MailLayer } from "./providers.ts"
import { type GivenFlags, readSettings, type SettingName, type Settings } from "./settings.ts"

/** What whoever runs a process adds to its life. */
export interface ProcessSteps<A, E1, R1, E2, R2> {
  /** Whether the database is brought up to date first. Otherwise it has to be. */
  readonly migrates: boolean
  /** Before the first call can come in. */
  readonly before: Effect.Effect<A, E1, R1>
  /** Once it does what it is there for. */
  readonly ready: (prepared: A) => Effect.Effect<void, E2, R2>
  /** When it is told to stop, before what is under way is finished. */
  readonly stopping: Effect.Effect<void>
}

/** A path that says whom it is about is in no trace. */
const isPersonal = (url: string) => url.includes("/contacts/by-phone/")

/** What people search for, and what providers prove themselves with, stands in the query: no trace holds it. */
const discretion = Layer.mergeAll(
  Layer.succeed(UrlParams.CurrentRedactedNames, [/.*/]),
  Layer.succeed(HttpMiddleware.TracerDisabledWhen, ({ url }) => isPersonal(url))
)

/** What OpenTelemetry says of variables that are not set: whoever names a collector wants all three. */
const unlessSaid = ConfigProvider.layerAdd(
  ConfigProvider.fromUnknown({
    OTEL_TRACES_EXPORTER: "otlp",
    OTEL_METRICS_EXPORTER: "otlp",
    OTEL_LOGS_EXPORTER: "otlp"
  })
)

/**
 * Traces, metrics and logs for a collector of OpenTelemetry, where the variables that OpenTelemetry itself names say where
 * that is: `OTEL_EXPORTER_OTLP_ENDPOINT` and its kin. Without them it does nothing.
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

/** The HTTP server, as configured. */
const serverSettings = (settings: Settings): ServerSettings => ({
  host: settings.host.value,
  port: settings.port.value,
  baseUrl: addressOf(settings),
  docsUrl: docsUrlOf(settings),
  corsOrigins: settings.corsOrigins.value,
  trustedProxyHops: settings.trustedProxyHops.value,
  rateLimits: {
    tokenPerMinute: settings.tokenPerMinute.value,
    organizationPerMinute: settings.organizationPerMinute.value,
    addressPerMinute: settings.addressPerMinute.value
  },
  maxBodyBytes: settings.maxBodyBytes.value,
  maxWebhookBytes: settings.maxWebhookBytes.value,
  maxImportBytes: settings.maxImportBytes.value,
  databaseMillis: settings.databaseSeconds.value * 1_000,
  accessLog: settings.accessLog.value === "on",
  metricsAt: metricsPlaceOf(settings),
  metricsToken: settings.metricsToken.value
})

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

/** Settings as they are written in variables: what is not given here comes from there. */
export type EmbeddedSettings = { readonly [Name in SettingName]?: string }

const asGiven = (given: Readonly<Record<string, string | undefined>>): GivenFlags =>
  Record.map(given, Option.fromUndefinedOr)

/**
 * Ports of all use cases, as configured, for use in another service. Creates the embedded database by default, and migrates the database first unless
 * `migrates` is false.
 */
export const embed = (
  given: EmbeddedSettings = {},
  { migrates = true }: { readonly migrates?: boolean } = {}
): Layer.Layer<Ports, NoDatabase | WrongUsage> =>
  Layer.unwrap(
    Effect.map(readSettings(asGiven(given)), (settings) => layerPorts(settings, { creates: true, migrates }))
  ).pipe(Layer.provide(NodeServices.layer))
