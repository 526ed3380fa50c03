import { CurrentRequest } from "@parley/domain/kernel"
import { Effect, Schema } from "effect"
import { randomUUID } from "node:crypto"
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES
} from "node:http"
import type { Duplex } from "node:stream"
import { problemJson } from "../api/problem.ts"
import { HeadersTooLarge, problems, RequestMalformed, RequestTimeout } from "../api/problems.ts"
import { bringsFile, letFilesArrive, uploadSettings } from "./longArrivals.ts"
import { arrivalTimeouts, usualArrivalMillis } from "./operatorAnswers.ts"
import type { UploadSettings } from "./uploadRate.ts"

type Call = Parameters<RequestListener>

/** Node events for a request. Clients that ask for permission to send the body cause the second one. */
const events = ["request", "checkContinue"] as const

const holdEarlyOf = (listener: Server, event: (typeof events)[number]) => {
  const early: Array<Call> = []
  const hold = (...call: Call) => {
    early.push(call)
  }
  const handOver = (added: string | symbol, handler: RequestListener) => {
    if (added !== event) return
    listener.off("newListener", handOver)
    listener.off(event, hold)
    for (const call of early.splice(0)) handler(...call)
  }
  listener.on(event, hold)
  listener.on("newListener", handOver)
}

/**
 * Holds requests that arrive before the handler is set, and passes them to the first handler. The port opens before the routes are built, and Node
 * never answers an unhandled request.
 */
const holdEarly = (listener: Server): Server => {
  for (const event of events) holdEarlyOf(listener, event)
  return listener
}

/** Whether the rest of the body is limited. A body without a length, or a slow upload, is not. */
const hasBoundedRest = ({ headers }: IncomingMessage, takesItsTime: boolean) =>
  !takesItsTime && headers["transfer-encoding"] === undefined

/**
 * Sends `Connection: close` with an answer that precedes the end of an unlimited body. The rest is not read, and a proxy must not reuse the
 * connection for another client. Returns whether a socket already has its answer.
 */
const partEarly = (
  listener: Server,
  takesItsTime: (request: IncomingMessage) => boolean
): ((socket: Duplex) => boolean) => {
  const answered = new WeakSet<Duplex>()
  const watch = (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    response.once("finish", () => {
      if (request.complete) return
      answered.add(socket)
      request.once("end", () => answered.delete(socket))
    })
    if (hasBoundedRest(request, takesItsTime(request))) return
    const { shouldKeepAlive } = response
    response.shouldKeepAlive = false
    request.once("end", () => {
      response.shouldKeepAlive = shouldKeepAlive
    })
  }
  listener.on("request", watch)
  listener.on("checkContinue", watch)
  return (socket) => answered.has(socket)
}

const unread = Schema.Union([problems.HeadersTooLarge, problems.RequestMalformed, problems.RequestTimeout])

const refusalOf = (code: string | undefined): typeof unread.Type => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new HeadersTooLarge()
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new RequestTimeout()
    default:
      return new RequestMalformed()
  }
}

const encode = Schema.encodeEffect(unread)

/** No request was read, so no other part of the service gives it an id. */
const rendered = (refusal: typeof unread.Type) => {
  const id = randomUUID()
  const problem = Effect.runSync(Effect.provideService(encode(refusal), CurrentRequest, { id }))
  const body = JSON.stringify(problem)
  return [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? "Refused"}`,
    `content-type: ${problemJson}`,
    `content-length: ${body.length}`,
    `x-request-id: ${id}`,
    "connection: close",
    "",
    body
  ].join("\r\n")
}

const refuse = (error: NodeJS.ErrnoException, socket: Duplex) => {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy()
    return
  }
  socket.end(rendered(refusalOf(error.code)))
  // A client that continues to send would hold its half of the connection open.
  setTimeout(() => socket.destroy(), lingerMillis).unref()
}

/** Time for a client to read the reason before the connection ends. */
const lingerMillis = 1_000

const timeout: NodeJS.ErrnoException = Object.assign(new Error("Request timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" })

/**
 * A listener that answers invalid requests with a problem, and ends slow senders because they hold connections. Files can take longer than other
 * requests, above a minimum rate.
 */
export const makeListener = (
  within = usualArrivalMillis,
  drain = { isDraining: false },
  uploads: Partial<UploadSettings> = {}
) => {
  const listener = createServer(arrivalTimeouts(within))
  const isAnswered = partEarly(listener, bringsFile)
  const isArriving = letFilesArrive(listener, uploadSettings(within, uploads), (socket) =>
    isAnswered(socket) ? socket.destroy() : refuse(timeout, socket)
  )
  listener.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") {
      // The client would take a second answer as the answer to the next request.
      if (isAnswered(socket)) return socket.destroy()
      if (isArriving(socket)) return
    }
    refuse(error, socket)
  })
  const partWhileStopping = (_request: IncomingMessage, response: ServerResponse) => {
    // A kept-alive connection would delay the shutdown.
    if (drain.isDraining || !listener.listening) response.setHeader("connection", "close")
  }
  listener.on("request", partWhileStopping)
  listener.on("checkContinue", partWhileStopping)
  return holdEarly(listener)
}
