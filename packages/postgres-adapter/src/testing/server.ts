import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { PgClient } from "@effect/sql-pg"
import { Config, Effect, Layer, Redacted, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { Reactivity } from "effect/reactivity"
import type { SqlClient, SqlError } from "effect/sql"
import * as Database from "../Database.ts"
import { advisoryKey } from "../kernel/advisoryKey.ts"
import { realTime } from "../kernel/realTime.ts"
import * as Migrations from "../Migrations.ts"
import { lockRows, locksFingerprint } from "./oracle/lockRows.ts"
import { schemaFingerprint } from "./schemaFingerprint.ts"

const templates = "parley_template_"
const lockedTemplates = "parley_locked_template_"
const databases = "parley_test_"

const inDatabase = (server: Redacted.Redacted, name: string) => {
  const url = new URL(Redacted.value(server))
  url.pathname = `/${name}`
  return Redacted.make(url.href)
}

/** Server for test databases. The test runner starts one or gets its URL. */
const server = Config.Redacted("PARLEY_TEST_DATABASE_URL")

const exists = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, name: string) {
  return (yield* sql`SELECT 1 FROM pg_database WHERE datname = ${name}`).length > 0
})

/** Description of a template database. */
interface Template {
  readonly name: string
  /** Name prefix of templates of the same kind. A new template makes all others of its kind obsolete. */
  readonly kind: string
  /** Creates the database that is filled under this name. */
  readonly begin: (sql: SqlClient.SqlClient, draft: string) => Effect.Effect<unknown, SqlError.SqlError>
  readonly fill: (url: Redacted.Redacted) => Effect.Effect<void, unknown>
}

const dropOthers = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { kind, name }: Template) {
  const others = yield* sql<{ readonly datname: string }>`
    SELECT datname FROM pg_database WHERE starts_with(datname, ${kind}) AND datname <> ${name}`
  yield* Effect.forEach(others, ({ datname }) => sql`DROP DATABASE IF EXISTS ${sql(datname)} WITH (FORCE)`, {
    discard: true
  })
})

/** Makes a template if it is missing. One of several concurrent test runs makes it. */
const prepare = Effect.fnUntraced(function* (server: Redacted.Redacted, sql: SqlClient.SqlClient, template: Template) {
  const { kind, name } = template
  if (yield* exists(sql, name)) return
  // CREATE DATABASE cannot run in a transaction, so another client holds the lock.
  const guard = yield* PgClient.make({ url: server, maxConnections: 1 })
  yield* guard.withTransaction(
    Effect.gen(function* () {
      yield* guard`SELECT 1 FROM pg_advisory_xact_lock(${advisoryKey(guard, "migrations", kind)})`
      if (yield* exists(sql, name)) return
      const draft = `${name}_draft`
      yield* dropOthers(sql, template)
      yield* template.begin(sql, draft)
      yield* template.fill(inDatabase(server, draft))
      yield* sql`ALTER DATABASE ${sql(draft)} RENAME TO ${sql(name)}`
    })
  )
})

const migrated = Effect.map(schemaFingerprint, (schema): Template => ({
  name: templates + schema,
  kind: templates,
  begin: (sql, draft) => sql`CREATE DATABASE ${sql(draft)}`,
  fill: (url) => Effect.provide(Migrations.migrate, Database.layer({ url, maxConnections: 1 }))
}))

const locked = Effect.map(schemaFingerprint, (schema): Template => ({
  name: `${lockedTemplates}${schema}_${locksFingerprint}`,
  kind: lockedTemplates,
  begin: (sql, draft) => sql`CREATE DATABASE ${sql(draft)} TEMPLATE ${sql(templates + schema)}`,
  fill: (url) => Effect.provide(Effect.flatMap(PgClient.PgClient, lockRows), Database.layer({ url, maxConnections: 1 }))
}))

/** Drops databases of killed runs. Their names start with the creation time, as in UUIDv7. */
const dropAbandoned = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const abandoned = yield* sql<{ readonly datname: string }>`
    SELECT datname FROM pg_database AS d
    WHERE CASE WHEN datname ~ ${`^${databases}[0-9a-f]{32}$`}
        THEN ('x' || substr(datname, ${databases.length + 1}, 12))::bit(48)::bigint
          < extract(epoch FROM now() - interval '2 hours') * 1000 END
      AND NOT EXISTS (SELECT 1 FROM pg_stat_activity AS a WHERE a.datname = d.datname)`
  yield* Effect.forEach(abandoned, ({ datname }) => Effect.ignore(sql`DROP DATABASE IF EXISTS ${sql(datname)}`), {
    discard: true
  })
})

/**
 * Uses a dedicated client. A kept client closes its connection after a minute. It opens no other one while its scope ends, so callers would wait
 * forever.
 */
const withClient = <A, E, R>(url: Redacted.Redacted, use: (sql: PgClient.PgClient) => Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.flatMap(PgClient.make({ url, maxConnections: 1 }), use))

/** A copy of the last of these templates. Each template is created from the one before it. The copy is dropped when the scope ends. */
const freshCopy = Effect.fnUntraced(function* (templates: ReadonlyArray<Template>) {
  const at = yield* server
  const name = `${databases}${SecureRandom.uuidV7Unsafe().replaceAll("-", "")}`
  const create = Effect.fnUntraced(function* (sql: PgClient.PgClient) {
    yield* dropAbandoned(sql)
    for (const template of templates) yield* prepare(at, sql, template)
    const from = templates.at(-1)?.name ?? "template1"
    yield* sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(from)} STRATEGY FILE_COPY`
  })
  // Retries, because another run can drop the template as one of other migrations.
  yield* Effect.acquireRelease(Effect.retry(withClient(at, create), { times: 1 }), () =>
    Effect.orDie(withClient(at, (sql) => sql`DROP DATABASE IF EXISTS ${sql(name)} WITH (FORCE)`))
  )
  return inDatabase(at, name)
})

const onServer = Effect.provide([NodeFileSystem.layer, Reactivity.layer, realTime])

/** A new migrated database on the test server, dropped when the scope ends. Returns its URL. */
export const freshDatabase = Effect.flatMap(migrated, (template) => freshCopy([template])).pipe(onServer, Effect.orDie)

const clientOf = <E>(url: Effect.Effect<Redacted.Redacted, E, Scope.Scope>) =>
  Layer.unwrap(Effect.map(url, (url) => Database.layer({ url }))).pipe(Layer.orDie)

/** A client of a new migrated database on the test server. */
export const layerServer: Layer.Layer<PgClient.PgClient | SqlClient.SqlClient> = clientOf(freshDatabase)

/** A client of a new migrated database that is already prepared for the oracle. Locking each database separately takes longer. */
export const layerLockedServer: Layer.Layer<PgClient.PgClient | SqlClient.SqlClient> = clientOf(
  Effect.flatMap(Effect.all([migrated, locked]), freshCopy).pipe(onServer, Effect.orDie)
)
