import {
  createContactField,
  createTag,
  createWorkflow,
  type Graph,
  NodeId,
  OrganizationId,
  type TagId,
  type WorkflowNode
} from "@parley/domain"
import { Console, Effect } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { SqlClient } from "effect/sql"
import { givenContacts } from "../automations/given.ts"
import { within } from "../campaigns/given.ts"
import { quantile } from "../load/quantile.ts"
import { ToolFailed } from "../load/ToolFailed.ts"
import { figure } from "../report/table.ts"
import type { RunningServer } from "../servers/launch.ts"
import { seed } from "../tenants/seed.ts"
import { costOfEach, counted } from "./counted.ts"

/** Maximum number of nodes in a workflow. */
const mostNodes = 200

const warmUps = 20

const calls = 20

const mostMillis = 500

const id = (place: number) => NodeId.make(`n${place}`)

/** A branch, two actions and a wait, again and again. */
const nodeAt = (place: number, tagId: TagId): WorkflowNode => {
  const next = id(place + 1)
  if (place === mostNodes) return { id: id(place), kind: "end" }
  switch (place % 4) {
    case 0:
      return {
        id: id(place),
        kind: "branch",
        branches: [{ if: { field: "tag", op: "any_of", value: [tagId] }, next }],
        else: next
      }
    case 1:
      return {
        id: id(place),
        kind: "action",
        action: { type: "set_attribute", attributes: { step: `${place}` } },
        next
      }
    case 2:
      return { id: id(place), kind: "action", action: { type: "add_note", text: "{{ contact.name }}" }, next }
    default:
      return { id: id(place), kind: "wait", seconds: 60, next }
  }
}

const graphOf = (tagId: TagId): Graph => ({
  entry: { event: { event: "contact.tagged", tagIds: [tagId] }, next: id(1) },
  nodes: Array.from({ length: mostNodes }, (_, index) => nodeAt(index + 1, tagId))
})

/** An organization with a workflow of 200 nodes, and a contact with a conversation. */
const given = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { callers } = yield* seed({ organizations: 1, sessionsEach: 1, automations: 1 })
  const [caller] = callers
  if (caller === undefined) return yield* Effect.die("The seed has no caller.")
  const organizationId = OrganizationId.make(caller.organizationId)
  yield* sql`UPDATE organizations SET plan = 'scale' WHERE id = ${organizationId}`
  const [contactId] = yield* givenContacts(organizationId, 1)
  const workflow = yield* within(organizationId)(
    Effect.gen(function* () {
      yield* createContactField({ key: "step", name: "Step", type: "text" })
      const { id: tagId } = yield* createTag({ name: "Start" })
      return yield* createWorkflow({ name: "200 nodes", graph: graphOf(tagId) })
    })
  )
  return { caller, contactId, workflowId: workflow.id }
})

/** Rows of each table. */
const countRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ readonly name: string }>`
    SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`
    .unprepared
  const rows = yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(
      sql<{ readonly count: number }>`SELECT count(*)::integer AS count FROM ${sql(name)}`.unprepared,
      ([row]) => [name, row?.count ?? 0] as const
    )
  )
  return new Map(rows)
})

/** How long a dry run of the largest workflow takes over HTTP, and which rows it leaves. */
export const dryRun = Effect.fnUntraced(function* ({ pid, url }: RunningServer) {
  const { caller, contactId, workflowId } = yield* given
  const client = yield* HttpClient.HttpClient
  const call = Effect.gen(function* () {
    const request = HttpClientRequest.post(`${url}/api/v1/workflows/${workflowId}/test`).pipe(
      HttpClientRequest.bearerToken(caller.accessToken),
      HttpClientRequest.setHeader("x-organization-id", caller.organizationId),
      HttpClientRequest.bodyJsonUnsafe({ contactId })
    )
    const start = performance.now()
    const answer = yield* client.execute(request)
    const text = yield* answer.text
    const millis = performance.now() - start
    const steps = text.split('"enteredAt"').length - 1
    // The end is no step.
    if (answer.status !== 200 || steps !== mostNodes - 1) {
      return yield* new ToolFailed({
        tool: "dry run",
        output: `${answer.status} with ${steps} steps: ${text.slice(0, 500)}`
      })
    }
    return millis
  })
  yield* Effect.repeat(call, { times: warmUps - 1 })
  const before = yield* countRows
  const measured = yield* counted(
    pid,
    Effect.forEach(Array.from({ length: calls }), () => call)
  )
  const after = yield* countRows
  const sorted = Float64Array.from(measured.value).toSorted()
  const [median, p99] = [quantile(sorted, 0.5), quantile(sorted, 0.99)]
  const verdict = p99 <= mostMillis ? "reached" : "missed"
  yield* Console.log(
    `A dry run of ${mostNodes} nodes takes ${figure(median)} ms (median) and ${figure(p99)} ms (p99) of ${calls} calls; ${mostMillis} ms are ${verdict}.`
  )
  yield* Console.log(`Each takes ${costOfEach(measured, calls)}.`)
  const changed = [...after].filter(([name, count]) => count !== before.get(name))
  yield* Console.log(
    changed.length === 0
      ? `It leaves no row in ${after.size} tables.`
      : `It leaves rows: ${changed.map(([name, count]) => `${name} ${before.get(name) ?? 0} to ${count}`).join(", ")}.`
  )
})
