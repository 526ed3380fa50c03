import { PgClient } from "@effect/sql-pg"
import { Duration, Layer, Redacted } from "effect"
import { gathering } from "./kernel/gathering.ts"
import { realTime } from "./kernel/realTime.ts"

/** Where the database is, and how it is used. */
export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`, with the parameters that libpq knows. */
  readonly url: Redacted.Redacted
  readonly maxConnections?: number
  readonly applicationName?: string
  /** How long one statement may take before the server ends it. */
  readonly statementTimeout?: Duration.Input
}

const keepAlive = "30 seconds"

/** A pool of connections to a PostgreSQL server. Reads outside of units of work share connections. */
export const layer = ({
  applicationName = "parley",
  maxConnections = 10,
  statementTimeout = "15 seconds",
  url
}: DatabaseOptions) =>
  PgClient.layer({
    url,
    applicationName,
    maxConnections,
    multiplex: true,
    connectTimeout: "5 seconds",
    keepAlive,
    stream: gathering(Redacted.value(url), keepAlive),
    startupParameters: {
      statement_timeout: String(Duration.toMillis(statementTimeout)),
      idle_in_transaction_session_timeout: "60000",
      // No statement here is worth compiling, or the start of other processes: pages are small, and many are read at once.
      jit: "off",
      max_parallel_workers_per_gather: "0",
      // Enough for the index of a search to name each row among millions, not pages to look through.
      work_mem: "16MB",
      timezone: "UTC"
    }
  }).pipe(Layer.provide(realTime))
