import { NotFound } from "@parley/domain/kernel"
import { ContactImports, StoredImport } from "@parley/domain/crm"
import { PgTypes } from "@effect/sql-pg"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../kernel/columns.ts"
import { tenantPort } from "../kernel/tenantPort.ts"

const Details = Schema.toCodecJson(StoredImport)
const encode = Schema.encodeEffect(Details)
const decode = Schema.decodeUnknownEffect(Details)

interface FaultRow {
  readonly number: number
  readonly line: number
  readonly column: string | null
  readonly reason: string
  readonly cells: ReadonlyArray<string>
  readonly ofContacts: boolean
}

export const layer = Layer.effect(
  ContactImports,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(ContactImports, {
      get: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<{ readonly details: unknown }>`
          SELECT details FROM contact_imports WHERE organization_id = ${organization.id} AND id = ${id}`
        if (row === undefined) return yield* new NotFound({ resource: "contact import" })
        return yield* Effect.orDie(decode(row.details))
      }),
      insert: Effect.fnUntraced(function* (organization, order) {
        const details = yield* Effect.orDie(encode(order))
        yield* sql`
          INSERT INTO contact_imports (organization_id, id, job_id, file_id, details, created_at)
          VALUES (${organization.id}, ${order.id}, ${order.jobId}, ${order.fileId}, ${PgTypes.jsonb(details)},
            ${stamp(order.createdAt)})`
      }),
      addColumns: Effect.fnUntraced(function* (organization, id, columns) {
        yield* sql`
          UPDATE contact_imports
          SET details = jsonb_set(details, '{header}', (details -> 'header') || ${PgTypes.jsonb(columns)})
          WHERE organization_id = ${organization.id} AND id = ${id}`
      }),
      addFaults: Effect.fnUntraced(function* (organization, id, faults) {
        if (faults.length === 0) return
        yield* sql`
          INSERT INTO contact_import_faults (
            organization_id, import_id, number, line, "column", reason, cells, of_contacts, imported_at
          )
          SELECT ${organization.id}::uuid, ${id}::uuid, number, line, "column", reason, cells, "ofContacts",
            ${stamp(yield* DateTime.now)}
          FROM json_to_recordset(${PgTypes.json(faults)})
            AS r (number integer, line integer, "column" text, reason text, cells jsonb, "ofContacts" boolean)`
      }),
      faults: Effect.fnUntraced(function* (organization, id, after, limit) {
        return yield* sql<FaultRow>`
          SELECT number, line, "column", reason, cells, of_contacts AS "ofContacts" FROM contact_import_faults
          WHERE organization_id = ${organization.id} AND import_id = ${id} AND number > ${after}
          ORDER BY number LIMIT ${limit}`
      }),
      expectFile: Effect.fnUntraced(function* (organization, file, now) {
        yield* sql`
          INSERT INTO contact_files (organization_id, file_id, expected_at)
          VALUES (${organization.id}, ${file}, ${stamp(now)})`
      }),
      forgetFile: Effect.fnUntraced(function* (organization, file) {
        const forgotten = yield* sql`
          DELETE FROM contact_files WHERE organization_id = ${organization.id} AND file_id = ${file}
            AND NOT EXISTS (
              SELECT FROM contact_imports AS i WHERE i.organization_id = ${organization.id} AND i.file_id = ${file})
          RETURNING 1`
        return forgotten.length > 0
      })
    })
  )
)
