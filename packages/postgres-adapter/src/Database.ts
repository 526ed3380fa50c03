import * as PgPipeline from "@parley/pg-pipeline"
import { CurrentStorageTimeout } from "@parley/domain/kernel"
import type { Duration, Redacted } from "effect"

export { readHosts } from "./hosts.ts"

/** Location and settings of the database. */
export interface DatabaseOptions {
  /**
   * `postgres://user:password@host:port/database`, with the parameters of libpq. Of several servers (`one:5432,two:5432`), the writable one is used.
   */
  readonly url: Redacted.Redacted
  readonly maxConnections?: number
  readonly applicationName?: string
  /** Statement timeout of callers without their own (`CurrentStorageTimeout`). */
  readonly statementTimeout?: Duration.Input
  /** Timeout for one server to accept a connection. */
  readonly connectTimeout?: Duration.Input
}

/** A pool of connections to a PostgreSQL server. Reads outside of units of work share connections. */
export const layer = ({ applicationName = "parley", ...options }: DatabaseOptions) =>
  PgPipeline.layer({
    ...options,
    applicationName,
    deadlineOf: (fiber) => fiber.getRef(CurrentStorageTimeout),
    startupParameters: {
      idle_in_transaction_session_timeout: "60000",
      // No statement here is worth JIT compilation or parallel processes: pages are small, and many are read
      // concurrently.
      jit: "off",
      max_parallel_workers_per_gather: "0",
      // Enough for an index search to return single rows among millions instead of lossy pages.
      work_mem: "16MB",
      timezone: "UTC"
    }
  })
