import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { createServer } from "node:http"
import type { Supervision } from "./Supervision.ts"

interface Address {
  readonly host: string
  readonly port: number
}

const ok = HttpServerResponse.jsonUnsafe({ status: "ok" })

const answering = ({ isReady, metrics }: Supervision) =>
  Effect.gen(function* () {
    const { method, url } = yield* HttpServerRequest.HttpServerRequest
    if (method === "GET" && url === "/metrics") {
      return HttpServerResponse.text(yield* metrics, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
    }
    if (method === "GET" && url === "/healthz") return ok
    if (method === "GET" && url === "/readyz") return (yield* isReady) ? ok : HttpServerResponse.empty({ status: 503 })
    return HttpServerResponse.empty({ status: 404 })
  })

/** Shows the metrics of all processes at an address of their own, and whether each role has one that is ready. */
export const layerWatch = (address: Address, supervision: Supervision) =>
  HttpServer.serve(answering(supervision)).pipe(Layer.provide(NodeHttpServer.layer(createServer, address)))
