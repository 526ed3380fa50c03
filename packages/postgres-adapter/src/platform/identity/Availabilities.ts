import { NotFound } from "@parley/domain/kernel"
import { Availabilities, Availability, type MemberId } from "@parley/domain/platform"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { asWritten } from "../../kernel/columns.ts"
import { type Organization, tenantPort } from "../../kernel/tenantPort.ts"

interface Row {
  readonly status: Availability["status"]
  readonly capacity: number
}

const notFound = () => new NotFound({ resource: "member" })

export const layer = Layer.effect(
  Availabilities,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const read = Effect.fnUntraced(function* (
      organization: Organization,
      id: MemberId,
      lock: "" | "FOR NO KEY UPDATE"
    ) {
      const [row] = yield* sql<Row>`
        SELECT availability AS status, capacity FROM members
        WHERE organization_id = ${organization.id} AND id = ${id} ${sql.literal(lock)}`
      return row === undefined ? yield* notFound() : new Availability(row, asWritten)
    })

    return tenantPort(Availabilities, {
      get: (organization, id) => read(organization, id, ""),
      lock: (organization, id) => read(organization, id, "FOR NO KEY UPDATE"),
      save: Effect.fnUntraced(function* (organization, id, { capacity, status }) {
        const saved = yield* sql`
          UPDATE members SET availability = ${status}, capacity = ${capacity}
          WHERE organization_id = ${organization.id} AND id = ${id} RETURNING 1`
        if (saved.length === 0) return yield* notFound()
      })
    })
  })
)
