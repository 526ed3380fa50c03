import { assert, describe, layer } from "@effect/vitest"
import { CurrentActor, CurrentOrganization, NotFound, OrganizationId, transact } from "@parley/domain/kernel"
import { Organization, OrganizationDirectory } from "@parley/domain/platform"
import { Automation, AutomationId, Automations, emptyDefinition } from "@parley/domain/automation"
import type { PgClient } from "@effect/sql-pg"
import * as Postgres from "@parley/postgres-adapter"
import { layerServer, makeVerdicts, oracleRole, underRowLevelSecurity } from "@parley/postgres-adapter/testing"
import { Cause, DateTime, Effect, Exit, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"

type Database = Layer.Layer<PgClient.PgClient | SqlClient.SqlClient>

const portsOn = (database: Database) => Layer.provideMerge(Postgres.layer, database)

const inside =
  (id: OrganizationId) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(CurrentOrganization, { id }),
      Effect.provideService(CurrentActor, { kind: "operator", name: "test" })
    )

const freshId = () => SecureRandom.uuidV7Unsafe()

const givenOrganization = Effect.gen(function* () {
  const id = OrganizationId.make(freshId())
  const organization = new Organization({
    id,
    name: "Corner Bakery",
    slug: `org-${id}`,
    plan: "scale",
    timezone: "Europe/Berlin",
    locale: "en",
    currency: "EUR",
    status: "active",
    createdAt: yield* DateTime.now,
    version: 1
  })
  yield* transact((yield* OrganizationDirectory).insert(organization))
  return id
})

const insertAutomation = Effect.fnUntraced(function* (id: AutomationId) {
  const now = yield* DateTime.now
  const automation = new Automation({
    id,
    name: "Greet",
    enabled: false,
    disabledReason: null,
    position: 1,
    ...emptyDefinition,
    createdAt: now,
    updatedAt: now,
    version: 1
  })
  yield* transact((yield* Automations).insert(automation))
})

/** Two organizations, each with an automation of the same id: only a statement with the organization distinguishes them. */
const givenNamesakes = Effect.gen(function* () {
  const id = AutomationId.make(freshId())
  const [ours, theirs] = [yield* givenOrganization, yield* givenOrganization]
  for (const organization of [ours, theirs]) yield* insertAutomation(id).pipe(inside(organization))
  return { id, ours, theirs }
})

type Namesakes = Effect.Success<typeof givenNamesakes>

type Deed = (sql: SqlClient.SqlClient, namesakes: Namesakes) => Effect.Effect<ReadonlyArray<unknown>, unknown>

/** Statements that omit the organization in different ways. */
const forgetful: ReadonlyArray<readonly [string, Deed]> = [
  ["reads one", (sql, { id }) => sql`SELECT name FROM automations WHERE id = ${id}`],
  ["reads any one", (sql, { id }) => sql`SELECT name FROM automations WHERE id = ${id} LIMIT 1`],
  ["counts", (sql) => sql`SELECT count(*)::integer FROM automations`],
  ["changes one", (sql, { id }) => sql`UPDATE automations SET name = 'Mine' WHERE id = ${id}`],
  ["removes one", (sql, { id }) => sql`DELETE FROM automations WHERE id = ${id}`],
  [
    "writes for others",
    (sql, { theirs }) => sql`
    INSERT INTO event_heads (organization_id, head) VALUES (${theirs}, 1)`
  ],
  [
    "joins by the id alone",
    (sql, { id, ours }) => sql`
    SELECT other.name FROM automations AS mine JOIN automations AS other ON other.id = mine.id
    WHERE mine.organization_id = ${ours} AND mine.id = ${id}`
  ],
  [
    "changes more than it says",
    (sql, { id, ours }) => sql`
    WITH touched AS (UPDATE automations SET enabled = true WHERE id = ${id})
    SELECT name FROM automations WHERE organization_id = ${ours} AND id = ${id}`
  ],
  ["knows the organization by another name", (sql) => sql`SELECT name FROM organizations WHERE locale = 'en'`],
  ["asks for the organization of others", (sql, { theirs }) => sql`SELECT name FROM organizations WHERE id = ${theirs}`]
]

/** Works like the real port while no other organization has an automation with the same id. */
const layerForgetful = Layer.effect(
  Automations,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const real = yield* Automations
    return Automations.of({
      ...real,
      get: Effect.fnUntraced(function* (id) {
        const rows = yield* Effect.orDie(sql`SELECT 1 FROM automations WHERE id = ${id}`)
        return yield* rows.length === 0 ? new NotFound({ resource: "automation" }) : real.get(id)
      })
    })
  })
)

const complaint = /A statement reaches beyond its organization/

const complaintOf = (exit: Exit.Exit<unknown, unknown>) => (Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "")

