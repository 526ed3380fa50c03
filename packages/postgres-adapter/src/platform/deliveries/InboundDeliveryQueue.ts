import {
  type NewInboundDelivery,
  inboundDeliveryLane,
  InboundDeliveryQueue,
  type InboundDeliveryId,
  type Lane,
  type LaneToSchedule
} from "@parley/domain/platform"
import { DateTime, Effect, Layer, Order } from "effect"
import { SqlClient } from "effect/sql"
import { Notifications } from "../events/Notifications.ts"
import { type Instant, stamp, utc, utcOrNull } from "../../kernel/columns.ts"
import { orDieSqlErrors } from "../../kernel/defects.ts"
import { storagePort } from "../../kernel/tenantPort.ts"
import { holdLane } from "../background/holdLane.ts"
import { putIntoLanes } from "../background/openLanes.ts"
import { insertBatches } from "./insertBatches.ts"

interface WaitingRow {
  readonly id: InboundDeliveryId
  readonly source: string
  readonly provider: string
  readonly body: Uint8Array
  readonly receivedAt: Instant
  readonly attempts: number
}

/** Maximum bytes of a batch of deliveries. All of them are in memory together, raw and decoded. */
const mostBytes = 8 * 1024 * 1024

/** Concurrent batches lock rows in one order to prevent deadlocks. */
const byKey: Order.Order<NewInboundDelivery> = Order.combine(
  Order.mapInput(Order.String, ({ organizationId }) => organizationId),
  Order.mapInput(Order.String, ({ digest }) => digest)
)

export const layer = Layer.effect(
  InboundDeliveryQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const put = putIntoLanes(sql, yield* Notifications)

    /** Returns the lanes of new deliveries. */
    const insert = (rows: ReadonlyArray<NewInboundDelivery>) => sql`
      INSERT INTO inbound_deliveries (organization_id, id, lane, source, provider, state, digest, body, received_at, due_at)
      SELECT organization_id, id, lane, source, provider, 'waiting', digest, body, received_at, received_at FROM unnest(
        ${rows.map(({ organizationId }) => organizationId)}::uuid[], ${rows.map(({ id }) => id)}::uuid[],
        ${rows.map(({ lane }) => lane)}::text[],
        ${rows.map(({ source }) => source)}::text[], ${rows.map(({ provider }) => provider)}::text[],
        ${rows.map(({ digest }) => digest)}::text[],
        ${rows.map(({ body }) => body)}::bytea[],
        ${rows.map(({ receivedAt }) => DateTime.toDateUtc(receivedAt))}::timestamptz[]
      ) AS row (organization_id, id, lane, source, provider, digest, body, received_at)
      ON CONFLICT ON CONSTRAINT inbound_deliveries_digest DO NOTHING
      RETURNING organization_id, lane AS key`

    const isWaiting = ({ key, organizationId }: Lane) =>
      sql`organization_id = ${organizationId} AND lane = ${key} AND state = 'waiting'`

    const isDue = (lane: Lane, now: DateTime.Utc) => sql`${isWaiting(lane)} AND due_at <= ${stamp(now)}`

    // A transaction has a dedicated connection. Outside of one, reads of other callers would wait behind it for the disk.
    const store = Effect.fnUntraced(function* (deliveries: ReadonlyArray<NewInboundDelivery>) {
      const rows = deliveries.toSorted(byKey)
      const lanes = rows.map(({ lane, organizationId, receivedAt }): LaneToSchedule => {
        return { ...inboundDeliveryLane(organizationId, lane), priority: "person", dueAt: receivedAt }
      })
      yield* put(lanes, insert(rows))
    }, orDieSqlErrors)

    return storagePort(InboundDeliveryQueue, {
      store: yield* insertBatches(store),
      next: Effect.fnUntraced(function* (lane, limit, now) {
        // Rows are locked by id and checked afterwards. With the state in the condition, the planner can choose the index of all waiting deliveries
        // and scan it.
        const rows = yield* sql<WaitingRow>`
          SELECT id, source, provider, body, received_at AS "receivedAt", attempts FROM (
            SELECT * FROM inbound_deliveries WHERE organization_id = ${lane.organizationId} AND id = ANY(ARRAY(
              SELECT id FROM (
                SELECT id, sum(octet_length(body)) OVER earlier AS bytes, row_number() OVER earlier AS place FROM (
                  SELECT id, body FROM inbound_deliveries WHERE ${isDue(lane, now)} AND (source, provider) = (
                    SELECT source, provider FROM inbound_deliveries WHERE ${isDue(lane, now)} ORDER BY id LIMIT 1
                  )
                  ORDER BY id LIMIT ${limit}
                ) AS due WINDOW earlier AS (ORDER BY id ROWS UNBOUNDED PRECEDING)
              ) AS measured WHERE place = 1 OR bytes <= ${mostBytes}
            )) ORDER BY id FOR UPDATE OFFSET 0
          ) AS held WHERE state = 'waiting' ORDER BY id`
        return rows.map((row) => ({ ...row, receivedAt: utc(row.receivedAt) }))
      }),
      nextDue: Effect.fnUntraced(function* (lane) {
        // With many due deliveries, the earliest is found without a scan of all waiting ones.
        const [next] = yield* sql<{ readonly dueAt: Instant | null }>`
          SELECT coalesce(
            (SELECT due_at FROM inbound_deliveries WHERE ${isDue(lane, yield* DateTime.now)} ORDER BY id LIMIT 1),
            (SELECT min(due_at) FROM inbound_deliveries WHERE ${isWaiting(lane)})
          ) AS "dueAt"`
        return utcOrNull(next?.dueAt ?? null)
      }),
      applied: Effect.fnUntraced(function* (lane, done, now) {
        yield* sql`
          UPDATE inbound_deliveries AS d SET state = 'applied', applied_at = ${stamp(now)}, attempts = attempts + 1, reason = NULL,
            event_count = done.events, unknown_count = done.unknown
          FROM unnest(
            ${done.map(({ id }) => id)}::uuid[], ${done.map(({ events }) => events)}::integer[],
            ${done.map(({ unknown }) => unknown)}::integer[]
          ) AS done (id, events, unknown)
          WHERE d.organization_id = ${lane.organizationId} AND d.id = done.id`
        yield* holdLane(sql, lane)
      }),
      failed: Effect.fnUntraced(function* (lane, id, reason, again) {
        yield* sql`
          UPDATE inbound_deliveries SET attempts = attempts + 1, reason = ${reason},
            state = ${again === null ? "parked" : "waiting"}, due_at = coalesce(${stamp(again)}, due_at)
          WHERE organization_id = ${lane.organizationId} AND id = ${id}`
        yield* holdLane(sql, lane)
      })
    })
  })
)
