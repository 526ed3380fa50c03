import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import { problemJson, typeOf } from "../api/problem.ts"
import { holdEarly } from "./holdEarly.ts"
import { bringsFile, letFilesArrive } from "./longArrivals.ts"
import { partEarly } from "./unreadBodies.ts"

interface Refusal {
  readonly status: number
  readonly code: string
  readonly detail: string
}

const refusalOf = (code: string | undefined): Refusal => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return { status: 431, code: "headers_too_large", detail: "The headers of the request are too large." }
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return { status: 408, code: "request_timeout", detail: "The request did not arrive in time." }
    default:
      return { status: 400, code: "request_malformed", detail: "This is not a request of HTTP/1.1." }
  }
}

const rendered = ({ code, detail, status }: Refusal) => {
  const title = STATUS_CODES[status] ?? "Refused"
  const body = JSON.stringify({ type: typeOf(code), title, status, detail, code, requestId: null })
  return [
    `HTTP/1.1 ${status} ${title}`,
    `content-type: ${problemJson}`,
    `content-length: ${body.length}`,
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
}

/** A listener that drops slow senders, but for files that go on arriving, so that they cannot hold connections, and answers what is no request with a problem. */
export const makeListener = (within = 10_000, drain = { isDraining: false }) => {
  const listener = createServer({
    headersTimeout: within,
    requestTimeout: within,
    connectionsCheckingInterval: Math.min(1_000, within)
  })
  const isArriving = letFilesArrive(listener, within * 6)
  const isAnswered = partEarly(listener, bringsFile)
  listener.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") {
      // A second answer to one request would be taken for that to the next one.
      if (isAnswered(socket)) return socket.destroy()
      if (isArriving(socket)) return
    }
    refuse(error, socket)
  })
  const partWhileStopping = (_request: IncomingMessage, response: ServerResponse) => {
    // While it stops, a connection that is kept open would only hold it up.
    if (drain.isDraining || !listener.listening) response.setHeader("connection", "close")
  }
  listener.on("request", partWhileStopping)
  listener.on("checkContinue", partWhileStopping)
  return holdEarly(listener)
}
