import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Who works in the background, which shards of which work are whose, and what has to be looked after when. */
export const work = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE work_nodes (
      id uuid PRIMARY KEY,
      name text NOT NULL,
      works text[] NOT NULL,
      beat bigint NOT NULL,
      joined_at timestamptz NOT NULL,
      seen_at timestamptz NOT NULL
    ) WITH (fillfactor = 50)`

  // No key to the nodes: whose node is gone is anybody's, and nobody has to wait for a node's row.
  yield* sql`
    CREATE TABLE work_shards (
      work text COLLATE "C" NOT NULL,
      shard smallint NOT NULL,
      node uuid,
      fence bigint NOT NULL,
      PRIMARY KEY (work, shard)
    ) WITH (fillfactor = 50)`

  // A lane says that somebody should look after it, and from when on; what waits in it is told by the tables of its work.
  // No foreign key, and nothing of a tenant but its id: the table stays whole where those of tenants are spread.
  yield* sql`
    CREATE TABLE work_lanes (
      organization_id uuid NOT NULL,
      work text COLLATE "C" NOT NULL,
      key text COLLATE "C" NOT NULL,
      shard smallint NOT NULL,
      priority smallint NOT NULL,
      due_at timestamptz NOT NULL,
      fence bigint NOT NULL,
      PRIMARY KEY (organization_id, work, key)
    ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02)`
  yield* sql`CREATE INDEX work_lanes_due ON work_lanes (work, priority, due_at)`
  yield* sql`CREATE INDEX work_lanes_by_organization ON work_lanes (work, organization_id, priority, due_at)`
})
