import { Availabilities, Availability, CurrentOrganization, type MemberId, NotFound } from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { asWritten } from "../../kernel/columns.ts"
import { driverFailuresDie } from "../../kernel/defects.ts"

interface Row {
  readonly status: Availability["status"]
  readonly capacity: number
}

const notFound = () => new NotFound({ resource: "member" })

export const layer = Layer.effect(
  Availabilities,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const read = Effect.fnUntraced(function* (id: MemberId, lock: "" | "FOR NO KEY UPDATE") {
      const organization = yield* CurrentOrganization
      const [row] = yield* sql<Row>`
        SELECT availability AS status, capacity FROM members
        WHERE organization_id = ${organization.id} AND id = ${id} ${sql.literal(lock)}`
      return row === undefined ? yield* notFound() : new Availability(row, asWritten)
    }, driverFailuresDie)

    return Availabilities.of({
      get: (id) => read(id, ""),
      lock: (id) => read(id, "FOR NO KEY UPDATE"),
      save: Effect.fnUntraced(function* (id, { capacity, status }) {
        const organization = yield* CurrentOrganization
        const saved = yield* sql`
          UPDATE members SET availability = ${status}, capacity = ${capacity}
          WHERE organization_id = ${organization.id} AND id = ${id} RETURNING 1`
        if (saved.length === 0) return yield* notFound()
      }, driverFailuresDie)
    })
  })
)
