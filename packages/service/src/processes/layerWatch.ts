import { NodeHttpServer } from "@effect/platform-node"
import { answerMetrics, makeOperatorListener } from "@parley/http-adapter/operators"
import { Effect, Layer, type Redacted } from "effect"
import { HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Supervision } from "./Supervision.ts"

interface Address {
  readonly host: string
  readonly port: number
}

const ok = HttpServerResponse.jsonUnsafe({ status: "ok" })

const answering = ({ failing, isReady, metrics }: Supervision, token: Redacted.Redacted | null) =>
  Effect.gen(function* () {
    const { method, url } = yield* HttpServerRequest.HttpServerRequest
    if (method === "GET" && url === "/metrics") return yield* answerMetrics(metrics, token)
    if (method === "GET" && url === "/healthz") return ok
    if (method === "GET" && url === "/readyz") {
      const failure = yield* failing
      if (yield* isReady) {
        return HttpServerResponse.jsonUnsafe({ status: "ok", background: failure === null ? "ok" : "failing" })
      }
      const reason = failure === null ? "No process of a role is ready." : `The background work fails: ${failure}`
      return HttpServerResponse.jsonUnsafe({ status: "unavailable", reason }, { status: 503 })
    }
    return HttpServerResponse.empty({ status: 404 })
  })

/** Shows the metrics of all processes at an address of their own, and whether each role has one that is ready. */
export const layerWatch = (address: Address, supervision: Supervision, token: Redacted.Redacted | null) =>
  HttpServer.serve(answering(supervision, token)).pipe(
    Layer.provide(NodeHttpServer.layer(makeOperatorListener, address))
  )
