import { assert, layer } from "@effect/vitest"
import { asSystem, CurrentOrganization, OrganizationId, transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import { anyAutomationRun, AutomationId, AutomationRuns, WorkflowId, WorkflowRuns } from "@parley/domain/automation"
import * as Postgres from "@parley/postgres-adapter"
import { layerServer } from "@parley/postgres-adapter/testing"
import { DateTime, Effect, Layer, type Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"

const now = DateTime.makeUnsafe("2026-11-20T09:00:00Z")

/** Number of earlier rows. */
const many = 3_000

const freshId = <A, E>(kind: Schema.Codec<A, E> & { readonly make: (text: string) => A }) =>
  kind.make(SecureRandom.uuidV7Unsafe())

/** Number of rows of a table that an operation reads, by any access path. */
const rowsRead = <A, E, R>(table: string, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const count = Effect.map(
      sql<{ readonly count: bigint }>`
        SELECT coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::bigint AS count FROM pg_stat_xact_user_tables WHERE relname = ${table}`,
      ([row]) => Number(row?.count ?? 0)
    )
    const before = yield* count
    const result = yield* work
    return { result, rows: (yield* count) - before }
  }).pipe(transact)

/** Runs of automations that were, each of them minutes ago. */
const givenRuns = Effect.fnUntraced(function* (input: {
  readonly automationId: AutomationId
  readonly version: number
  readonly contactId: ContactId
  readonly state: "failed" | "succeeded"
  readonly daysAgo: number
  readonly count: number
}) {
  const sql = yield* SqlClient.SqlClient
  const organization = yield* CurrentOrganization
  const at = DateTime.formatIso(DateTime.subtract(now, { days: input.daysAgo }))
  yield* sql`
    INSERT INTO automation_runs (organization_id, id, automation_id, automation_version, ordinal, lane, state, event_position,
      event_type, contact_id, actions, created_at, started_at, finished_at, revision)
    SELECT ${organization.id}::uuid, gen_random_uuid(), ${input.automationId}::uuid, ${input.version}::int, 1, 1, ${input.state}::text, n,
      'order.paid', ${input.contactId}::uuid, '[]', ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz, 1
    FROM generate_series(1, ${input.count}::int) AS n`
  yield* sql`ANALYZE automation_runs`
})

/** Runs of a workflow: ended runs, or held runs that resume in this many minutes. */
const givenWorkflowRuns = Effect.fnUntraced(function* (
  workflowId: WorkflowId,
  state: "completed" | "held",
  dueIn: number | null,
  count: number
) {
  const sql = yield* SqlClient.SqlClient
  const organization = yield* CurrentOrganization
  const at = DateTime.formatIso(now)
  const dueAt = dueIn === null ? null : DateTime.formatIso(DateTime.add(now, { minutes: dueIn }))
  yield* sql`
    INSERT INTO workflow_runs (organization_id, id, workflow_id, workflow_version, lane, state, reason, contact_id, key, node, due_at,
      goals, progress, started_at, ended_at, revision)
    SELECT ${organization.id}::uuid, gen_random_uuid(), ${workflowId}::uuid, 1, 1, ${state}::text,
      CASE WHEN ${state}::text = 'held' THEN 'template' END, r.id, r.id, 'n1', ${dueAt}::timestamptz, '[]', '{}', ${at}::timestamptz,
      CASE WHEN ${state}::text = 'held' THEN NULL ELSE ${at}::timestamptz END, 1
    FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, ${count}::int)) AS r`
  yield* sql`ANALYZE workflow_runs`
})

const inOne = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const id = freshId(OrganizationId)
    yield* sql`
      INSERT INTO organizations (id, name, slug, plan, timezone, locale, currency, status, created_at, version)
      VALUES (${id}, 'Bakery', ${id}, 'scale', 'UTC', 'en', 'EUR', 'active', ${DateTime.formatIso(now)}, 1)`
    return yield* asSystem("tests")(id)(effect)
  })

