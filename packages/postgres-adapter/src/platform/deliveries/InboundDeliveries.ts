import { NotFound } from "@parley/domain/kernel"
import { InboundDeliveries, inboundDeliveryLane } from "@parley/domain/platform"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Notifications } from "../events/Notifications.ts"
import { stamp } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"
import { openLanes } from "../background/openLanes.ts"
import { deliveryColumns, deliveryOf, type DeliveryRow } from "./deliveryRow.ts"

export const layer = Layer.effect(
  InboundDeliveries,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const open = openLanes(sql, yield* Notifications)
    const columns = sql.literal(deliveryColumns)

    return tenantPort(InboundDeliveries, {
      get: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<DeliveryRow & { readonly body: Uint8Array }>`
          SELECT ${columns}, body FROM inbound_deliveries WHERE organization_id = ${organization.id} AND id = ${id}`
        if (row === undefined) return yield* new NotFound({ resource: "delivery" })
        return { delivery: deliveryOf(row), body: row.body }
      }),
      list: Effect.fnUntraced(function* (organization, state, { after, limit }) {
        const rows = yield* sql<DeliveryRow>`
          SELECT ${columns} FROM inbound_deliveries WHERE organization_id = ${organization.id}
            ${state === null ? sql`` : sql`AND state = ${sql.literal(`'${state}'`)}`}
            ${after === null ? sql`` : sql`AND id < ${after[0]}`}
          ORDER BY id DESC LIMIT ${limit}`
        return rows.map(deliveryOf)
      }),
      move: Effect.fnUntraced(function* (organization, id, to, reason, now) {
        const change =
          to === "parked"
            ? sql`state = 'parked', reason = ${reason}`
            : sql`state = 'waiting', reason = ${reason}, attempts = 0, due_at = ${stamp(now)}, applied_at = NULL,
                event_count = NULL, unknown_count = NULL`
        const [moved] = yield* sql<DeliveryRow & { readonly lane: string }>`
          UPDATE inbound_deliveries SET ${change} WHERE organization_id = ${organization.id} AND id = ${id}
            AND ${to === "parked" ? sql`state = 'waiting'` : sql`state <> 'waiting'`}
          RETURNING ${columns}, lane`
        if (moved === undefined) {
          const [row] = yield* sql<DeliveryRow>`
            SELECT ${columns} FROM inbound_deliveries WHERE organization_id = ${organization.id} AND id = ${id}`
          return row === undefined ? yield* new NotFound({ resource: "delivery" }) : deliveryOf(row)
        }
        if (to === "waiting") {
          yield* open([{ ...inboundDeliveryLane(organization.id, moved.lane), priority: "person", dueAt: now }])
        }
        return deliveryOf(moved)
      }),
      forget: Effect.fnUntraced(function* (organization, source, until) {
        yield* sql`
          UPDATE inbound_deliveries SET body = ''::bytea WHERE organization_id = ${organization.id} AND source = ${source}
            AND state = 'applied' AND received_at <= ${stamp(until)} AND octet_length(body) > 0`
      }),
      sweep: Effect.fnUntraced(function* (organization, state, before, limit) {
        const isOld =
          state === "applied"
            ? sql`state = 'applied' AND applied_at < ${stamp(before)}`
            : sql`state = 'parked' AND received_at < ${stamp(before)}`
        const swept = yield* sql`
          WITH old AS MATERIALIZED (
            SELECT id FROM inbound_deliveries WHERE organization_id = ${organization.id} AND ${isOld} LIMIT ${limit} FOR UPDATE SKIP LOCKED
          )
          DELETE FROM inbound_deliveries AS t USING old
          WHERE t.organization_id = ${organization.id} AND t.id = old.id RETURNING 1`
        return swept.length
      })
    })
  })
)
