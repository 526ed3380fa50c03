import { Deferred, Effect, type Scope } from "effect"
import { createServer, type Server, type Socket } from "node:net"

/** What a server does with a connection. */
export type Behaviour = (socket: Socket, request: string) => void

/** A server on its own socket, and its received requests. */
export interface SocketServer {
  readonly url: string
  readonly requests: ReadonlyArray<string>
  readonly connections: () => number
  /** Waits for the first request. */
  readonly requested: Effect.Effect<void>
}

const closed = (server: Server) =>
  Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
  })

const portOf = (server: Server) => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

/** Listens, and does that with each request that is whole. */
export const listening = (
  onRequest: Behaviour,
  onConnect: (socket: Socket) => void = () => undefined
): Effect.Effect<SocketServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const requests: Array<string> = []
    const first = Deferred.makeUnsafe<void>()
    const sockets = new Set<Socket>()
    let connections = 0
    const server = createServer((socket) => {
      connections += 1
      sockets.add(socket)
      let text = ""
      socket.on("error", () => undefined)
      socket.on("close", () => sockets.delete(socket))
      socket.on("data", (chunk) => {
        text += chunk.toString("latin1")
        const [head, body] = text.split("\r\n\r\n")
        const length = Number(/content-length: (\d+)/iu.exec(head ?? "")?.[1] ?? "0")
        if (body === undefined || body.length < length) return
        const request = text
        text = ""
        requests.push(request)
        onRequest(socket, request)
        Deferred.doneUnsafe(first, Effect.void)
      })
      onConnect(socket)
    })
    yield* Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    })
    yield* Effect.addFinalizer(() =>
      Effect.andThen(
        Effect.sync(() => {
          for (const socket of sockets) socket.destroy()
        }),
        closed(server)
      )
    )
    return {
      url: `http://127.0.0.1:${portOf(server)}`,
      requests,
      connections: () => connections,
      requested: Deferred.await(first)
    }
  })

/** A port without a listener. */
export const nobody: Effect.Effect<string> = Effect.scoped(
  Effect.map(
    listening(() => undefined),
    ({ url }) => url
  )
)

/** Answers with a status, a body and headers. */
export const answering =
  (status: number, body: string, headers: ReadonlyArray<string> = []): Behaviour =>
  (socket) =>
    socket.write(
      [
        `HTTP/1.1 ${status} Whatever`,
        `content-length: ${Buffer.byteLength(body)}`,
        "connection: keep-alive",
        ...headers,
        "",
        body
      ].join("\r\n")
    )
