import { ContactField, type ContactFieldId, ContactFields, type FieldType, NameTaken } from "@parley/domain/crm"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { asWritten, type Instant, stamp, utc } from "../kernel/columns.ts"
import { tenantPort } from "../kernel/tenantPort.ts"
import { versions } from "./versions.ts"

interface Row {
  readonly id: ContactFieldId
  readonly key: string
  readonly name: string
  readonly type: FieldType
  readonly choices: ReadonlyArray<string> | null
  readonly status: ContactField["status"]
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly version: number
}

const fieldOf = (row: Row) =>
  new ContactField({ ...row, createdAt: utc(row.createdAt), updatedAt: utc(row.updatedAt) }, asWritten)

const choicesOf = (choices: ContactField["choices"]) => (choices === null ? null : PgTypes.jsonb(choices))

export const layer = Layer.effect(
  ContactFields,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(
      `id, key, name, type, choices, status, created_at AS "createdAt", updated_at AS "updatedAt", version`
    )
    const { conflict, ifVersion, notFound } = versions(sql, "contact_fields", "contact field")

    return tenantPort(ContactFields, {
      get: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<Row>`
          SELECT ${columns} FROM contact_fields WHERE organization_id = ${organization.id} AND id = ${id}`
        return row === undefined ? yield* notFound() : fieldOf(row)
      }),
      all: Effect.fnUntraced(function* (organization) {
        const rows = yield* sql<Row>`
          SELECT ${columns} FROM contact_fields WHERE organization_id = ${organization.id} ORDER BY id`
        return rows.map(fieldOf)
      }),
      insert: Effect.fnUntraced(function* (organization, field) {
        const key = field.key.toLowerCase()
        const inserted = yield* sql`
          INSERT INTO contact_fields (organization_id, id, key, folded_key, name, type, choices, status, created_at,
            updated_at, version)
          VALUES (${organization.id}, ${field.id}, ${field.key}, ${key}, ${field.name}, ${field.type},
            ${choicesOf(field.choices)}, ${field.status}, ${stamp(field.createdAt)}, ${stamp(field.updatedAt)},
            ${field.version})
          ON CONFLICT ON CONSTRAINT contact_fields_key DO NOTHING RETURNING 1`
        if (inserted.length > 0) return
        const [owner] = yield* sql<{ readonly id: string }>`
          SELECT id FROM contact_fields WHERE organization_id = ${organization.id} AND folded_key = ${key}`
        return yield* owner === undefined
          ? Effect.die(new Error("A contact field was removed while its key was taken."))
          : new NameTaken({ resource: "contact field", id: owner.id })
      }),
      save: Effect.fnUntraced(function* (organization, { choices, id, name, status, updatedAt }, expected) {
        const [row] = yield* sql<Row>`
          UPDATE contact_fields SET name = ${name}, choices = ${choicesOf(choices)}, status = ${status},
            updated_at = ${stamp(updatedAt)}, version = version + 1
          WHERE organization_id = ${organization.id} AND id = ${id} ${ifVersion(expected)}
          RETURNING ${columns}`
        return row === undefined ? yield* conflict(organization.id, id) : fieldOf(row)
      }),
      remove: Effect.fnUntraced(function* (organization, id) {
        const removed = yield* sql`
          DELETE FROM contact_fields WHERE organization_id = ${organization.id} AND id = ${id} RETURNING 1`
        if (removed.length === 0) return yield* notFound()
      })
    })
  })
)
