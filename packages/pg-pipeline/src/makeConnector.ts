import { PgConnection } from "@effect/sql-pg"
import { Effect, Exit, Redacted, Result, Scope } from "effect"
import type { SqlError } from "effect/sql"
import type { Socket } from "node:net"
import { CopySocket, encryptionOf } from "./CopySocket.ts"
import { connectionFailure, isFull, whileConnecting } from "./failures.ts"
import type { Host, Hosts } from "./hosts.ts"
import type { Deadlines } from "./makeDeadlines.ts"
import { socketTo } from "./sockets.ts"

/** A session with a server, and a way to end it in any state. */
export interface Opened {
  readonly connection: PgConnection.PgConnection
  readonly socket: Socket
  readonly host: Host
  /** The diverting socket of a session with COPY; `null` for other sessions. */
  readonly copies: CopySocket | null
}

/** Use of a session: `shared` by statements, by one listener, or for COPY. */
export type SessionKind = "shared" | "listener" | "copy"

const keepAlive = "30 seconds"

const readOnlyCheck = `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS "onlyReads"`

/** A server should notice that the client of a running statement is gone. Not every system supports this. */
const detectLostClients = `SELECT set_config('client_connection_check_interval', '2s', false)`

/** Combined failure of several servers. The failure of a single server stays unchanged. */
const combined = (failures: ReadonlyArray<SqlError.SqlError>) => {
  const [only, ...others] = failures
  const decisive = failures.find(isFull) ?? (others.length === 0 ? only : undefined)
  return (
    decisive ??
    connectionFailure(
      failures.map(({ reason }) => causeMessage(reason.cause, reason.message)).join("; "),
      "connect",
      only
    )
  )
}

const causeMessage = (cause: unknown, otherwise = "no answer") =>
  cause instanceof Error && cause.message !== "" ? cause.message : otherwise

/** Opens sessions with the first suitable server, starting with the last one used. */
export const makeConnector = (
  hosts: Hosts,
  deadlines: Deadlines,
  config: Pick<PgConnection.Config, "applicationName" | "startupParameters">,
  connectMillis: number
) => {
  let current: Host = hosts.all[0]

  const openSession = (host: Host, kind: SessionKind): Effect.Effect<Opened, SqlError.SqlError, Scope.Scope> =>
    Effect.suspend(() => {
      let socket: Socket | undefined
      let copies: CopySocket | null = null
      const connect = socketTo(Redacted.value(host.url), keepAlive)
      const stream = () => {
        const created = connect()
        // The code that cuts the connection reports the reason. Only the driver receives this error.
        created.on("error", () => {})
        socket ??= created
        if (kind !== "copy") return created
        copies = new CopySocket(created, encryptionOf(Redacted.value(host.url)))
        copies.on("error", () => {})
        return copies
      }
      const open = Effect.gen(function* () {
        const connection = yield* PgConnection.make({
          ...config,
          url: host.url,
          multiplex: kind === "shared",
          ...(kind === "copy" ? { ssl: false } : {}),
          stream,
          connectTimeout: connectMillis
        })
        const { rows } = yield* connection.query(readOnlyCheck, [], false)
        if (rows[0]?.["onlyReads"] === true && !hosts.mayOnlyRead) {
          return yield* connectionFailure(`${host.place} is only to be read`, "connect")
        }
        yield* Effect.ignore(connection.query(detectLostClients, [], false))
        if (socket === undefined) return yield* connectionFailure("There is no connection", "connect")
        return { connection, socket, host, copies }
      })
      const wait = deadlines.beginFor(connectMillis, () => {
        socket?.destroy(new Error(`${host.place} did not answer in time`))
        return true
      })
      return Effect.ensuring(
        Effect.mapError(open, whileConnecting),
        Effect.sync(() => deadlines.end(wait))
      )
    })

  /** A session with an unsuitable server is closed immediately. */
  const openOn = Effect.fnUntraced(function* (host: Host, kind: SessionKind) {
    const scope = yield* Scope.fork(yield* Effect.scope)
    return yield* Effect.onError(Scope.provide(openSession(host, kind), scope), (cause) =>
      Scope.close(scope, Exit.failCause(cause))
    )
  })

  return {
    open: Effect.fnUntraced(function* (kind: SessionKind) {
      const failures: Array<SqlError.SqlError> = []
      for (const host of [current, ...hosts.all.filter((one) => one !== current)]) {
        const opened = yield* Effect.result(openOn(host, kind))
        if (Result.isSuccess(opened)) {
          current = host
          return opened.success
        }
        failures.push(opened.failure)
      }
      return yield* combined(failures)
    }),
    places: hosts.all.map(({ place }) => place).join(", ")
  }
}

export type Connector = ReturnType<typeof makeConnector>