layer(Layer.provideMerge(Postgres.layer, layerServer))("history of runs", (it) => {
  it.effect("is not gone through for the failures of what an automation says now", () =>
    Effect.gen(function* () {
      const [automationId, contactId] = [freshId(AutomationId), freshId(ContactId)]
      const of = { automationId, contactId, daysAgo: 1 }
      yield* givenRuns({ ...of, version: 1, state: "succeeded", count: many })
      yield* givenRuns({ ...of, version: 2, state: "failed", count: 3 })
      const runs = yield* AutomationRuns
      const { result, rows } = yield* rowsRead("automation_runs", runs.failedInARow(automationId, 2, 20))
      assert.strictEqual(result, 3)
      assert.isBelow(rows, 10)
    }).pipe(inOne)
  )

  it.effect("is not scanned for starts of a contact within the hour", () =>
    Effect.gen(function* () {
      const [automationId, contactId] = [freshId(AutomationId), freshId(ContactId)]
      const of = { automationId, contactId, version: 1, state: "succeeded" as const }
      yield* givenRuns({ ...of, daysAgo: 1, count: many })
      yield* givenRuns({ ...of, daysAgo: 0, count: 3 })
      const runs = yield* AutomationRuns
      const since = DateTime.subtract(now, { hours: 1 })
      const { result, rows } = yield* rowsRead("automation_runs", runs.begunSince(contactId, since))
      assert.strictEqual(result.get(automationId), 3)
      assert.isBelow(rows, 10)
    }).pipe(inOne)
  )

  it.effect("is not read when runs are listed, recalled or cancelled", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const organization = yield* CurrentOrganization
      const [automationId, contactId] = [freshId(AutomationId), freshId(ContactId)]
      const of = { automationId, contactId, version: 1, state: "succeeded" as const, daysAgo: 1 }
      yield* givenRuns({ ...of, count: many })
      yield* sql`
        UPDATE automation_runs SET state = 'running', queue = 'waiting', reason = 'quiet_hours',
          due_at = ${DateTime.formatIso(DateTime.add(now, { hours: 1 }))}::timestamptz,
          actions = '[{"index": 0, "type": "tag", "state": "waiting", "error": null, "effect": null, "attempts": 1, "until": null}]'
        WHERE organization_id = ${organization.id} AND event_position > ${many - 5}`
      yield* sql`ANALYZE automation_runs`
      const runs = yield* AutomationRuns
      const listed = yield* rowsRead(
        "automation_runs",
        runs.list(automationId, anyAutomationRun, {
          limit: 5,
          after: [String(many - 9), "00000000-0000-0000-0000-000000000000"]
        })
      )
      assert.deepStrictEqual(
        listed.result.map(({ event }) => event.position),
        [10, 11, 12, 13, 14].map((from) => many - from)
      )
      assert.isBelow(listed.rows, 10)
      const ofContact = yield* rowsRead("automation_runs", runs.recall([contactId], now, 2))
      assert.lengthOf(ofContact.result, 2)
      assert.isBelow(ofContact.rows, 20)
      const ofAll = yield* rowsRead("automation_runs", runs.recall(null, now, 9))
      assert.lengthOf(ofAll.result, 3)
      assert.isBelow(ofAll.rows, 30)
      const cancelled = yield* rowsRead("automation_runs", runs.cancel(automationId, now))
      assert.strictEqual(cancelled.result, 5)
      assert.isBelow(cancelled.rows, 40)
    }).pipe(inOne)
  )

  it.effect("is not read when workflow runs are listed or recalled", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const organization = yield* CurrentOrganization
      const workflowId = freshId(WorkflowId)
      yield* givenWorkflowRuns(workflowId, "completed", null, many)
      yield* givenWorkflowRuns(workflowId, "held", 30, 5)
      yield* sql`
        UPDATE workflow_runs SET state = 'waiting', reason = 'quiet_hours'
        WHERE organization_id = ${organization.id} AND state = 'held'`
      yield* sql`
        UPDATE workflow_runs SET progress = jsonb_build_object('from', 7, 'heldSince', NULL)
        WHERE organization_id = ${organization.id}`
      yield* sql`ANALYZE workflow_runs`
      const runs = yield* WorkflowRuns
      const after = [DateTime.formatIso(now), "7", "ffffffff-ffff-4fff-bfff-ffffffffffff"]
      const listed = yield* rowsRead(
        "workflow_runs",
        runs.list(workflowId, { states: null, contactId: null, position: null }, { limit: 5, after })
      )
      assert.lengthOf(listed.result, 5)
      assert.isBelow(listed.rows, 10)
      const recalled = yield* rowsRead("workflow_runs", runs.recall(null, now, 9))
      assert.lengthOf(recalled.result, 5)
      assert.isBelow(recalled.rows, 30)
    }).pipe(inOne)
  )

  it.effect("is not scanned for leaving or continuing contacts", () =>
    Effect.gen(function* () {
      const workflowId = freshId(WorkflowId)
      yield* givenWorkflowRuns(workflowId, "completed", null, many)
      yield* givenWorkflowRuns(workflowId, "held", -1, many)
      yield* givenWorkflowRuns(workflowId, "held", 30, 5)
      const runs = yield* WorkflowRuns
      const on = yield* rowsRead("workflow_runs", runs.letGoOn("template", now, 9))
      assert.strictEqual(on.result, 5)
      assert.isBelow(on.rows, 40)
      const left = yield* rowsRead("workflow_runs", runs.exit(workflowId, "archived", now, 9))
      assert.lengthOf(left.result, 9)
      assert.isBelow(left.rows, 60)
    }).pipe(inOne)
  )
})
