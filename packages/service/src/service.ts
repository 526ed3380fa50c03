import { layerWorkers } from "@parley/domain"
import { Server, type ServerSettings } from "@parley/http-adapter/server"
import { Effect, Layer, Predicate, Scope } from "effect"
import { WrongConfiguration } from "./Failure.ts"
import { addressOf } from "./addresses.ts"
import type { MailLayer } from "./mail.ts"
import { layerPorts } from "./ports.ts"
import type { Settings } from "./settings.ts"
import { layerTelemetry } from "./telemetry.ts"

/** The address of the documentation site. */
export const docsUrlOf = (settings: Settings) => settings.docsUrl.value ?? `${addressOf(settings)}/docs`

const metricsAddressOf = ({ metricsHost, metricsPort }: Settings) =>
  metricsPort.value === null ? null : { host: metricsHost.value, port: metricsPort.value }

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
  metricsAt: metricsAddressOf(settings)
})

const listenFaults: Readonly<Record<string, (settings: Settings) => string>> = {
  EADDRINUSE: ({ host, port }) =>
    `PARLEY_PORT: another program has port ${port.value} on ${host.value}. Stop it, or take another port: --port ${port.value + 1}`,
  EACCES: ({ port }) => `PARLEY_PORT: this user may not listen on port ${port.value}. Take one above 1023.`,
  EADDRNOTAVAIL: ({ host }) => `PARLEY_HOST: this machine does not have the address ${host.value}.`,
  ENOTFOUND: ({ host }) => `PARLEY_HOST: there is no host ${host.value}.`
}

const cannotListen = (settings: Settings, cause: unknown) => {
  const { metricsHost, metricsPort } = settings
  if (Predicate.hasProperty(cause, "port") && metricsPort.value !== null && cause.port === metricsPort.value) {
    const fault = `PARLEY_METRICS_PORT: the metrics cannot be served on port ${metricsPort.value} of ${metricsHost.value}. Take another one.`
    return new WrongConfiguration({ faults: [fault] })
  }
  const code = Predicate.hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : "unknown"
  const explain = listenFaults[code] ?? (({ host, port }) => `Cannot listen on ${host.value}:${port.value} (${code}).`)
  return new WrongConfiguration({ faults: [explain(settings)] })
}

/** What happens around the service. */
export interface ServiceSteps<A, E1, R1, E2, R2> {
  readonly migrates: boolean
  /** What mails go through in the place of the configured server. */
  readonly mail?: MailLayer | null
  /** Whether it goes on serving for a while after it was told to stop. */
  readonly drains: boolean
  /** Before the first call can come in. */
  readonly before: Effect.Effect<A, E1, R1>
  /** Once calls can come in. */
  readonly ready: (prepared: A) => Effect.Effect<void, E2, R2>
  /** When it is told to stop, before the calls under way are finished. */
  readonly stopping: Effect.Effect<void>
}

/** Runs the service until the process is told to stop; then it finishes the calls that are under way. */
export const runService = <A, E1, R1, E2, R2>(settings: Settings, steps: ServiceSteps<A, E1, R1, E2, R2>) =>
  Effect.gen(function* () {
    const prepared = yield* steps.before
    // Begun after the server listens, and ended after it: what calls have put in while it drained is still worked on.
    const background = yield* Scope.fork(yield* Effect.scope)
    yield* Layer.build(
      Server.layer({ ...serverSettings(settings), drainMillis: steps.drains ? settings.drainSeconds.value * 1_000 : 0 })
    ).pipe(Effect.catchTag("ServeError", ({ cause }) => Effect.fail(cannotListen(settings, cause))))
    yield* Layer.buildWithScope(layerWorkers(), background)
    yield* steps.ready(prepared)
    return yield* Effect.onInterrupt(Effect.never, () => steps.stopping)
  }).pipe(
    Effect.scoped,
    Effect.provide(
      Layer.provideMerge(layerPorts(settings, { migrates: steps.migrates, mail: steps.mail ?? null }), layerTelemetry)
    )
  )
