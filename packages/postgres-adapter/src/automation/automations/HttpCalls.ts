import { PgTypes } from "@effect/sql-pg"
import { HttpCalls, type StoredHttpCall } from "@parley/domain/automation"
import { NotFound } from "@parley/domain/kernel"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utc, utcOrNull } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"

interface Row extends Omit<StoredHttpCall, "at" | "dueAt"> {
  readonly at: Instant
  readonly dueAt: Instant | null
}

const callOf = ({ at, dueAt, ...row }: Row): StoredHttpCall => ({ ...row, at: utc(at), dueAt: utcOrNull(dueAt) })

const columnsOfCall = `id, origin, key, caller, run_id AS "runId", contact_id AS "contactId", request, state, output, error,
  attempts AS tries, due_at AS "dueAt", at`

const json = (value: unknown) => (value === null ? null : PgTypes.json(value))

export const layer = Layer.effect(
  HttpCalls,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(columnsOfCall)

    return tenantPort(HttpCalls, {
      find: Effect.fnUntraced(function* (organization, ids) {
        if (ids.length === 0) return []
        const rows = yield* sql<Row>`
          SELECT ${columns} FROM http_calls
          WHERE organization_id = ${organization.id} AND id = ANY(${Array.from(ids)}::uuid[])`
        return rows.map(callOf)
      }),
      lock: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<Row>`
          SELECT ${columns} FROM http_calls WHERE organization_id = ${organization.id} AND id = ${id} FOR NO KEY UPDATE`
        return row === undefined ? yield* new NotFound({ resource: "http call" }) : callOf(row)
      }),
      add: Effect.fnUntraced(function* (organization, call) {
        const added = yield* sql`
          INSERT INTO http_calls (organization_id, id, origin, key, caller, run_id, contact_id, request, state, output, error,
            attempts, due_at, at)
          VALUES (${organization.id}, ${call.id}, ${call.origin}, ${call.key}, ${call.caller}, ${call.runId},
            ${call.contactId}, ${json(call.request)}, ${call.state}, ${json(call.output)}, ${json(call.error)},
            ${call.tries}, ${stamp(call.dueAt)}, ${stamp(call.at)})
          ON CONFLICT (organization_id, id) DO NOTHING RETURNING 1`
        return added.length > 0
      }),
      save: Effect.fnUntraced(function* (organization, call) {
        yield* sql`
          UPDATE http_calls SET state = ${call.state}, output = ${json(call.output)}, error = ${json(call.error)},
            attempts = ${call.tries}, due_at = ${stamp(call.dueAt)}
          WHERE organization_id = ${organization.id} AND id = ${call.id}`
      }),
      due: Effect.fnUntraced(function* (organization, origin, now, limit) {
        const rows = yield* sql<Row>`
          SELECT ${columns} FROM http_calls
          WHERE organization_id = ${organization.id} AND origin = ${origin} AND due_at <= ${stamp(now)}
          ORDER BY due_at, id LIMIT ${limit}`
        return rows.map(callOf)
      }),
      nextDue: Effect.fnUntraced(function* (organization, origin) {
        const [row] = yield* sql<{ readonly dueAt: Instant }>`
          SELECT due_at AS "dueAt" FROM http_calls
          WHERE organization_id = ${organization.id} AND origin = ${origin} AND due_at IS NOT NULL
          ORDER BY due_at LIMIT 1`
        return row === undefined ? null : utc(row.dueAt)
      }),
      sweep: Effect.fnUntraced(function* (organization, before, limit) {
        const swept = yield* sql`
          DELETE FROM http_calls WHERE organization_id = ${organization.id} AND id IN (
            SELECT id FROM http_calls
            WHERE organization_id = ${organization.id} AND due_at IS NULL AND at < ${stamp(before)} LIMIT ${limit})
          RETURNING 1`
        return swept.length
      }),
      blank: Effect.fnUntraced(function* (organization, contactIds) {
        if (contactIds.length === 0) return
        yield* sql`
          WITH about AS MATERIALIZED (
            SELECT id FROM http_calls
            WHERE organization_id = ${organization.id} AND contact_id = ANY(${Array.from(contactIds)}::uuid[])
            ORDER BY id FOR NO KEY UPDATE
          )
          UPDATE http_calls AS t SET request = NULL, output = NULL, contact_id = NULL,
            state = CASE WHEN t.due_at IS NULL THEN t.state ELSE 'failed' END, due_at = NULL
          FROM about WHERE t.organization_id = ${organization.id} AND t.id = about.id`
      })
    })
  })
)
