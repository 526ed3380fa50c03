import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"

/** The address that the request came from, behind trusted proxies too. */
export const addressOf = Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
  Option.getOrElse(request.remoteAddress, () => "unknown")
)
