import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Os from "node:os"

/** Machine and date of a measurement. */
export const machineFacts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [server] = yield* sql<{ readonly version: string; readonly sharedBuffers: string }>`
    SELECT current_setting('server_version') AS version, current_setting('shared_buffers') AS "sharedBuffers"`
  return {
    at: DateTime.formatIso(yield* DateTime.now),
    cores: Os.availableParallelism(),
    cpu: Os.cpus()[0]?.model ?? "unknown",
    memoryGiB: Math.round(Os.totalmem() / 2 ** 30),
    node: process.version,
    postgres: server?.version ?? "unknown",
    sharedBuffers: server?.sharedBuffers ?? "unknown"
  }
})

export type MachineFacts = Effect.Success<typeof machineFacts>
