import { inboundDeliveryLane, type OrganizationId, shardOf } from "@parley/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Deliveries are worked through in the lanes that all works have. */
export const deliveryLanes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`DROP TABLE delivery_lanes`
  // What waits is worked through though nothing more comes.
  const waiting = yield* sql<{ readonly id: OrganizationId }>`
    SELECT DISTINCT organization_id AS id FROM deliveries WHERE state = 'waiting'`
  const lanes = waiting.map(({ id }) => inboundDeliveryLane(id))
  yield* sql`
    INSERT INTO work_lanes (organization_id, work, key, shard, priority, due_at, fence)
    SELECT organization_id, work, key, shard, 0, now(), 0 FROM unnest(
      ${lanes.map(({ organizationId }) => organizationId)}::uuid[], ${lanes.map(({ work }) => work)}::text[],
      ${lanes.map(({ key }) => key)}::text[], ${lanes.map(shardOf)}::smallint[]
    ) AS lane (organization_id, work, key, shard)
    ON CONFLICT DO NOTHING`
})
