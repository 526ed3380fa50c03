import { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Layer, Redacted } from "effect"
import { makeClient } from "./connections/makeClient.ts"
import { connectionFailure } from "./connections/failures.ts"
import { readHosts } from "./connections/hosts.ts"
import { realTime } from "./kernel/realTime.ts"

export { readHosts } from "./connections/hosts.ts"

/** Where the database is, and how it is used. */
export interface DatabaseOptions {
  /**
   * `postgres://user:password@host:port/database`, with the parameters that libpq knows. Of several servers
   * (`one:5432,two:5432`) the one is used that can be written to.
   */
  readonly url: Redacted.Redacted
  readonly maxConnections?: number
  readonly applicationName?: string
  /** How long a statement may take of those who have not said how long they wait (`StoragePatience`). */
  readonly statementTimeout?: Duration.Input
  /** How long one server has to take a connection. */
  readonly connectTimeout?: Duration.Input
}

/** How much later than the server, which can say why, the client ends a statement that takes too long. */
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
          // No statement here is worth compiling, or the start of other processes: pages are small, and many are read at once.
          jit: "off",
          max_parallel_workers_per_gather: "0",
          // Enough for the index of a search to name each row among millions, not pages to look through.
          work_mem: "16MB",
          timezone: "UTC"
        }
      })
    )
  ).pipe(Layer.provide(realTime))
}
