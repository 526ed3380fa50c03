import {
  Automation,
  type AutomationId,
  Automations,
  CurrentOrganization,
  NotFound,
  type OrganizationId,
  VersionConflict
} from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { asWritten, type Instant, stamp, utc } from "../kernel/columns.ts"
import { driverFailuresDie } from "../kernel/defects.ts"

interface Row {
  readonly id: AutomationId
  readonly name: string
  readonly enabled: boolean
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly version: number
}

const automationOf = (row: Row) =>
  new Automation({ ...row, createdAt: utc(row.createdAt), updatedAt: utc(row.updatedAt) }, asWritten)

const notFound = () => new NotFound({ resource: "automation" })

export const layer = Layer.effect(
  Automations,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(`id, name, enabled, created_at AS "createdAt", updated_at AS "updatedAt", version`)

    const conflict = Effect.fnUntraced(function* (organizationId: OrganizationId, id: AutomationId) {
      const [row] = yield* sql<{ readonly version: number }>`
        SELECT version FROM automations WHERE organization_id = ${organizationId} AND id = ${id}`
      return yield* row === undefined ? notFound() : new VersionConflict({ current: row.version })
    })

    const ifVersion = (expected: number | null) => (expected === null ? sql`` : sql`AND version = ${expected}`)

    return Automations.of({
      get: Effect.fnUntraced(function* (id) {
        const organization = yield* CurrentOrganization
        const [row] = yield* sql<Row>`
          SELECT ${columns} FROM automations WHERE organization_id = ${organization.id} AND id = ${id}`
        return row === undefined ? yield* notFound() : automationOf(row)
      }, driverFailuresDie),
      list: Effect.fnUntraced(function* ({ after, limit }) {
        const organization = yield* CurrentOrganization
        const rows = yield* sql<Row>`
          SELECT ${columns} FROM automations
          WHERE organization_id = ${organization.id} ${after === null ? sql`` : sql`AND id < ${after[0]}`}
          ORDER BY id DESC LIMIT ${limit}`
        return rows.map(automationOf)
      }, driverFailuresDie),
      insert: Effect.fnUntraced(function* ({ createdAt, enabled, id, name, updatedAt, version }) {
        const organization = yield* CurrentOrganization
        yield* sql`
          INSERT INTO automations (organization_id, id, name, enabled, created_at, updated_at, version)
          VALUES (${organization.id}, ${id}, ${name}, ${enabled}, ${stamp(createdAt)}, ${stamp(updatedAt)}, ${version})`
      }, driverFailuresDie),
      save: Effect.fnUntraced(function* ({ enabled, id, name, updatedAt }, expected) {
        const organization = yield* CurrentOrganization
        const [row] = yield* sql<Row>`
          UPDATE automations SET name = ${name}, enabled = ${enabled}, updated_at = ${stamp(updatedAt)}, version = version + 1
          WHERE organization_id = ${organization.id} AND id = ${id} ${ifVersion(expected)}
          RETURNING ${columns}`
        return row === undefined ? yield* conflict(organization.id, id) : automationOf(row)
      }, driverFailuresDie),
      remove: Effect.fnUntraced(function* (id, expected) {
        const organization = yield* CurrentOrganization
        const removed = yield* sql`
          DELETE FROM automations WHERE organization_id = ${organization.id} AND id = ${id} ${ifVersion(expected)}
          RETURNING 1`
        if (removed.length === 0) return yield* conflict(organization.id, id)
      }, driverFailuresDie)
    })
  })
)
