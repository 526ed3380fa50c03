import { inboundDeliveryLane, inboundDeliveriesTaskName, type Lane, type OrganizationId, shardOf } from "@parley/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A shard without an owner. */
const nobodys = -1

/** Prevents servers from processing deliveries: all lanes are in a shard without an owner. */
export const holdDeliveries = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    INSERT INTO lanes (organization_id, task, key, shard, priority, due_at, fence)
    SELECT id, ${inboundDeliveriesTaskName}, ${inboundDeliveryLane("" as OrganizationId).key}, ${nobodys}::smallint, 0, now(), 0
    FROM organizations ORDER BY id
    ON CONFLICT (organization_id, task, key) DO UPDATE SET shard = excluded.shard`
)

/** Allows servers to process deliveries. */
export const letDeliveries = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const held = yield* sql<{ readonly id: OrganizationId }>`
    SELECT organization_id AS id FROM lanes WHERE task = ${inboundDeliveriesTaskName} AND shard = ${nobodys}::smallint`
  yield* sql`
    UPDATE lanes AS l SET shard = own.shard FROM unnest(
      ${held.map(({ id }) => id)}::uuid[], ${held.map(({ id }) => shardOf(inboundDeliveryLane(id)))}::smallint[]
    ) AS own (organization_id, shard)
    WHERE l.organization_id = own.organization_id AND l.task = ${inboundDeliveriesTaskName}`
})

/** Prevents servers from processing these lanes, also after new work. */
export const holdLanes = (lanes: ReadonlyArray<Lane>) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      INSERT INTO lanes (organization_id, task, key, shard, priority, due_at, fence)
      SELECT lane.*, ${nobodys}::smallint, 0, now(), 0 FROM unnest(
        ${lanes.map(({ organizationId }) => organizationId)}::uuid[], ${lanes.map(({ task }) => task)}::text[],
        ${lanes.map(({ key }) => key)}::text[]
      ) AS lane
      ON CONFLICT (organization_id, task, key) DO UPDATE SET shard = excluded.shard`
  )

/** Allows servers to process these lanes. */
export const letLanes = (lanes: ReadonlyArray<Lane>) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      UPDATE lanes AS l SET shard = own.shard FROM unnest(
        ${lanes.map(({ organizationId }) => organizationId)}::uuid[], ${lanes.map(({ task }) => task)}::text[],
        ${lanes.map(({ key }) => key)}::text[], ${lanes.map(shardOf)}::smallint[]
      ) AS own (organization_id, task, key, shard)
      WHERE l.organization_id = own.organization_id AND l.task = own.task AND l.key = own.key`
  )

/** Deletes all deliveries. */
export const clearDeliveries = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`TRUNCATE inbound_deliveries`)

/** Number of deliveries in each state. */
export const deliveryStates = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly state: string; readonly count: number }>`
    SELECT state, count(*)::integer AS count FROM inbound_deliveries GROUP BY state`
  const counts = new Map(rows.map(({ count, state }) => [state, count]))
  const of = (state: string) => counts.get(state) ?? 0
  return { waiting: of("waiting"), applied: of("applied"), parked: of("parked") }
})
