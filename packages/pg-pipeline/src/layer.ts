import { PgClient } from "@effect/sql-pg"
import { Clock, Duration, Effect, Layer, Redacted } from "effect"
import { connectionFailure } from "./failures.ts"
import { readHosts } from "./hosts.ts"
import { makeClient } from "./makeClient.ts"
import type { DeadlineOf } from "./makeDeadlines.ts"

/** Location and settings of the database. */
export interface PipelineOptions {
  /**
   * `postgres://user:password@host:port/database`, with the parameters of libpq. Of several servers (`one:5432,two:5432`), the writable one is used.
   */
  readonly url: Redacted.Redacted
  readonly maxConnections?: number
  readonly applicationName?: string
  /** Statement timeout of callers without a deadline. The server has the same timeout. */
  readonly statementTimeout?: Duration.Input
  /** Timeout for one server to accept a connection. */
  readonly connectTimeout?: Duration.Input
  /** Settings of each session on the server. */
  readonly startupParameters?: Readonly<Record<string, string>>
  /** Finds the deadline of a caller. Default: `CurrentDeadline`. */
  readonly deadlineOf?: DeadlineOf
}

/** Delay of the client's timeout after the server's, in milliseconds. The server can report the reason. */
const graceMillis = 2_000

/** Connections use real time, even if a program or a test has its own clock. */
const realTime = Layer.succeed(Clock.Clock, Clock.Clock.defaultValue())

/** A pool of connections to a PostgreSQL server. Statements outside of transactions share connections. */
export const layer = ({
  applicationName = "pg-pipeline",
  connectTimeout = "2 seconds",
  deadlineOf,
  maxConnections = 10,
  startupParameters = {},
  statementTimeout = "30 seconds",
  url
}: PipelineOptions) => {
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
        startupParameters: { ...startupParameters, statement_timeout: String(statementMillis) },
        deadlineOf
      })
    )
  ).pipe(Layer.provide(realTime))
}
