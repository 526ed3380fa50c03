import { assert, describe, it, layer } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { AuditEvent, AuditEventId, AuditLog, layerNoMailer, Users } from "@parley/domain/platform"
import * as Postgres from "@parley/postgres-adapter"
import { freshDatabase, layerServer } from "@parley/postgres-adapter/testing"
import { asOperatorOf, givenOrganization, givenUser, TestSecurity } from "@parley/testkit"
import { DateTime, Effect, Fiber, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"

const outside = Layer.merge(TestSecurity.layer, layerNoMailer("https://parley.example"))

const live = Layer.merge(Layer.provideMerge(Postgres.layer, layerServer), outside)

describe("on a server", () => {
  layer(live)((it) => {
    it.effect("keeps and compares instants from the beginning of time to its end, to the millisecond", () =>
      Effect.gen(function* () {
        const log = yield* AuditLog
        const [earliest, latest] = [DateTime.makeUnsafe(-8.64e15), DateTime.makeUnsafe(8.64e15)]
        yield* Effect.gen(function* () {
          const instants = ["1969-12-31T23:59:59.999Z", "2000-01-01T00:00:00.000Z", "2026-11-21T12:34:56.789Z"]
          for (const at of instants) {
            yield* transact(
              log.append(
                new AuditEvent({
                  id: AuditEventId.make(SecureRandom.uuidV7Unsafe()),
                  actor: { kind: "system", id: "test" },
                  action: "tested",
                  target: { kind: "test", id: at },
                  before: null,
                  after: null,
                  requestId: null,
                  at: DateTime.makeUnsafe(at)
                })
              )
            )
          }
          const filter = { actorId: null, targetKind: "test", targetId: null, action: null }
          const all = yield* log.list({ ...filter, from: earliest, to: latest }, { limit: 100, after: null })
          assert.deepStrictEqual(
            all.map(({ at }) => DateTime.formatIso(at)),
            instants.toReversed()
          )
          assert.lengthOf(yield* log.list({ ...filter, from: latest, to: null }, { limit: 100, after: null }), 0)
          assert.lengthOf(yield* log.list({ ...filter, from: null, to: earliest }, { limit: 100, after: null }), 0)
        }).pipe(asOperatorOf(yield* givenOrganization()))
      })
    )

    it.effect("tells the server who it is, and how long to wait for a statement", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [settings] = yield* sql`
          SELECT current_setting('application_name') AS name, current_setting('statement_timeout') AS timeout,
            current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('timezone') AS zone`
        assert.deepStrictEqual({ ...settings }, { name: "parley", timeout: "30s", idle: "1min", zone: "UTC" })
      })
    )

    it.effect("runs many reads over few connections, while units of work have their own", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const users = yield* Users
        const { user } = yield* givenUser()
        const write = (index: number) =>
          transact(
            Effect.gen(function* () {
              yield* users.rename(user.id, `Name ${index}`)
              return (yield* users.find(user.id))?.name
            })
          )
        const reading = yield* Effect.replicateEffect(users.find(user.id), 2_000, { concurrency: "unbounded" }).pipe(
          Effect.forkChild
        )
        const names = yield* Effect.forEach(
          Array.from({ length: 100 }, (_, index) => index),
          write,
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          names,
          names.map((_, index) => `Name ${index}`)
        )
        assert.lengthOf(yield* Fiber.join(reading), 2_000)
        // One more may just look whether the server answers at all, where an answer takes long.
        const [connections] = yield* sql<{ readonly count: number }>`
          SELECT count(*)::integer AS count FROM pg_stat_activity WHERE datname = current_database()
            AND backend_type = 'client backend' AND query !~ 'pg_is_in_recovery|client_connection_check_interval'`
        assert.isAtMost(connections?.count ?? 0, 10)
      })
    )
  })

  it.effect("recovers automatically after the server closed its connections", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      const database = (maxConnections: number) => Layer.fresh(Postgres.Database.layer({ url, maxConnections }))
      const storage = yield* Layer.build(Layer.provideMerge(Postgres.layer, database(3)))
      const people = yield* Effect.replicateEffect(givenUser(), 5, { concurrency: "unbounded" }).pipe(
        Effect.provide(outside),
        Effect.provide(storage)
      )
      const find = Effect.flatMap(Users, (users) =>
        Effect.forEach(people, ({ user }) => users.find(user.id), { concurrency: "unbounded" })
      ).pipe(Effect.provide(storage))
      yield* find
      const ended = yield* Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`
          SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`
      ).pipe(Effect.provide(database(1)))
      assert.isAtLeast(ended.length, 1)
      yield* Effect.retry(Effect.sandbox(find), { times: 3 })
      assert.isTrue((yield* find).every((user) => user !== null))
    })
  )
})
