import { Effect } from "effect"
import { HttpServer } from "effect/http"

/** Where the server of the context is reached. */
export const addressOf = Effect.map(HttpServer.HttpServer, ({ address }) => HttpServer.formatAddress(address))
