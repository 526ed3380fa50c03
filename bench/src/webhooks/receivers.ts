import { Effect } from "effect"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A received request: receiver, body and time. */
export interface Received {
  readonly receiver: string
  readonly id: string
  readonly body: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** How a request is answered. */
export type Answering = (response: ServerResponse) => void

/** Takes everything. */
export const taking: Answering = (response) => void response.writeHead(204).end()

/** Receivers on one port of this machine, each at a separate path. Requests are reported on arrival. */
export const receivers = Effect.fnUntraced(function* (
  answeringOf: (received: Received) => Answering,
  onReceived: (received: Received) => void
) {
  const server = createServer((request, response) => {
    const receiver = (request.url ?? "").slice(1)
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const id = String(request.headers["webhook-id"])
      const received = { receiver, id, body: Buffer.concat(chunks).toString(), at: Date.now() }
      onReceived(received)
      answeringOf(received)(response)
    })
    request.on("error", () => response.destroy())
  })
  server.keepAliveTimeout = 60_000
  const url = yield* Effect.acquireRelease(
    Effect.callback<string>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        resume(Effect.succeed(`http://127.0.0.1:${port}`))
      })
    }),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  return url
})
