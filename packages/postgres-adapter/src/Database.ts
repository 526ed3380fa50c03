import { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Layer, Redacted } from "effect"
import { makeClient } from "./connections/makeClient.ts"
import { connectionFailure } from "./connections/failures.ts"
import { readHosts } from "./connections/hosts.ts"
import { realTime } from "./kernel/realTime.ts"

export { readHosts } from "./connections/hosts.ts"

/** Location and settings of the database. */
export interface DatabaseOptions {
  /**
   * `postgres://user:password@host:port/database`, with the parameters of libpq. Of several servers (`one:5432,two:5432`), the writable one is used.
   */
  readonly url: Redacted.Redacted
  readonly maxConnections?: number
  readonly applicationName?: string
  /** Statement timeout of callers without their own (`StoragePatience`). */
  readonly statementTimeout?: Duration.Input
  /** Timeout for one server to accept a connection. */
  readonly connectTimeout?: Duration.Input
}

/** Delay of the client's timeout after the server's, in milliseconds. The server can report the reason. */
const graceMillis = 2_000

/** A pool of connections to a PostgreSQL server. Reads outside of units of work share connections. */
export const layer = ({
  applicationName = "parley",
  connectTimeout = "2 seconds",
  maxConnections = 10,
  statementTimeout = "30 seconds",
  url
}: DatabaseOptions) => {
  const statementMillis = Duration.toMillis(statementTimeout)
  const hosts = Effect.fromOption(readHosts(Redacted.value(url)), () =>
    connectionFailure("This is not the address of a PostgreSQL database", "connect")
  )
  return PgClient.layerFrom(
    Effect.flatMap(hosts, (hosts) =>
      makeClient({
        hosts,
        applicationName,
        maxConnections,
        usualMillis: statementMillis + graceMillis,
        connectMillis: Duration.toMillis(connectTimeout),
        startupParameters: {
          statement_timeout: String(statementMillis),
          idle_in_transaction_session_timeout: "60000",
          // No statement here is worth JIT compilation or parallel processes: pages are small, and many are read at once.
          jit: "off",
          max_parallel_workers_per_gather: "0",
          // Enough for an index search to return single rows among millions instead of lossy pages.
          work_mem: "16MB",
          timezone: "UTC"
        }
      })
    )
  ).pipe(Layer.provide(realTime))
}
