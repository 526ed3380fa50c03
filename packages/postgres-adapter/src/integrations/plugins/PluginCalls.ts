import { NotFound } from "@parley/domain/kernel"
import { type StoredPluginCall, type PluginCallId, PluginCalls } from "@parley/domain/integrations"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utc, utcOrNull } from "../../kernel/columns.ts"
import { type Organization, tenantPort } from "../../kernel/tenantPort.ts"

interface Row extends Omit<StoredPluginCall, "at" | "dueAt"> {
  readonly at: Instant
  readonly dueAt: Instant | null
}

const callOf = ({ at, dueAt, ...row }: Row): StoredPluginCall => ({ ...row, at: utc(at), dueAt: utcOrNull(dueAt) })

const columnsOfCall = `id, plugin_id AS "pluginId", action, key, caller, run_id AS "runId", contact_id AS "contactId",
  conversation_id AS "conversationId", input, state, output, error, attempts AS tries, due_at AS "dueAt", at`

const json = (value: unknown) => (value === null ? null : PgTypes.json(value))

export const layer = Layer.effect(
  PluginCalls,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(columnsOfCall)

    const rowOf = Effect.fnUntraced(function* (organization: Organization, id: PluginCallId, forUpdate: boolean) {
      const [row] = yield* sql<Row>`
        SELECT ${columns} FROM plugin_calls WHERE organization_id = ${organization.id} AND id = ${id}
        ${forUpdate ? sql`FOR NO KEY UPDATE` : sql``}`
      return row === undefined ? null : callOf(row)
    })

    return tenantPort(PluginCalls, {
      find: Effect.fnUntraced(function* (organization, id) {
        return yield* rowOf(organization, id, false)
      }),
      lock: Effect.fnUntraced(function* (organization, id) {
        return (yield* rowOf(organization, id, true)) ?? (yield* new NotFound({ resource: "plugin call" }))
      }),
      add: Effect.fnUntraced(function* (organization, call) {
        const added = yield* sql`
          INSERT INTO plugin_calls (organization_id, id, plugin_id, action, key, caller, run_id, contact_id,
            conversation_id, input, state, output, error, attempts, due_at, at)
          VALUES (${organization.id}, ${call.id}, ${call.pluginId}, ${call.action}, ${call.key}, ${call.caller},
            ${call.runId}, ${call.contactId}, ${call.conversationId}, ${json(call.input)}, ${call.state},
            ${json(call.output)}, ${json(call.error)}, ${call.tries}, ${stamp(call.dueAt)}, ${stamp(call.at)})
          ON CONFLICT (organization_id, id) DO NOTHING RETURNING 1`
        return added.length > 0
      }),
      save: Effect.fnUntraced(function* (organization, call) {
        yield* sql`
          UPDATE plugin_calls SET state = ${call.state}, output = ${json(call.output)}, error = ${json(call.error)},
            attempts = ${call.tries}, due_at = ${stamp(call.dueAt)}
          WHERE organization_id = ${organization.id} AND id = ${call.id}`
      }),
      due: Effect.fnUntraced(function* (organization, pluginId, now, limit) {
        const rows = yield* sql<Row>`
          SELECT ${columns} FROM plugin_calls
          WHERE organization_id = ${organization.id} AND plugin_id = ${pluginId} AND due_at <= ${stamp(now)}
          ORDER BY due_at, id LIMIT ${limit}`
        return rows.map(callOf)
      }),
      nextDue: Effect.fnUntraced(function* (organization, pluginId) {
        const [row] = yield* sql<{ readonly dueAt: Instant }>`
          SELECT due_at AS "dueAt" FROM plugin_calls
          WHERE organization_id = ${organization.id} AND plugin_id = ${pluginId} AND due_at IS NOT NULL
          ORDER BY due_at LIMIT 1`
        return row === undefined ? null : utc(row.dueAt)
      }),
      sweep: Effect.fnUntraced(function* (organization, before, limit) {
        const swept = yield* sql`
          DELETE FROM plugin_calls WHERE organization_id = ${organization.id} AND id IN (
            SELECT id FROM plugin_calls
            WHERE organization_id = ${organization.id} AND due_at IS NULL AND at < ${stamp(before)} LIMIT ${limit})
          RETURNING 1`
        return swept.length
      }),
      blank: Effect.fnUntraced(function* (organization, contactIds) {
        if (contactIds.length === 0) return
        yield* sql`
          UPDATE plugin_calls SET input = NULL, output = NULL, contact_id = NULL, conversation_id = NULL,
            error = CASE WHEN error IS NULL THEN NULL
              ELSE json_build_object('code', error ->> 'code', 'pluginCode', NULL, 'message', '') END,
            state = CASE WHEN due_at IS NULL THEN state ELSE 'failed' END, due_at = NULL
          WHERE organization_id = ${organization.id} AND contact_id = ANY(${Array.from(contactIds)}::uuid[])`
      })
    })
  })
)
