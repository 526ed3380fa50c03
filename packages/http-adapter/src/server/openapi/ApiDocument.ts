import { Context, Effect, Layer } from "effect"
import type { Document } from "../../api/describe.ts"
import { ServerConfig } from "../ServerConfig.ts"
import { openApi } from "./openApi.ts"

/** The contract as an OpenAPI document. The first use generates it, which shortens the start of a process. */
export class ApiDocument extends Context.Service<ApiDocument, Effect.Effect<Document>>()(
  "@parley/http-adapter/ApiDocument"
) {
  static readonly layer: Layer.Layer<ApiDocument, never, ServerConfig> = Layer.effect(
    ApiDocument,
    Effect.flatMap(ServerConfig, ({ baseUrl }) => Effect.cached(Effect.sync(() => openApi(baseUrl))))
  )
}
