import type { OwnedShard } from "@parley/domain/platform"
import type { SqlClient } from "effect/sql"

/** Whether no other process has claimed the shard, as of the start of the statement. */
export const isOwned = (sql: SqlClient.SqlClient, { fence, shard, task }: OwnedShard) => sql`EXISTS (
  SELECT FROM task_shards AS owned
  WHERE owned.task = ${task} AND owned.shard = ${shard}::smallint AND owned.fence = ${fence}::bigint)`
