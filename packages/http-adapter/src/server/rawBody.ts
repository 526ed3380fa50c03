import { ByteSize, Effect } from "effect"
import { HttpIncomingMessage, type HttpServerRequest } from "effect/http"
import { PayloadTooLarge } from "../api/problems.ts"

/** The bytes as they were signed, at most `max` of them. */
export const rawBody =
  (max: number) =>
  (request: HttpServerRequest.HttpServerRequest): Effect.Effect<Uint8Array, PayloadTooLarge> =>
    Number(request.headers["content-length"]) > max
      ? Effect.fail(new PayloadTooLarge({ max }))
      : request.arrayBuffer.pipe(
          Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(max)),
          Effect.map((buffer) => new Uint8Array(buffer)),
          Effect.catchTag("HttpServerError", (error) =>
            error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"
              ? Effect.fail(new PayloadTooLarge({ max }))
              : Effect.die(error)
          )
        )
