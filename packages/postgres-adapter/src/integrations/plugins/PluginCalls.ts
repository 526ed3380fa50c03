import { NotFound } from "@parley/domain/kernel"
import {
  PluginCallAttempt,
  type PluginCallId,
  PluginCallLog,
  PluginCalls,
  type StoredPluginCall
} from "@parley/domain/integrations"
import { PgTypes } from "@effect/sql-pg"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { asWritten, type Instant, stamp, utc, utcOrNull } from "../../kernel/columns.ts"
import { type Organization, tenantPort } from "../../kernel/tenantPort.ts"

interface AttemptRow extends Omit<PluginCallAttempt, "at"> {
  readonly at: string
}

interface Row extends Omit<StoredPluginCall, "at" | "dueAt" | "log"> {
  readonly at: Instant
  readonly dueAt: Instant | null
  readonly log: ReadonlyArray<AttemptRow>
}

const attemptOf = ({ at, ...row }: AttemptRow) =>
  new PluginCallAttempt({ ...row, at: DateTime.makeUnsafe(at) }, asWritten)

const callOf = ({ at, dueAt, log, ...row }: Row): StoredPluginCall => ({
  ...row,
  at: utc(at),
  dueAt: utcOrNull(dueAt),
  log: log.map(attemptOf)
})

type ListedRow = Omit<Row, "conversationId" | "dueAt" | "input" | "key" | "output" | "pluginId" | "tries">

const listedOf = ({ at, log, ...row }: ListedRow) =>
  new PluginCallLog({ ...row, at: utc(at), log: log.map(attemptOf).toReversed() }, asWritten)

/** Columns of the list. The input and the output can have 64 KiB. */
const columnsOfList = `id, action, state, error, caller, run_id AS "runId", contact_id AS "contactId", at, log`

const columnsOfCall = `id, plugin_id AS "pluginId", action, key, caller, run_id AS "runId", contact_id AS "contactId",
  conversation_id AS "conversationId", input, state, output, error, attempts AS tries, due_at AS "dueAt", at, log`

const json = (value: unknown) => (value === null ? null : PgTypes.json(value))

const logOf = ({ log }: StoredPluginCall) =>
  PgTypes.json(log.map((attempt) => ({ ...attempt, at: DateTime.formatIso(attempt.at) })))

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
            conversation_id, input, state, output, error, attempts, due_at, at, log, last_attempt_at)
          VALUES (${organization.id}, ${call.id}, ${call.pluginId}, ${call.action}, ${call.key}, ${call.caller},
            ${call.runId}, ${call.contactId}, ${call.conversationId}, ${json(call.input)}, ${call.state},
            ${json(call.output)}, ${json(call.error)}, ${call.tries}, ${stamp(call.dueAt)}, ${stamp(call.at)},
            ${logOf(call)}, ${stamp(call.log.at(-1)?.at ?? null)})
          ON CONFLICT (organization_id, id) DO NOTHING RETURNING 1`
        return added.length > 0
      }),
      save: Effect.fnUntraced(function* (organization, call) {
        yield* sql`
          UPDATE plugin_calls SET state = ${call.state}, output = ${json(call.output)}, error = ${json(call.error)},
            attempts = ${call.tries}, due_at = ${stamp(call.dueAt)}, log = ${logOf(call)},
            last_attempt_at = ${stamp(call.log.at(-1)?.at ?? null)}
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
      list: Effect.fnUntraced(function* (organization, pluginId, { action, from, runId, state, to }, { after, limit }) {
        const rows = yield* sql<ListedRow>`
          SELECT ${sql.literal(columnsOfList)} FROM plugin_calls
          WHERE organization_id = ${organization.id} AND plugin_id = ${pluginId}
            ${state === null ? sql`` : sql`AND state = ANY(${Array.from(state)})`}
            ${action === null ? sql`` : sql`AND action = ${action}`} ${runId === null ? sql`` : sql`AND run_id = ${runId}`}
            ${from === null ? sql`` : sql`AND at >= ${stamp(from)}`} ${to === null ? sql`` : sql`AND at < ${stamp(to)}`}
            ${after === null ? sql`` : sql`AND (at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`}
          ORDER BY at DESC, id DESC LIMIT ${limit}`
        return rows.map(listedOf)
      }),
      sweepLogs: Effect.fnUntraced(function* (organization, before, limit) {
        const swept = yield* sql`
          WITH old AS MATERIALIZED (
            SELECT id FROM plugin_calls WHERE organization_id = ${organization.id} AND last_attempt_at < ${stamp(before)}
            LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
          )
          UPDATE plugin_calls AS t SET log = '[]', last_attempt_at = NULL FROM old
          WHERE t.organization_id = ${organization.id} AND t.id = old.id RETURNING 1`
        return swept.length
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
            state = CASE WHEN due_at IS NULL THEN state ELSE 'failed' END, due_at = NULL,
            log = '[]', last_attempt_at = NULL
          WHERE organization_id = ${organization.id} AND contact_id = ANY(${Array.from(contactIds)}::uuid[])`
      })
    })
  })
)
