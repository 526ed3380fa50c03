import { assert, describe, it } from "@effect/vitest"
import { Backup, Database, Migrations } from "@parley/postgres-adapter"
import { freshDatabase } from "@parley/postgres-adapter/testing"
import { DateTime, Effect, type Redacted } from "effect"
import { SqlClient } from "effect/sql"

const from = { file: "earlier.parley", snapshotAt: DateTime.makeUnsafe("2026-03-01T02:00:00Z") }

const inRestore = (url: Redacted.Redacted) =>
  Effect.provide(Database.layer({ url, applicationName: Backup.restoreApplication, maxConnections: 2 }))

const migrated = Effect.gen(function* () {
  const url = yield* freshDatabase
  yield* Migrations.migrate.pipe(inRestore(url))
  return url
})

const addOrganization = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO organizations (id, name, slug, plan, timezone, locale, currency, status, created_at, version)
    VALUES ('019b0000-0000-7000-8000-000000000001', 'Corner Bakery', 'corner-bakery', 'scale', 'UTC', 'en', 'EUR', 'active',
      now(), 1)`
})

const nextPosition = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly next: number }>`SELECT nextval('send_queue_positions')::integer AS next`
  return row?.next
})

const position = (value: string | null) => ({ name: "send_queue_positions", value })

describe("a restore", () => {
  it.live("refuses a database with sessions of another process after the first check", () =>
    Effect.gen(function* () {
      const url = yield* migrated
      yield* Effect.gen(function* () {
        yield* Backup.checkTarget({ replaces: true })
        const sql = yield* SqlClient.SqlClient
        const serving = Database.layer({ url, applicationName: Migrations.applicationOf("0.2.0"), maxConnections: 1 })
        const refused = yield* Effect.gen(function* () {
          const other = yield* SqlClient.SqlClient
          yield* other`SELECT 1`
          return yield* Effect.flip(
            Effect.provideService(
              Backup.restoreInto({ ...from, replaces: true }, () => Effect.void),
              SqlClient.SqlClient,
              sql
            )
          )
        }).pipe(Effect.provide(serving))
        assert.strictEqual(refused._tag, "DatabaseInUse")
        assert.isNull(yield* Backup.readHold)
      }).pipe(inRestore(url))
    }).pipe(Effect.scoped)
  )

  it.live("refuses rows that arrive after the first check, and keeps them", () =>
    Effect.gen(function* () {
      const url = yield* migrated
      yield* Effect.gen(function* () {
        yield* Backup.checkTarget({ replaces: false })
        yield* addOrganization
        const refused = yield* Effect.flip(Backup.restoreInto({ ...from, replaces: false }, () => Effect.void))
        assert.strictEqual(refused._tag, "DatabaseNotEmpty")
        assert.deepStrictEqual(yield* Backup.countRows([{ name: "organizations" }]), [1])
      }).pipe(inRestore(url))
    }).pipe(Effect.scoped)
  )

  it.live("sets sequences, and a failure leaves them as they were", () =>
    Effect.gen(function* () {
      const url = yield* migrated
      yield* Effect.gen(function* () {
        const restoring = (value: string | null, fails: boolean) =>
          Backup.restoreInto({ ...from, replaces: true }, ({ setSequence }) =>
            Effect.andThen(setSequence(position(value)), fails ? Effect.fail("The file is damaged") : Effect.void)
          )
        yield* restoring("41", false)
        assert.strictEqual(yield* nextPosition, 42)
        yield* Effect.flip(restoring("7", true))
        assert.strictEqual(yield* nextPosition, 43)
        yield* restoring(null, false)
        assert.strictEqual(yield* nextPosition, 1)
      }).pipe(inRestore(url))
    }).pipe(Effect.scoped)
  )
})

describe("a snapshot", () => {
  it.live("names the master keys of farewells and of former webhook secrets", () =>
    Effect.gen(function* () {
      const url = yield* migrated
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* addOrganization
        yield* sql`
          INSERT INTO plugin_lifecycle_calls (organization_id, id, plugin_id, type, has_secret, farewell, attempts, due_at)
          SELECT id, id, id, 'removed', true, 'v1.k1.sealed', 0, now() FROM organizations`
        yield* sql`CREATE TABLE former (former_secrets json NOT NULL)`
        yield* sql`INSERT INTO former VALUES ('[{"sealed": "v1.k2.sealed", "until": "2026-03-01T02:00:00Z"}]')`
        const { keyIds } = yield* Backup.openSnapshot
        assert.deepStrictEqual(keyIds, ["k1", "k2"])
      }).pipe(inRestore(url))
    }).pipe(Effect.scoped)
  )
})
