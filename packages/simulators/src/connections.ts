import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"

type Request = HttpServerRequest.HttpServerRequest

/** Breaks the connection without an answer. */
export const reset = (request: Request): Effect.Effect<never> =>
  Effect.andThen(
    Effect.sync(() => NodeHttpServerRequest.toIncomingMessage(request).socket.resetAndDestroy()),
    Effect.never
  )

/** Starts an answer and breaks off: its head announces more than the body contains. */
export const truncated = (request: Request, beginning: string): Effect.Effect<never> =>
  Effect.andThen(
    Effect.sync(() => {
      const { socket } = NodeHttpServerRequest.toIncomingMessage(request)
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n${beginning}`, () =>
        socket.destroy()
      )
    }),
    Effect.never
  )
