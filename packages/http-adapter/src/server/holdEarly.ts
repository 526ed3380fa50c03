import type { RequestListener, Server } from "node:http"

type Call = Parameters<RequestListener>

/** How Node tells of a request; the second one is of callers who ask first whether they may send the body. */
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
 * Lets a listener hold the requests that come in before it has a handler, and hands them to the first one: the port
 * opens before the routes are built, and Node never answers a request that nobody handles.
 */
export const holdEarly = (listener: Server): Server => {
  for (const event of events) holdEarlyOf(listener, event)
  return listener
}
