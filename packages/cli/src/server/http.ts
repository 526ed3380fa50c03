import { Layer } from "effect"
import { FetchHttpClient } from "effect/http"

/** Calls over HTTP that stay where they were sent: whoever answers with another address gets no token. */
export const layerHttp = FetchHttpClient.layer.pipe(
  Layer.provideMerge(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
)