const withoutIt = (name: string, database: Database) =>
  layer(portsOn(database), { timeout: "60 seconds" })(name, (it) => {
    it.effect.each(forgetful)("%s goes unnoticed without twin rows", ([, deed]) =>
      Effect.gen(function* () {
        const namesakes = yield* givenNamesakes
        yield* deed(yield* SqlClient.SqlClient, namesakes).pipe(inside(namesakes.ours))
      })
    )

    it.effect("a port without its organization goes unnoticed if it reads its own rows", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization
        const id = AutomationId.make(freshId())
        yield* insertAutomation(id).pipe(inside(organization))
        const found = yield* Effect.flatMap(Automations, (automations) => automations.get(id)).pipe(
          inside(organization),
          Effect.provide(layerForgetful)
        )
        assert.strictEqual(found.id, id)
      })
    )
  })

const withIt = (name: string, database: Database) =>
  layer(portsOn(underRowLevelSecurity(database)), { timeout: "60 seconds" })(name, (it) => {
    it.effect("every table with an organization is locked, and nothing leads round the locks", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const tables = yield* sql<{ readonly name: string; readonly isLocked: boolean; readonly twins: number }>`
          SELECT t.relname::text AS name, t.relrowsecurity AND t.relforcerowsecurity
              AND EXISTS (SELECT FROM pg_policy WHERE polrelid = t.oid) AS "isLocked",
            (SELECT count(*)::integer FROM pg_trigger WHERE tgrelid = t.oid AND tgname IN ('keep_twin', 'guard_twin')) AS twins
          FROM pg_class AS t WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p')
            AND (t.relname = 'organizations' OR EXISTS (
              SELECT FROM pg_attribute WHERE attrelid = t.oid AND attname = 'organization_id' AND NOT attisdropped))`
        assert.isAbove(tables.length, 5)
        assert.isEmpty(tables.filter(({ isLocked, twins }) => !isLocked || twins !== 2).map(({ name }) => name))
        // A plan also does not show tables that functions and triggers access.
        const detours = yield* sql<{ readonly name: string }>`
          SELECT relname::text AS name FROM pg_class
          WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm', 'f')
          UNION ALL SELECT proname::text FROM pg_proc AS f JOIN pg_language AS l ON l.oid = f.prolang
          WHERE pronamespace = 'public'::regnamespace AND (prosecdef OR lanname NOT IN ('c', 'internal'))
            AND NOT starts_with(proname, 'parley_')
            -- It reads only its argument.
            AND proname <> 'contact_days'
          UNION ALL SELECT tgname::text FROM pg_trigger WHERE NOT tgisinternal AND tgname NOT IN ('keep_twin', 'guard_twin')
          UNION ALL SELECT rulename::text FROM pg_rules WHERE schemaname = 'public'`
        assert.isEmpty(detours.map(({ name }) => name))
      })
    )

    it.effect("works as a role that the locks hold for", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [role] = yield* sql`
          SELECT rolname::text AS name, rolsuper OR rolbypassrls OR rolcanlogin AS "isMore"
          FROM pg_roles WHERE rolname = current_user`
        assert.deepStrictEqual(role, { name: oracleRole, isMore: false })
      })
    )

    it.effect.each(forgetful)("it complains about what %s", ([, deed]) =>
      Effect.gen(function* () {
        const namesakes = yield* givenNamesakes
        const sql = yield* SqlClient.SqlClient
        const done = deed(sql, namesakes).pipe(inside(namesakes.ours))
        assert.match(complaintOf(yield* Effect.exit(done)), complaint)
        assert.match(complaintOf(yield* Effect.exit(sql.withTransaction(done))), complaint)
        const rows = yield* sql`
          SELECT name, enabled FROM automations WHERE organization_id IN ${sql.in([namesakes.ours, namesakes.theirs])}`
        const untouched = { name: "Greet", enabled: false }
        assert.deepStrictEqual(rows, [untouched, untouched])
      })
    )

    it.effect("it complains about a port that forgets its organization, though only its own rows were asked for", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization
        const id = AutomationId.make(freshId())
        yield* insertAutomation(id).pipe(inside(organization))
        const found = Effect.flatMap(Automations, (automations) => automations.get(id)).pipe(inside(organization))
        assert.strictEqual((yield* found).id, id)
        assert.match(complaintOf(yield* Effect.exit(Effect.provide(found, layerForgetful))), complaint)
      })
    )

    it.effect("each statement sets the organization, and none sees twin rows", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { id, ours, theirs } = yield* givenNamesakes
        const named = (organization: OrganizationId) =>
          sql`SELECT organization_id AS owner FROM automations WHERE organization_id = ${organization} AND id = ${id}`
        yield* sql.withTransaction(
          Effect.gen(function* () {
            for (const organization of [ours, theirs]) {
              assert.deepStrictEqual(yield* named(organization).pipe(inside(organization)), [{ owner: organization }])
            }
            const inner = sql.withTransaction(
              Effect.andThen(named(theirs).pipe(inside(theirs)), Effect.fail("undone" as const))
            )
            assert.isTrue(Exit.isFailure(yield* Effect.exit(inner)))
            assert.deepStrictEqual(yield* named(ours).pipe(inside(ours)), [{ owner: ours }])
          })
        )
        assert.lengthOf(yield* sql`SELECT FROM automations WHERE id = ${id}`, 2)
      })
    )

    it.effect("errors are equal with and without it", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { id, ours } = yield* givenNamesakes
        const again = sql`INSERT INTO automations SELECT * FROM automations WHERE organization_id = ${ours} AND id = ${id}`
        const failure = yield* again.pipe(inside(ours), Effect.flip)
        assert.strictEqual(failure.reason._tag, "UniqueViolation")
        const ignored = sql.withTransaction(Effect.exit(again.pipe(inside(ours))))
        assert.isTrue(Exit.isFailure(yield* Effect.exit(ignored)), "a COMMIT of what has failed")
        assert.lengthOf(yield* sql`SELECT FROM automations WHERE id = ${id}`, 2)
      })
    )
  })

