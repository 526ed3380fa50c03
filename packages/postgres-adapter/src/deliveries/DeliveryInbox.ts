import {
  type ArrivedDelivery,
  DeliveryInbox,
  type DeliveryId,
  type DeliveryLease,
  type OrganizationId
} from "@parley/domain"
import { DateTime, Effect, Layer, Order } from "effect"
import { SqlClient } from "effect/sql"
import { EventNews } from "../events/EventNews.ts"
import { type Instant, stamp, utc } from "../kernel/columns.ts"
import { driverFailuresDie } from "../kernel/defects.ts"
import { batching } from "./batching.ts"
import { lanes } from "./lanes.ts"

interface WaitingRow {
  readonly id: DeliveryId
  readonly source: string
  readonly provider: string
  readonly body: Uint8Array
  readonly receivedAt: Instant
  readonly attempts: number
}

/** How many bytes are handed out at once: they are all in memory together, as they came and as what they tell. */
const mostBytes = 8 * 1024 * 1024

/** Batches that meet wait for each other's rows in one order only, so they never wait in a circle. */
const byKey: Order.Order<ArrivedDelivery> = Order.combine(
  Order.mapInput(Order.String, ({ organizationId }) => organizationId),
  Order.mapInput(Order.String, ({ digest }) => digest)
)

export const layer = Layer.effect(
  DeliveryInbox,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { awaitRing, ring } = yield* EventNews
    const { claimLane, findLost, holdLane, releaseLane } = lanes(sql)

    const insert = (rows: ReadonlyArray<ArrivedDelivery>) => sql`
      WITH arrived AS (
        INSERT INTO deliveries (organization_id, id, source, provider, state, digest, body, received_at, due_at)
        SELECT organization_id, id, source, provider, 'waiting', digest, body, received_at, received_at FROM unnest(
          ${rows.map(({ organizationId }) => organizationId)}::uuid[], ${rows.map(({ id }) => id)}::uuid[],
          ${rows.map(({ source }) => source)}::text[], ${rows.map(({ provider }) => provider)}::text[],
          ${rows.map(({ digest }) => digest)}::text[],
          ${rows.map(({ body }) => body)}::bytea[],
          ${rows.map(({ receivedAt }) => DateTime.toDateUtc(receivedAt))}::timestamptz[]
        ) AS row (organization_id, id, source, provider, digest, body, received_at)
        ON CONFLICT ON CONSTRAINT deliveries_digest DO NOTHING
        RETURNING organization_id, received_at
      )
      INSERT INTO delivery_lanes (organization_id, queued_at, leased_until)
      SELECT organization_id, min(received_at), '-infinity' FROM arrived
      GROUP BY organization_id ORDER BY organization_id
      ON CONFLICT DO NOTHING`

    // A transaction has its connection to itself: outside of one, reads of others would wait behind it for the disk.
    const store = Effect.fnUntraced(function* (deliveries: ReadonlyArray<ArrivedDelivery>) {
      yield* sql.withTransaction(insert(deliveries.toSorted(byKey)))
      ring("deliveries")
    }, driverFailuresDie)

    const isHeld = ({ organizationId, worker }: DeliveryLease) =>
      sql`EXISTS (SELECT FROM delivery_lanes WHERE organization_id = ${organizationId} AND worker = ${worker})`

    return DeliveryInbox.of({
      store: yield* batching(store),
      claim: Effect.fnUntraced(function* ({ now, until, worker }) {
        yield* findLost(now)
        const organizationId: OrganizationId | null = yield* claimLane(worker, now, until)
        return organizationId === null ? null : { organizationId, worker }
      }, driverFailuresDie),
      next: Effect.fnUntraced(function* (lease, limit, now) {
        if (!(yield* holdLane(lease))) return null
        const rows = yield* sql<WaitingRow>`
          SELECT id, source, provider, body, received_at AS "receivedAt", attempts FROM deliveries
          WHERE organization_id = ${lease.organizationId} AND state = 'waiting' AND id = ANY(ARRAY(
            SELECT id FROM (
              SELECT id, sum(octet_length(body)) OVER earlier AS bytes, row_number() OVER earlier AS place FROM (
                SELECT id, body FROM deliveries
                WHERE organization_id = ${lease.organizationId} AND state = 'waiting' AND due_at <= ${stamp(now)}
                  AND (source, provider) = (
                    SELECT source, provider FROM deliveries
                    WHERE organization_id = ${lease.organizationId} AND state = 'waiting' AND due_at <= ${stamp(now)}
                    ORDER BY id LIMIT 1
                  )
                ORDER BY id LIMIT ${limit}
              ) AS due WINDOW earlier AS (ORDER BY id ROWS UNBOUNDED PRECEDING)
            ) AS measured WHERE place = 1 OR bytes <= ${mostBytes}
          )) ORDER BY id FOR UPDATE`
        return rows.map((row) => ({ ...row, receivedAt: utc(row.receivedAt) }))
      }, driverFailuresDie),
      applied: Effect.fnUntraced(function* (lease, done, now) {
        if (done.length === 0) return
        yield* sql`
          UPDATE deliveries AS d SET state = 'applied', applied_at = ${stamp(now)}, attempts = attempts + 1, reason = NULL,
            event_count = done.events, unknown_count = done.unknown
          FROM unnest(
            ${done.map(({ id }) => id)}::uuid[], ${done.map(({ events }) => events)}::integer[],
            ${done.map(({ unknown }) => unknown)}::integer[]
          ) AS done (id, events, unknown)
          WHERE d.organization_id = ${lease.organizationId} AND d.id = done.id AND ${isHeld(lease)}`
      }, driverFailuresDie),
      failed: Effect.fnUntraced(function* (lease, id, reason, again) {
        yield* sql`
          UPDATE deliveries SET attempts = attempts + 1, reason = ${reason},
            state = ${again === null ? "parked" : "waiting"}, due_at = coalesce(${stamp(again)}, due_at)
          WHERE organization_id = ${lease.organizationId} AND id = ${id} AND ${isHeld(lease)}`
      }, driverFailuresDie),
      release: (lease) => driverFailuresDie(releaseLane(lease)),
      sweep: Effect.fnUntraced(function* (state, before, limit) {
        const isOld =
          state === "applied"
            ? sql`state = 'applied' AND applied_at < ${stamp(before)}`
            : sql`state = 'parked' AND received_at < ${stamp(before)}`
        const swept = yield* sql`
          DELETE FROM deliveries WHERE (organization_id, id) IN (
            SELECT organization_id, id FROM deliveries WHERE ${isOld} LIMIT ${limit} FOR UPDATE SKIP LOCKED
          ) RETURNING 1`
        return swept.length
      }, driverFailuresDie),
      awaitNews: awaitRing("deliveries")
    })
  })
)
