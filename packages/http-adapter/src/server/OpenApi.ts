import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { openApi } from "../api/openApi.ts"
import { ServerConfig } from "./ServerConfig.ts"

/** Serves the contract as OpenAPI. It is written when somebody first asks for it: a process that nobody asks starts sooner. */
export const layer = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const { baseUrl } = yield* ServerConfig
    const response = yield* Effect.cached(
      Effect.sync(() =>
        HttpServerResponse.setHeader(
          HttpServerResponse.jsonUnsafe(openApi(baseUrl)),
          "cache-control",
          "public, max-age=60"
        )
      )
    )
    yield* router.add("GET", "/openapi.json", response)
  })
)
