import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { type BackgroundStatus, CurrentBackgroundHealth } from "@parley/domain/platform"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import * as BacklogGauges from "./BacklogGauges.ts"
import type { ServerSettings } from "./ServerConfig.ts"
import { askStorage } from "./StorageFaults.ts"
import { answerMetrics, makeOperatorListener, makeStartup, type MetricsToken } from "./operatorAnswers.ts"

const own = PrometheusMetrics.format()

/** The metrics on the API port, at `/metrics`. */
export const routeOf = (metrics: Effect.Effect<string> = own, token: MetricsToken = null) =>
  HttpRouter.add("GET", "/metrics", answerMetrics(metrics, token))

const ok = HttpServerResponse.jsonUnsafe({ status: "ok" })

const unavailable = (reason: string) =>
  HttpServerResponse.jsonUnsafe({ status: "unavailable", reason }, { status: 503 })

/** A worker without an API is not ready while its work fails. A process with an API still answers calls. */
const readiness = (needsBackground: boolean) => {
  const background = Effect.flatMap(CurrentBackgroundHealth, (health) =>
    health === null ? Effect.succeed<BackgroundStatus>({ state: "off" }) : health.status
  )
  return askStorage.pipe(
    Effect.timeout("1 second"),
    Effect.andThen(background),
    Effect.map((status) =>
      needsBackground && status.state === "failing"
        ? unavailable(`The background work fails: ${status.part}: ${status.reason}`)
        : HttpServerResponse.jsonUnsafe({ status: "ok", background: status.state })
    ),
    Effect.catchCause(() => Effect.succeed(unavailable("The database does not answer.")))
  )
}

const answer = (needsBackground: boolean, token: MetricsToken) => {
  const { ready, startup } = makeStartup(readiness(needsBackground), ok)
  return Effect.gen(function* () {
    const { method, url } = yield* HttpServerRequest.HttpServerRequest
    if (method === "GET" && url === "/metrics") return yield* answerMetrics(own, token)
    if (method === "GET" && url === "/healthz") return ok
    if (method === "GET" && url === "/readyz") return yield* ready
    if (method === "GET" && url === "/startupz") return yield* startup
    return HttpServerResponse.empty({ status: 404 })
  })
}

type Address = Exclude<ServerSettings["metricsAt"], "elsewhere" | null | undefined>

const layerOn = (address: Address, needsBackground: boolean, token: MetricsToken) =>
  HttpServer.serve(answer(needsBackground, token)).pipe(
    Layer.provide(Layer.fresh(NodeHttpServer.layer(makeOperatorListener, address)))
  )

/** Metrics, liveness and readiness of a process with an API, on a separate address with restricted access. */
export const layerAt = (address: Address, token: MetricsToken = null) => layerOn(address, false, token)

/** Metrics, liveness and readiness of a process without an API. */
export const layer = (address: Address | null, token: MetricsToken = null) =>
  Layer.merge(BacklogGauges.layer, address === null ? Layer.empty : layerOn(address, true, token))
