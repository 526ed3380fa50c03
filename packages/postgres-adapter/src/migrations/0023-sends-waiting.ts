import { type OrganizationId, sendTaskName, shardOf } from "@parley/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Messages that waited before there were lanes are sent though nothing more is written over their accounts. */
export const sendsWaiting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const accounts = yield* sql<{ readonly organizationId: OrganizationId; readonly key: string }>`
    SELECT DISTINCT organization_id AS "organizationId", chat_account_id::text AS key FROM sends`
  const lanes = accounts.map((account) => ({ ...account, work: sendTaskName }))
  yield* sql`
    INSERT INTO work_lanes (organization_id, work, key, shard, priority, due_at, fence)
    SELECT organization_id, ${sendTaskName}, key, shard, 0, now(), 0 FROM unnest(
      ${lanes.map(({ organizationId }) => organizationId)}::uuid[], ${lanes.map(({ key }) => key)}::text[],
      ${lanes.map(shardOf)}::smallint[]
    ) AS lane (organization_id, key, shard)
    ON CONFLICT DO NOTHING`
})
