import { CurrentOrganization, RecipientReservations } from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../kernel/columns.ts"
import { driverFailuresDie } from "../kernel/defects.ts"

interface Taken {
  readonly amount: number
}

export const layer = Layer.effect(
  RecipientReservations,
  Effect.map(SqlClient.SqlClient, (sql) =>
    RecipientReservations.of({
      takenIn: Effect.fnUntraced(function* (month) {
        const organization = yield* CurrentOrganization
        const [row] = yield* sql<Taken>`
          SELECT coalesce(sum(amount), 0)::float8 AS amount FROM broadcast_reservations
          WHERE organization_id = ${organization.id} AND month = ${stamp(month)}`
        return row?.amount ?? 0
      }, driverFailuresDie),
      takenBy: Effect.fnUntraced(function* (broadcastId) {
        const organization = yield* CurrentOrganization
        const [row] = yield* sql<Taken>`
          SELECT amount FROM broadcast_reservations
          WHERE organization_id = ${organization.id} AND broadcast_id = ${broadcastId}`
        return row?.amount ?? 0
      }, driverFailuresDie),
      insert: Effect.fnUntraced(function* (broadcastId, month, amount) {
        const organization = yield* CurrentOrganization
        yield* sql`
          INSERT INTO broadcast_reservations (organization_id, broadcast_id, month, amount)
          VALUES (${organization.id}, ${broadcastId}, ${stamp(month)}, ${amount})`
      }, driverFailuresDie),
      giveBack: Effect.fnUntraced(function* (broadcastId, amount) {
        const organization = yield* CurrentOrganization
        yield* sql`
          UPDATE broadcast_reservations SET amount = greatest(0, amount - ${amount}::integer)
          WHERE organization_id = ${organization.id} AND broadcast_id = ${broadcastId}`
      }, driverFailuresDie),
      takeBack: Effect.fnUntraced(function* (broadcastId, amount) {
        const organization = yield* CurrentOrganization
        yield* sql`
          UPDATE broadcast_reservations SET amount = amount + ${amount}::integer
          WHERE organization_id = ${organization.id} AND broadcast_id = ${broadcastId}`
      }, driverFailuresDie)
    })
  )
)
