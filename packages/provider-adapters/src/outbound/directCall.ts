import type { Dispatcher } from "@effect/platform-node/Undici"
import { Effect, Option } from "effect"
import { HttpClientRequest } from "effect/http"
import { AnswerUnread, isConnectFailure } from "./answers.ts"

/** Answer to a call, read completely. */
export interface DirectAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
}

/** The call sent no byte. */
export const notSent = Symbol("not sent")

export type DirectCallError = typeof notSent | AnswerUnread

/** Whether the body is in memory. Others are streams and forms. */
const bytesOf = ({ body }: HttpClientRequest.HttpClientRequest): Uint8Array | null | undefined => {
  if (body._tag === "Empty") return null
  return body._tag === "Uint8Array" ? body.body : undefined
}

const interrupted = new Error("The caller has ended.")

/**
 * Sends a request with a body in memory once, and reads its answer up to a size limit. It follows no redirects and needs a third of the processor time of
 * the HTTP client, because it copies no context and makes no streams. A call that ends before a connection takes it was certainly not sent.
 */
export const directCall =
  (dispatcher: Dispatcher, mostBytes: number) =>
  (request: HttpClientRequest.HttpClientRequest): Effect.Effect<DirectAnswer, DirectCallError> => {
    const body = bytesOf(request)
    const address = Option.getOrNull(HttpClientRequest.toUrl(request))
    if (body === undefined) return Effect.die(new Error("A direct call has its body in memory."))
    if (address === null) return Effect.fail(notSent)
    return Effect.callback((resume) => {
      let controller: Dispatcher.DispatchController | null = null
      let isOver = false
      let isTooLong = false
      let status = 0
      let size = 0
      let headers: DirectAnswer["headers"] = {}
      const pieces: Array<Buffer> = []
      dispatcher.dispatch(
        {
          origin: address.origin,
          path: address.pathname + address.search,
          method: request.method,
          headers: { ...request.headers },
          body,
          // Callers have their own time limits.
          headersTimeout: 0,
          bodyTimeout: 0
        },
        {
          onRequestStart: (started) => {
            controller = started
            if (isOver) started.abort(interrupted)
          },
          onResponseStart: (_, code, received) => {
            status = code
            headers = received
          },
          onResponseData: (current, piece) => {
            size += piece.length
            if (size <= mostBytes) return void pieces.push(piece)
            isTooLong = true
            current.abort(interrupted)
          },
          onResponseEnd: () => {
            resume(Effect.succeed({ status, headers, text: Buffer.concat(pieces).toString("utf8") }))
          },
          onResponseError: (_, error) => {
            const reason = isTooLong ? "unreadable_answer" : "connection_lost"
            const isUnsent = controller === null || (status === 0 && isConnectFailure(error))
            resume(Effect.fail(isUnsent ? notSent : new AnswerUnread({ reason })))
          }
        }
      )
      return Effect.sync(() => {
        isOver = true
        controller?.abort(interrupted)
      })
    })
  }