const verdicts = makeVerdicts()

const withOneThatRemembers = (name: string, database: Database) =>
  layer(portsOn(underRowLevelSecurity(database, { verdicts })), { timeout: "60 seconds" })(name, (it) => {
    const nameOf = (sql: SqlClient.SqlClient, organization: OrganizationId, id: AutomationId) =>
      sql`SELECT name FROM automations WHERE organization_id = ${organization} AND id = ${id} AND version > 0`

    it.effect("a statement with its organization in all values is compared until a difference", () =>
      Effect.gen(function* () {
        const { id, ours, theirs } = yield* givenNamesakes
        const sql = yield* SqlClient.SqlClient
        const read = (wanted: AutomationId) => nameOf(sql, ours, wanted).pipe(inside(ours))
        const compared = () =>
          Array.from(verdicts.compared).flatMap(([text, { times }]) => (text.includes("version > 0") ? times : []))
        // An older server does not tell how it plans for any values, and each is compared.
        const [server] = yield* sql<{ readonly tells: boolean }>`
            SELECT current_setting('server_version_num')::integer >= 170000 AS tells`
        const unknown = AutomationId.make(freshId())
        for (const wanted of [unknown, unknown]) assert.deepStrictEqual(yield* read(wanted), [])
        assert.deepStrictEqual(compared(), [server?.tells === true ? 1 : 2])
        for (const wanted of [id, id, unknown]) yield* read(wanted)
        assert.deepStrictEqual(compared(), [server?.tells === true ? 2 : 5])
        const ofOthers = nameOf(sql, theirs, id).pipe(inside(ours))
        assert.match(complaintOf(yield* Effect.exit(ofOthers)), complaint)
        assert.match(complaintOf(yield* Effect.exit(sql.withTransaction(ofOthers))), complaint)
      })
    )

    it.effect("a statement that names its organization with some values only is complained about with others", () =>
      Effect.gen(function* () {
        const { ours } = yield* givenNamesakes
        const sql = yield* SqlClient.SqlClient
        const named = (all: boolean) =>
          sql`SELECT name FROM automations WHERE ${all}::boolean OR organization_id = ${ours}`.pipe(inside(ours))
        for (const all of [false, false]) assert.lengthOf(yield* named(all), 1)
        assert.match(complaintOf(yield* Effect.exit(named(true))), complaint)
      })
    )

    it.effect.each(forgetful)("it complains each time about what %s", ([, deed]) =>
      Effect.gen(function* () {
        const { id, ours, theirs } = yield* givenNamesakes
        const sql = yield* SqlClient.SqlClient
        const done = deed(sql, { id, ours, theirs }).pipe(inside(ours))
        for (const again of [done, done, sql.withTransaction(done), sql.withTransaction(done)])
          assert.match(complaintOf(yield* Effect.exit(again)), complaint)
        for (const organization of [ours, theirs]) {
          const rows = yield* sql`SELECT name, enabled FROM automations WHERE organization_id = ${organization}`
          assert.deepStrictEqual(rows, [{ name: "Greet", enabled: false }])
        }
      })
    )
  })

const suites = (name: string, database: Database) =>
  describe(name, () => {
    withoutIt("without the oracle", database)
    withIt("with the oracle", database)
    withOneThatRemembers("with the oracle, which remembers what holds for all values", database)
  })

suites("row level security on PostgreSQL", layerServer)
