import type { DeliveryLease, OrganizationId } from "@parley/domain"
import { DateTime, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { stamp } from "../kernel/columns.ts"

const lookMillis = 5_000

/**
 * Organizations that have deliveries waiting stand in line, each in a lane. What arrives makes the lane when there is none,
 * and locks none that is there: arrivals never wait for those who work.
 */
export const lanes = (sql: SqlClient.SqlClient) => {
  let lookedAt = Number.NEGATIVE_INFINITY

  return {
    /**
     * Makes lanes for what waits without one: when a delivery arrives just as the lane closes, each may have missed the other.
     * All organizations that have deliveries waiting are found by a step in the index for each.
     */
    findLost: Effect.fnUntraced(function* (now: DateTime.Utc) {
      const at = DateTime.toEpochMillis(now)
      if (Math.abs(at - lookedAt) < lookMillis) return
      lookedAt = at
      yield* sql`
        WITH RECURSIVE waiting AS (
          (
            SELECT organization_id, received_at FROM deliveries WHERE state = 'waiting'
            ORDER BY organization_id, id LIMIT 1
          )
          UNION ALL
          SELECT other.organization_id, other.received_at FROM waiting CROSS JOIN LATERAL (
            SELECT organization_id, received_at FROM deliveries
            WHERE state = 'waiting' AND organization_id > waiting.organization_id
            ORDER BY organization_id, id LIMIT 1
          ) AS other
        )
        INSERT INTO delivery_lanes (organization_id, queued_at, leased_until)
        SELECT organization_id, received_at, '-infinity' FROM waiting ORDER BY organization_id
        ON CONFLICT DO NOTHING`
    }),
    /** Gives the lane that has stood in line for longest, and puts it at the end of the line. */
    claimLane: Effect.fnUntraced(function* (worker: string, now: DateTime.Utc, until: DateTime.Utc) {
      const [lane] = yield* sql<{ readonly organizationId: OrganizationId }>`
        WITH first AS MATERIALIZED (
          SELECT organization_id AS organization FROM delivery_lanes AS lane
          WHERE leased_until <= ${stamp(now)} AND EXISTS (
            SELECT FROM deliveries AS d
            WHERE d.organization_id = lane.organization_id AND d.state = 'waiting' AND d.due_at <= ${stamp(now)}
          )
          ORDER BY queued_at, organization_id LIMIT 1 FOR UPDATE OF lane SKIP LOCKED
        )
        UPDATE delivery_lanes SET worker = ${worker}, leased_until = ${stamp(until)}, queued_at = ${stamp(now)}
        FROM first WHERE organization_id = organization
        RETURNING organization_id AS "organizationId"`
      return lane?.organizationId ?? null
    }),
    /** Whether the lease still holds. While the unit of work is open, nobody else can claim the lane. */
    holdLane: Effect.fnUntraced(function* ({ organizationId, worker }: DeliveryLease) {
      const held = yield* sql`
        SELECT 1 FROM delivery_lanes WHERE organization_id = ${organizationId} AND worker = ${worker} FOR UPDATE`
      return held.length > 0
    }),
    /** Closes the lane if nothing waits any more. */
    releaseLane: Effect.fnUntraced(function* ({ organizationId, worker }: DeliveryLease) {
      const closed = yield* sql`
        DELETE FROM delivery_lanes WHERE organization_id = ${organizationId} AND worker = ${worker} AND NOT EXISTS (
          SELECT FROM deliveries WHERE organization_id = ${organizationId} AND state = 'waiting'
        ) RETURNING 1`
      if (closed.length > 0) return
      yield* sql`
        UPDATE delivery_lanes SET worker = NULL, leased_until = '-infinity'
        WHERE organization_id = ${organizationId} AND worker = ${worker}`
    })
  }
}
