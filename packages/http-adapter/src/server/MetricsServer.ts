import { createServer } from "node:http"
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import type { ServerSettings } from "./ServerConfig.ts"

/** The metrics beside the API, at `/metrics`. */
export const route = PrometheusMetrics.layerHttp()

const answer = Effect.gen(function* () {
  const { method, url } = yield* HttpServerRequest.HttpServerRequest
  if (method !== "GET" || url !== "/metrics") return HttpServerResponse.empty({ status: 404 })
  return HttpServerResponse.text(yield* PrometheusMetrics.format(), {
    contentType: "text/plain; version=0.0.4; charset=utf-8"
  })
})

/** The metrics on an address of their own, which need not be one that everybody reaches. */
export const layerAt = (address: NonNullable<ServerSettings["metricsAt"]>) =>
  HttpServer.serve(answer).pipe(Layer.provide(Layer.fresh(NodeHttpServer.layer(createServer, address))))
