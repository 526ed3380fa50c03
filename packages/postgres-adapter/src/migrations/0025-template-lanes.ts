import { type OrganizationId, shardOf, templateSyncTaskName } from "@parley/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Templates are fetched again in the lanes of their accounts. */
export const templateLanes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`DROP INDEX chat_accounts_wanting`
  yield* sql`
    ALTER TABLE chat_accounts DROP COLUMN templates_fetcher,
      ADD COLUMN templates_begun boolean NOT NULL DEFAULT false,
      ADD COLUMN templates_revision integer NOT NULL DEFAULT 0`
  // What is wanted already is fetched though nothing more is told.
  const accounts = yield* sql<{ readonly organizationId: OrganizationId; readonly key: string }>`
    SELECT organization_id AS "organizationId", id::text AS key FROM chat_accounts WHERE templates_wanted_at IS NOT NULL`
  const lanes = accounts.map((account) => ({ ...account, work: templateSyncTaskName }))
  yield* sql`
    INSERT INTO work_lanes (organization_id, work, key, shard, priority, due_at, fence)
    SELECT organization_id, ${templateSyncTaskName}, key, shard, 1, now(), 0 FROM unnest(
      ${lanes.map(({ organizationId }) => organizationId)}::uuid[], ${lanes.map(({ key }) => key)}::text[],
      ${lanes.map(shardOf)}::smallint[]
    ) AS lane (organization_id, key, shard)
    ON CONFLICT DO NOTHING`
})
