import { Config, ConfigProvider, Effect, Layer } from "effect"
import { FetchHttpClient, HttpMiddleware, UrlParams } from "effect/http"
import { Otlp, OtlpSerialization } from "effect/observability"

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
export const layerTelemetry = Layer.unwrap(
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
