import { RecipientReservations } from "@parley/domain/campaigns"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../kernel/columns.ts"
import { tenantPort } from "../kernel/tenantPort.ts"

interface Taken {
  readonly amount: number
}

export const layer = Layer.effect(
  RecipientReservations,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(RecipientReservations, {
      takenIn: Effect.fnUntraced(function* (organization, month) {
        const [row] = yield* sql<Taken>`
          SELECT coalesce(sum(amount), 0)::float8 AS amount FROM broadcast_reservations
          WHERE organization_id = ${organization.id} AND month = ${stamp(month)}`
        return row?.amount ?? 0
      }),
      takenBy: Effect.fnUntraced(function* (organization, broadcastId) {
        const [row] = yield* sql<Taken>`
          SELECT amount FROM broadcast_reservations
          WHERE organization_id = ${organization.id} AND broadcast_id = ${broadcastId}`
        return row?.amount ?? 0
      }),
      insert: Effect.fnUntraced(function* (organization, broadcastId, month, amount) {
        yield* sql`
          INSERT INTO broadcast_reservations (organization_id, broadcast_id, month, amount)
          VALUES (${organization.id}, ${broadcastId}, ${stamp(month)}, ${amount})`
      }),
      giveBack: Effect.fnUntraced(function* (organization, broadcastId, amount) {
        yield* sql`
          UPDATE broadcast_reservations SET amount = greatest(0, amount - ${amount}::integer)
          WHERE organization_id = ${organization.id} AND broadcast_id = ${broadcastId}`
      }),
      takeBack: Effect.fnUntraced(function* (organization, broadcastId, amount) {
        yield* sql`
          UPDATE broadcast_reservations SET amount = amount + ${amount}::integer
          WHERE organization_id = ${organization.id} AND broadcast_id = ${broadcastId}`
      })
    })
  )
)
