import { contactReindexLane, messageReindexLane, type OrganizationId, shardOf } from "@parley/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Texts are searched without accents. What is stored is brought up to date afterwards, in the lanes of the organizations, batch by
 * batch: a migration would hold all rows that it changes until it ends.
 */
export const folding = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE refolds (
      organization_id uuid NOT NULL REFERENCES organizations,
      kind text NOT NULL,
      after_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
      PRIMARY KEY (organization_id, kind)
    )`
  // Of those only whose names are written otherwise than they are searched, which no row is yet: it is built in one reading of the
  // table, and costs nothing for plain names. More of a text than this is not asked for as a beginning of words.
  yield* sql`
    CREATE INDEX contacts_beginning ON contacts (organization_id, (left(search, 16)))
    WHERE NOT starts_with(search, name_key)`

  yield* sql`
    INSERT INTO refolds (organization_id, kind)
    SELECT id, kind FROM organizations CROSS JOIN (VALUES ('contacts'), ('messages')) AS kinds (kind)`
  const organizations = yield* sql<{ readonly id: OrganizationId }>`SELECT id FROM organizations`
  const lanes = organizations.flatMap(({ id }) => [contactReindexLane(id), messageReindexLane(id)])
  yield* sql`
    INSERT INTO work_lanes (organization_id, work, key, shard, priority, due_at, fence)
    SELECT organization_id, work, key, shard, 1, now(), 0 FROM unnest(
      ${lanes.map(({ organizationId }) => organizationId)}::uuid[], ${lanes.map(({ work }) => work)}::text[],
      ${lanes.map(({ key }) => key)}::text[], ${lanes.map(shardOf)}::smallint[]
    ) AS lane (organization_id, work, key, shard)
    ON CONFLICT DO NOTHING`
})
