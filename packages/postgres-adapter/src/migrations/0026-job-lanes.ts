import { type JobId, jobLane, type EmailMessageId, emailLane, type OrganizationId, shardOf } from "@parley/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

interface WaitingJob {
  readonly organizationId: OrganizationId
  readonly id: JobId
  readonly rank: number
}

/** Jobs are done, and mails sent, in lanes: none has a lease of its own any more. */
export const jobLanes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // A process of the version before cannot write what it has in hand from here on: whoever owns the lane goes on from the last step.
  yield* sql`ALTER TABLE jobs DROP COLUMN runner, DROP COLUMN runnable_at, ADD COLUMN begun_under bigint`
  yield* sql`DROP INDEX mails_due`
  yield* sql`ALTER TABLE mails DROP COLUMN sender, DROP COLUMN runnable_at`

  const jobs = yield* sql<WaitingJob>`
    SELECT organization_id AS "organizationId", id, CASE WHEN creator_kind IN ('user', 'operator') THEN 0 ELSE 1 END AS rank
    FROM jobs WHERE state IN ('queued', 'running')`
  const mails = yield* sql<{ readonly id: EmailMessageId }>`SELECT id FROM mails`
  const lanes = [
    ...jobs.map(({ id, organizationId, rank }) => ({ ...jobLane(organizationId, id), rank })),
    ...mails.map(({ id }) => ({ ...emailLane(null, id), rank: 0 }))
  ]
  yield* sql`
    INSERT INTO work_lanes (organization_id, work, key, shard, priority, due_at, fence)
    SELECT organization_id, work, key, shard, rank, now(), 0 FROM unnest(
      ${lanes.map(({ organizationId }) => organizationId)}::uuid[], ${lanes.map(({ work }) => work)}::text[],
      ${lanes.map(({ key }) => key)}::text[], ${lanes.map(shardOf)}::smallint[],
      ${lanes.map(({ rank }) => rank)}::smallint[]
    ) AS lane (organization_id, work, key, shard, rank)
    ON CONFLICT DO NOTHING`
})
