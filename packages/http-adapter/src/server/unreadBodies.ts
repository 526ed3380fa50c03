import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"

/** A body without a length may go on for ever, and one that may take its time does. */
const hasBoundedRest = ({ headers }: IncomingMessage, takesItsTime: boolean) =>
  !takesItsTime && headers["transfer-encoding"] === undefined

/**
 * Says `Connection: close` with an answer that comes before the end of such a body: what is left of it will not be read,
 * and a proxy that keeps connections must not give this one to somebody else. Says whether a socket has its answer
 * already.
 */
export const partEarly = (
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
