import { DateTime, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { stamp } from "../kernel/columns.ts"
import type { Migration } from "../migrations/index.ts"

/** Session and release of a run. */
export interface Recorder {
  readonly sql: SqlClient.SqlClient
  readonly release: string
}

/** Creates the table of the records. */
export const ensureTable = (sql: SqlClient.SqlClient) => sql`
  CREATE TABLE IF NOT EXISTS parley_migrations (
    id integer PRIMARY KEY, name text NOT NULL, release text NOT NULL, phase text NOT NULL, compatible_from text NOT NULL,
    started_at timestamptz NOT NULL, applied_at timestamptz)`

/** Records a step that will start. From then on, older releases than its result allows refuse the database. */
export const recordStart = Effect.fnUntraced(function* ({ release, sql }: Recorder, step: Migration) {
  const { compatibleFrom, id, name, phase } = step
  const now = stamp(yield* DateTime.now)
  yield* sql`
    INSERT INTO parley_migrations (id, name, release, phase, compatible_from, started_at)
    VALUES (${id}, ${name}, ${release}, ${phase}, ${compatibleFrom}, ${now})
    ON CONFLICT (id) DO UPDATE SET release = ${release}, compatible_from = ${compatibleFrom}, started_at = ${now}`
})

/** Deletes the record of a step that was not applied. Only the holder of the lock of the run calls it. */
export const deleteStart = ({ sql }: Recorder, { id }: Migration) =>
  sql`DELETE FROM parley_migrations WHERE id = ${id} AND applied_at IS NULL`

/** Records an applied step, with the start of the successful attempt. */
export const recordEnd = Effect.fnUntraced(function* (
  { release, sql }: Recorder,
  step: Migration,
  since: DateTime.Utc
) {
  const { compatibleFrom, id, name, phase } = step
  const now = stamp(yield* DateTime.now)
  yield* sql`
    INSERT INTO parley_migrations (id, name, release, phase, compatible_from, started_at, applied_at)
    VALUES (${id}, ${name}, ${release}, ${phase}, ${compatibleFrom}, ${stamp(since)}, ${now})
    ON CONFLICT (id) DO UPDATE SET started_at = ${stamp(since)}, applied_at = ${now}`
})
