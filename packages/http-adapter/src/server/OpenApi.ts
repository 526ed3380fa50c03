import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { openApi } from "../api/openApi.ts"
import { ServerConfig } from "./ServerConfig.ts"

/** Serves the contract as OpenAPI. */
export const layer = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const { baseUrl } = yield* ServerConfig
    const response = HttpServerResponse.setHeader(
      HttpServerResponse.jsonUnsafe(openApi(baseUrl)),
      "cache-control",
      "public, max-age=60"
    )
    yield* router.add("GET", "/openapi.json", Effect.succeed(response))
  })
)
