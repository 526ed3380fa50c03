import {
  createContactField,
  createWorkflow,
  type Graph,
  Lanes,
  NodeId,
  type OrganizationId,
  publishWorkflow,
  type TagId,
  transact,
  type WorkflowId,
  type WorkflowNode
} from "@parley/domain"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { givenTag } from "../automations/given.ts"
import { givenReaders, within } from "../campaigns/given.ts"
import { ownLine } from "../chat/provider.ts"
import { givenOrganization } from "../webhooks/given.ts"

const id = (name: string) => NodeId.make(name)

const notes = (name: string, next: string): WorkflowNode => ({
  id: id(name),
  kind: "action",
  action: { type: "set_attribute", attributes: { [name]: "reached" } },
  next: id(next)
})

/** Minimum duration of a wait. */
const shortest = 60

/** Two steps with a wait in between: a tagged contact is recorded, and again after the wait. */
const twoSteps = (start: TagId): Graph => ({
  entry: { event: { event: "contact.tagged", tagIds: [start] }, next: id("first") },
  nodes: [
    notes("first", "rest"),
    { id: id("rest"), kind: "wait", seconds: shortest, next: id("second") },
    notes("second", "end"),
    { id: id("end"), kind: "end" }
  ]
})

/** An organization with a workflow of two steps, and this number of contacts. */
export interface Routine {
  readonly organizationId: OrganizationId
  readonly workflowId: WorkflowId
  readonly start: TagId
}

/** An organization with contacts, and a workflow that waits for some seconds. */
export const givenRoutine = Effect.fnUntraced(function* (
  name: string,
  place: number,
  contacts: number,
  restSeconds: number
) {
  const sql = yield* SqlClient.SqlClient
  const organizationId = yield* givenOrganization(name)
  const start = yield* givenTag(organizationId, "start")
  for (const key of ["first", "second"]) {
    yield* within(organizationId)(createContactField({ key, name: key, type: "text" }))
  }
  yield* givenReaders(place, { ...ownLine(place), organizationId }, contacts)
  const workflowId = yield* within(organizationId)(
    Effect.gen(function* () {
      const { id: created } = yield* createWorkflow({ name: "Two steps", graph: twoSteps(start) })
      yield* publishWorkflow({ id: created, ifVersion: null })
      return created
    })
  )
  // Avoids a wait of a minute.
  yield* sql`
    UPDATE workflow_versions SET graph = replace(graph::text, ${`"seconds":${shortest}`}, ${`"seconds":${restSeconds}`})::json
    WHERE organization_id = ${organizationId}`
  yield* sql`ANALYZE contacts`
  return { organizationId, workflowId, start } satisfies Routine
})

const lane = (column: string) => `('x' || right(${column}::text, 1))::bit(4)::integer`

/** Stored data of a run that waits in the node between its two steps. */
const resting = `'{"isResting": true, "visits": {"first": 1, "rest": 1}, "places": 2, "subject": null, "from": 1, "since": 1, "attempts": 0,
  "input": {}, "heldSince": null}'`

const atOnce = 100_000

/** A number of runs of unknown contacts that wait until a distant time, as stored rows. */
export const givenResting = Effect.fnUntraced(function* ({ organizationId, workflowId }: Routine, count: number) {
  const sql = yield* SqlClient.SqlClient
  for (let from = 0; from < count; from += atOnce) {
    yield* sql`
      WITH runs AS (
        INSERT INTO workflow_runs (organization_id, id, workflow_id, workflow_version, lane, state, contact_id, key, node, wake_at, due_at,
          goals, event_position, event_type, progress, started_at, revision)
        SELECT ${organizationId}::uuid, gen_random_uuid(), ${workflowId}::uuid, 1, ${sql.literal(lane("contact"))}, 'waiting', contact, contact,
          'rest', due, due, '[]', 1, 'contact.tagged', ${sql.literal(resting)}, now(), 2
        FROM (
          SELECT gen_random_uuid() AS contact, now() + interval '1 day' + random() * interval '30 days' AS due
          FROM generate_series(1, ${Math.min(atOnce, count - from)}::integer)
        ) AS drawn
        RETURNING id, contact_id
      )
      INSERT INTO workflow_run_steps (organization_id, run_id, position, node, visit, state, effect, output, at)
      SELECT ${organizationId}::uuid, runs.id, step.position, step.node, 1, step.state,
        CASE step.position WHEN 1 THEN json_build_object('kind', 'contact', 'id', runs.contact_id) END, 'null', now()
      FROM runs CROSS JOIN (VALUES (1, 'first', 'done'), (2, 'rest', 'waiting')) AS step (position, node, state)`
      .unprepared
  }
})

/** Sets random wake times for runs of contacts `from` to `until`, in milliseconds from now, and schedules the lanes. */
export const givenDue = Effect.fnUntraced(function* (
  { organizationId, workflowId }: Routine,
  { from, gapMillis, count }: { readonly from: number; readonly count: number; readonly gapMillis: number },
  inMillis: number
) {
  const sql = yield* SqlClient.SqlClient
  const first = DateTime.add(yield* DateTime.now, { milliseconds: inMillis })
  yield* sql`
    INSERT INTO workflow_runs (organization_id, id, workflow_id, workflow_version, lane, state, contact_id, key, node, wake_at, due_at,
      goals, event_position, event_type, progress, started_at, revision)
    SELECT ${organizationId}::uuid, gen_random_uuid(), ${workflowId}::uuid, 1, ${sql.literal(lane("id"))}, 'waiting', id, id, 'rest', due, due,
      '[]', 1, 'contact.tagged', ${sql.literal(resting)}, now(), 2
    FROM (
      SELECT id, ${DateTime.formatIso(first)}::timestamptz + (row_number() OVER (ORDER BY id) - 1) * ${gapMillis}::float8 * interval '1 millisecond' AS due
      FROM contacts WHERE organization_id = ${organizationId} ORDER BY id OFFSET ${from} LIMIT ${count}
    ) AS chosen`.unprepared
  yield* sql`
    INSERT INTO bench_due (run_id, due_at)
    SELECT id, due_at FROM workflow_runs AS r WHERE organization_id = ${organizationId} AND due_at < now() + interval '12 hours'
      AND NOT EXISTS (SELECT FROM bench_due AS d WHERE d.run_id = r.id)`
  yield* openLanes(organizationId)
})

/** Schedules all lanes of the organization. */
export const openLanes = (organizationId: OrganizationId) =>
  within(organizationId)(
    transact(
      Effect.gen(function* () {
        const lanes = yield* Lanes
        const dueAt = yield* DateTime.now
        for (let key = 0; key < 16; key += 1) {
          yield* lanes.open({ task: "workflow runs", key: String(key), priority: "person", dueAt })
        }
      })
    )
  )

/** The database records the time of each stored step, right before its commit. */
export const watchSteps = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE workflow_run_steps ADD COLUMN kept_at timestamptz DEFAULT clock_timestamp()`
  yield* sql`CREATE TABLE bench_due (run_id uuid PRIMARY KEY, due_at timestamptz NOT NULL)`
})
