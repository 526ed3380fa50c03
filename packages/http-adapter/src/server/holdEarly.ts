import type { RequestListener, Server } from "node:http"

type Call = Parameters<RequestListener>

/**
 * Lets a listener hold the requests that come in before it has a handler, and hands them to the first one: the port
 * opens before the routes are built, and Node never answers a request that nobody handles.
 */
export const holdEarly = (listener: Server): Server => {
  const early: Array<Call> = []
  const hold = (...call: Call) => {
    early.push(call)
  }
  const handOver = (event: string | symbol, handler: RequestListener) => {
    if (event !== "request") return
    listener.off("newListener", handOver)
    listener.off("request", hold)
    for (const call of early.splice(0)) handler(...call)
  }
  listener.on("request", hold)
  listener.on("newListener", handOver)
  return listener
}
