import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { withoutIndexes } from "../database/withoutIndexes.ts"

/** Number of automations and of workflows. The first one of each has half of the runs. */
const definitions = 20

const contacts = 200_000

const id = (kind: number, place: number | string) =>
  `('${String(kind).padStart(8, "0")}-0000-7000-8000-' || lpad(to_hex((${place})::bigint), 12, '0'))::uuid`

const idText = (kind: number, place: number) =>
  `${String(kind).padStart(8, "0")}-0000-7000-8000-${place.toString(16).padStart(12, "0")}`

export const automationAt = (place: number) => idText(1, place)
export const workflowAt = (place: number) => idText(2, place)
export const contactAt = (place: number) => idText(3, place % contacts)

/** Half of the runs belong to the first definition. */
const ofDefinition = `CASE WHEN n % 2 = 0 THEN 0 ELSE 1 + (n / 2) % ${definitions - 1} END`

/** One in a thousand has failed, one in a million was cancelled. */
const state = (done: string, rare: string) =>
  `CASE WHEN n % 1000000 = 500000 THEN 'cancelled' WHEN n % 1000 = 0 THEN 'failed' WHEN n % 100 = 2 THEN '${rare}' ELSE '${done}' END`

const at = `timestamptz '2026-11-01' + n * interval '400 milliseconds'`

/** Stores this many ended runs of automations, and of workflows, of an organization. */
export const seedRuns = Effect.fnUntraced(function* (organizationId: string, runs: number) {
  const sql = yield* SqlClient.SqlClient
  const actions = JSON.stringify([
    { index: 0, type: "tag", state: "done", error: null, effect: null, attempts: 1, until: null }
  ])
  const fill = Effect.gen(function* () {
    yield* sql`
      INSERT INTO automation_runs (organization_id, id, automation_id, automation_version, ordinal, lane, state, event_position, event_type,
        contact_id, conditions, actions, created_at, started_at, finished_at, revision)
      SELECT ${organizationId}::uuid, ${sql.literal(id(4, "n"))}, ${sql.literal(id(1, ofDefinition))}, 1, 1, 0,
        ${sql.literal(state("succeeded", "skipped"))}, n, 'contact.tagged', ${sql.literal(id(3, `(n * 7919) % ${contacts}`))},
        '{"held": true}', ${actions}::jsonb, ${sql.literal(at)}, ${sql.literal(at)}, ${sql.literal(at)}, 3
      FROM generate_series(1::bigint, ${runs}::bigint) AS g (n)`
    yield* sql`
      INSERT INTO workflow_runs (organization_id, id, workflow_id, workflow_version, lane, state, contact_id, key, node, goals, start_position,
        start_type, event_position, event_type, progress, started_at, ended_at, revision)
      SELECT ${organizationId}::uuid, ${sql.literal(id(5, "n"))}, ${sql.literal(id(2, ofDefinition))}, 1, 0,
        ${sql.literal(state("completed", "exited"))}, ${sql.literal(id(3, `(n * 7919) % ${contacts}`))},
        ${sql.literal(id(3, `(n * 7919) % ${contacts}`))}, 'end', '[]', n, 'contact.tagged', n, 'contact.tagged',
        jsonb_build_object('isResting', false, 'visits', '{}'::jsonb, 'places', 1, 'subject', NULL, 'from', n, 'since', n, 'attempts', 0,
          'heldSince', NULL),
        ${sql.literal(at)}, ${sql.literal(at)}, 3
      FROM generate_series(1::bigint, ${runs}::bigint) AS g (n)`
  })
  yield* withoutIndexes(["automation_runs", "workflow_runs"], fill)
  yield* sql`VACUUM ANALYZE automation_runs`
  yield* sql`VACUUM ANALYZE workflow_runs`
})
