import { type OrganizationId, shardOf, snoozesLane } from "@parley/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Snoozed conversations are woken in the lanes of their organizations. */
export const snoozeLanes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`DROP INDEX conversations_snoozed`
  yield* sql`
    CREATE INDEX conversations_snoozed ON conversations (organization_id, snoozed_until, id) WHERE status = 'snoozed'`
  // What is put off already is woken though nothing else is put off.
  const organizations = yield* sql<{ readonly id: OrganizationId }>`
    SELECT DISTINCT organization_id AS id FROM conversations WHERE status = 'snoozed'`
  const lanes = organizations.map(({ id }) => snoozesLane(id))
  yield* sql`
    INSERT INTO work_lanes (organization_id, work, key, shard, priority, due_at, fence)
    SELECT organization_id, work, key, shard, 1, now(), 0 FROM unnest(
      ${lanes.map(({ organizationId }) => organizationId)}::uuid[], ${lanes.map(({ work }) => work)}::text[],
      ${lanes.map(({ key }) => key)}::text[], ${lanes.map(shardOf)}::smallint[]
    ) AS lane (organization_id, work, key, shard)
    ON CONFLICT DO NOTHING`
})
