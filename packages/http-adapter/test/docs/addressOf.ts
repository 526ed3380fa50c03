import { Effect } from "effect"
import { HttpServer } from "effect/http"

/** URL of the server in the context. */
export const addressOf = Effect.map(HttpServer.HttpServer, ({ address }) => HttpServer.formatAddress(address))
