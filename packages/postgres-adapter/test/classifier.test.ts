import { assert, describe, it, layer } from "@effect/vitest"
import {
  layerLockedServer,
  makeVerdicts,
  spanning,
  underRowLevelSecurity,
  wholeTables
} from "@parley/postgres-adapter/testing"
import { Effect, Exit } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { scansOf } from "../src/testing/routing/readPlan.ts"

const organization = SecureRandom.uuidV7Unsafe()
const other = SecureRandom.uuidV7Unsafe()
const id = SecureRandom.uuidV7Unsafe()

type Deed = (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>

const naming: ReadonlyArray<readonly [string, Deed]> = [
  ["one", (sql) => sql`SELECT name FROM tags WHERE organization_id = ${organization} AND id = ${id}`],
  [
    "one, also for joined tables",
    (sql) => sql`
      SELECT t.name FROM contact_tags AS c JOIN tags AS t ON t.organization_id = c.organization_id AND t.id = c.tag_id
      WHERE c.organization_id = ${organization}`
  ],
  [
    "one, also in subqueries for each row",
    (sql) => sql`
      SELECT (SELECT count(*) FROM contact_tags AS c WHERE c.organization_id = t.organization_id AND c.tag_id = t.id)
      FROM tags AS t WHERE t.organization_id = ${organization}`
  ],
  [
    "one where it changes what it has found",
    (sql) => sql`
      WITH gone AS (DELETE FROM tags WHERE organization_id = ${organization} RETURNING organization_id, id)
      INSERT INTO removed_tags (organization_id, id) SELECT ${organization}::uuid, id FROM gone`
  ],
  ["none, of a table that belongs to none", (sql) => sql`SELECT name FROM users WHERE id = ${id}`]
]

const straying: ReadonlyArray<readonly [string, Deed]> = [
  ["none", (sql) => sql`SELECT name FROM tags WHERE id = ${id}`],
  ["several", (sql) => sql`SELECT name FROM tags WHERE organization_id = ANY(${[organization]}::uuid[])`],
  [
    "one or another",
    (sql) => sql`SELECT name FROM tags WHERE organization_id = ${organization} OR organization_id = ${other}`
  ],
  ["one or nothing", (sql) => sql`SELECT name FROM tags WHERE organization_id = ${organization} OR id = ${id}`],
  ["all but one", (sql) => sql`SELECT name FROM tags WHERE NOT (organization_id = ${organization})`],
  [
    "two, one for each table",
    (sql) => sql`
      SELECT t.name FROM contact_tags AS c JOIN tags AS t ON t.id = c.tag_id
      WHERE c.organization_id = ${organization} AND t.organization_id = ${other}`
  ],
  [
    "one for only one of two tables",
    (sql) => sql`
      SELECT t.name FROM contact_tags AS c JOIN tags AS t ON t.id = c.tag_id WHERE c.organization_id = ${organization}`
  ],
  [
    "the organization that something else names",
    (sql) => sql`
      SELECT name FROM tags WHERE organization_id = (SELECT id FROM organizations WHERE slug = ${"acme"})`
  ],
  [
    "one of a joined list",
    (sql) => sql`
      SELECT t.name FROM unnest(${[organization]}::uuid[]) AS wanted JOIN tags AS t ON t.organization_id = wanted`
  ],
  [
    "one, but not in its subquery",
    (sql) => sql`
      WITH touched AS (DELETE FROM removed_tags WHERE id = ${id} RETURNING id)
      SELECT name FROM tags WHERE organization_id = ${organization} AND id IN (SELECT id FROM touched)`
  ],
  [
    "for every inserted value",
    (sql) => sql`
      INSERT INTO removed_tags (organization_id, id)
      SELECT row.organization_id, row.id FROM unnest(${[]}::uuid[], ${[]}::uuid[]) AS row (organization_id, id)`
  ],
  [
    "another than it inserts for",
    (sql) => sql`
      INSERT INTO removed_tags (organization_id, id)
      SELECT ${other}::uuid, id FROM tags WHERE organization_id = ${organization}`
  ]
]

layer(underRowLevelSecurity(layerLockedServer, { verdicts: makeVerdicts() }), { timeout: "60 seconds" })(
  "the classifier",
  (it) => {
    it.effect.each(naming)("lets a statement through that names %s", ([, deed]) =>
      Effect.asVoid(Effect.flatMap(SqlClient.SqlClient, deed))
    )

    it.effect.each(straying)("complains of a statement that names %s", ([, deed]) =>
      Effect.gen(function* () {
        const exit = yield* Effect.exit(Effect.flatMap(SqlClient.SqlClient, deed))
        assert.match(Exit.isFailure(exit) ? String(exit.cause) : "", /does not name one organization by equality/)
      })
    )
  }
)

describe("the organization of a scan", () => {
  const one = "organization_id = 'a'::uuid"
  const two = "organization_id = 'b'::uuid"
  it.each([
    [`(${one})`, "a"],
    [`((${one}) AND (attributes @> '{"x": ") OR ("}'::jsonb))`, "a"],
    [`(((${one}) AND (attributes @> '{}'::jsonb)) OR ((${one}) AND (attributes @> '[]'::jsonb)))`, "a"],
    [`((id = 'c'::uuid) AND ((${one}) OR (${one})))`, "a"],
    [`((${one}) OR (${two}))`, null],
    [`((${one}) OR (id = 'c'::uuid))`, null],
    [`(((${one}) AND (id = 'c'::uuid)) OR ((${two}) AND (id = 'c'::uuid)))`, null],
    [`(NOT (${one}))`, null],
    [`(NOT ((${one}) AND (id = 'c'::uuid)))`, null]
  ])("limited by %s is %s", (condition, organization) => {
    const plan = { "Node Type": "Bitmap Heap Scan", "Relation Name": "contacts", "Recheck Cond": condition }
    assert.deepStrictEqual(scansOf(plan), [{ table: "contacts", organization }])
  })
})

describe("what the classifier lets through", () => {
  it("has a reason for each table and each statement, and each is said once", () => {
    for (const reason of [...Object.values(wholeTables), ...spanning.map((each) => each.reason)])
      assert.isNotEmpty(reason)
    const texts = spanning.map(({ text }) => text)
    assert.deepStrictEqual(
      texts.filter((text) => texts.some((each) => each !== text && each.includes(text))),
      []
    )
  })
})
