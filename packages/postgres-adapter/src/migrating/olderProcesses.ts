import { DateTime, Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { stamp } from "../kernel/columns.ts"
import { compareReleases } from "./releases.ts"

/** A process that is silent for longer has ended. */
const seenWithin = "60 seconds"

/** Processes of an older release still use what `contract` steps remove. */
export class OlderProcesses extends Schema.TaggedError<OlderProcesses>()("OlderProcesses", {
  processes: Schema.Array(Schema.String)
}) {
  override get message() {
    return `Processes of an older release were seen in the last 60 s: ${this.processes.join(", ")}. Stop or upgrade them first.`
  }
}

/** Name of the sessions of a release. */
export const applicationOf = (release: string) => `parley/${release}`

/** Processes of older releases: workers by their heartbeat, and every process by its sessions. Each is a name with its release. */
export const olderProcesses = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, release: string) {
  const since = DateTime.subtractDuration(yield* DateTime.now, seenWithin)
  const [table] = yield* sql<{ readonly exists: boolean }>`SELECT to_regclass('worker_processes') IS NOT NULL AS exists`
  const workers =
    table?.exists === true
      ? yield* sql<{ readonly name: string; readonly release: string | null }>`
          SELECT name, to_jsonb(w) ->> 'release' AS release FROM worker_processes AS w
          WHERE last_seen_at > ${stamp(since)} ORDER BY name`
      : []
  const sessions = yield* sql<{ readonly name: string; readonly release: string }>`
    SELECT 'pid ' || min(pid) AS name, split_part(application_name, '/', 2) AS release FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE ${applicationOf("%")} GROUP BY application_name
    ORDER BY application_name`
  return [...workers, ...sessions]
    .filter((seen) => seen.release === null || compareReleases(seen.release, release) < 0)
    .map((seen) => `${seen.name} (${seen.release ?? "before 0.2.0"})`)
})
