import { PgConnection } from "@effect/sql-pg"
import { Deferred, Effect, Exit, Redacted, Scope } from "effect"
import { connect, type Socket } from "node:net"
import { type Address, urlOf } from "./Address.ts"

/** A session with the server. It ends with this process, however that ends. */
export interface Session {
  readonly address: Address
  readonly connection: PgConnection.PgConnection
  readonly socket: Socket
  /** Completes when the session ends. */
  readonly lost: Effect.Effect<void>
  readonly close: Effect.Effect<void>
}

const socketTo = ({ host, port }: Address) =>
  host.startsWith("/") ? connect({ path: `${host}/.s.PGSQL.${port}` }) : connect({ host, port, noDelay: true })

/** Opens a session. The caller closes it. */
export const openSession = Effect.fnUntraced(function* (
  address: Address,
  password: string,
  startupParameters: Readonly<Record<string, string>> = {}
) {
  const scope = yield* Scope.make()
  const lost = yield* Deferred.make<void>()
  let socket: Socket | null = null
  const stream = () => {
    socket = socketTo(address)
    socket.on("error", () => {})
    socket.once("close", () => Deferred.doneUnsafe(lost, Exit.void))
    return socket
  }
  const connection = yield* PgConnection.make({
    url: Redacted.make(urlOf(address, password)),
    applicationName: "parley embedded",
    connectTimeout: "5 seconds",
    startupParameters,
    stream
  }).pipe(
    Scope.provide(scope),
    Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
  )
  if (socket === null) return yield* Effect.die(new Error("A session was opened without a socket."))
  return { address, connection, socket, lost: Deferred.await(lost), close: Scope.close(scope, Exit.void) } as Session
})
