import { createServer } from "node:http"
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { askStorage } from "./askStorage.ts"
import * as BacklogGauges from "./BacklogGauges.ts"
import type { ServerSettings } from "./ServerConfig.ts"

/** What the metrics of this process are now. */
const own = PrometheusMetrics.format()

const answerWith = Effect.map((text: string) =>
  HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
)

/** The metrics beside the API, at `/metrics`. */
export const routeOf = (metrics: Effect.Effect<string> = own) => HttpRouter.add("GET", "/metrics", answerWith(metrics))

const ok = HttpServerResponse.jsonUnsafe({ status: "ok" })

const ready = askStorage.pipe(
  Effect.timeout("1 second"),
  Effect.as(ok),
  Effect.catchCause(() => Effect.succeed(HttpServerResponse.empty({ status: 503 })))
)

const answer = Effect.gen(function* () {
  const { method, url } = yield* HttpServerRequest.HttpServerRequest
  if (method === "GET" && url === "/metrics") return yield* answerWith(own)
  if (method === "GET" && url === "/healthz") return ok
  if (method === "GET" && url === "/readyz") return yield* ready
  return HttpServerResponse.empty({ status: 404 })
})

type Address = Exclude<ServerSettings["metricsAt"], "elsewhere" | null | undefined>

/** The metrics on an address of their own, which need not be one that everybody reaches; and whether the process lives and has its database. */
export const layerAt = (address: Address) =>
  HttpServer.serve(answer).pipe(Layer.provide(Layer.fresh(NodeHttpServer.layer(createServer, address))))

/** What operators watch of a process without an API. */
export const layer = (address: Address | null) =>
  Layer.merge(BacklogGauges.layer, address === null ? Layer.empty : layerAt(address))
