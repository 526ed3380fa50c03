import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { realTime } from "../kernel/realTime.ts"

/** A session that holds a lock, or an old transaction. */
export interface Blocker {
  /** 0 for a prepared transaction. */
  readonly pid: number
  readonly application: string
  /** Age of its transaction. */
  readonly seconds: number
  /** First 80 characters of its statement. They can contain personal data, so no log has them. */
  readonly query: string
  /** An autovacuum that PostgreSQL cancels for a waiting session. It does not cancel one that prevents wraparound. */
  readonly isAutovacuum: boolean
}

/** A step did not get its locks in time. Nothing of the step was applied. */
export class MigrationBlocked extends Schema.TaggedError<MigrationBlocked>()("MigrationBlocked", {
  step: Schema.String,
  waitedSeconds: Schema.Finite,
  blockers: Schema.Array(Schema.String)
}) {
  override get message() {
    return `Migration ${this.step} got no lock within ${this.waitedSeconds} s${this.blockers.length === 0 ? "" : `, because of ${this.blockers.join("; ")}`}. Nothing of it was applied. End the transaction, or repeat with a longer --lock-wait.`
  }
}

/** Describes a blocker for a log. */
export const identified = ({ application, pid, seconds }: Blocker) =>
  `pid ${pid} (${application === "" ? "unnamed" : application}, for ${Math.round(seconds)} s)`

/** Describes a blocker for operators. */
export const described = (blocker: Blocker) => `${identified(blocker)}: ${blocker.query}`

/** Columns of a blocker `b` with its activity `a`. Only processes of the server have no user, and only autovacuum of them locks tables. */
export const blockerColumns = (sql: SqlClient.SqlClient) => sql`
  b.pid, coalesce(a.application_name, '') AS application,
  coalesce(extract(epoch FROM clock_timestamp() - coalesce(a.xact_start, a.query_start)), 0)::float8 AS seconds,
  left(trim(regexp_replace(coalesce(a.query, 'a prepared transaction'), '\\s+', ' ', 'g')), 80) AS query,
  a.pid IS NOT NULL AND a.usesysid IS NULL AND a.query NOT LIKE '%(to prevent wraparound)%' AS "isAutovacuum"`

const readBlockers = (sql: SqlClient.SqlClient, pid: number) => sql<Blocker>`
  SELECT ${blockerColumns(sql)} FROM unnest(pg_blocking_pids(${pid}::integer)) AS b (pid)
    LEFT JOIN pg_stat_activity AS a ON a.pid = b.pid ORDER BY b.pid`

/** Reports the sessions that block another session, until its interruption. Only a running wait shows them. */
export const watchBlockers = (
  sql: SqlClient.SqlClient,
  pid: number,
  report: (blockers: ReadonlyArray<Blocker>) => void
) =>
  readBlockers(sql, pid).pipe(
    Effect.map((blockers) => {
      if (blockers.length > 0) report(blockers)
    }),
    Effect.andThen(Effect.sleep("20 millis")),
    Effect.forever,
    Effect.provide(realTime),
    Effect.ignore
  )
