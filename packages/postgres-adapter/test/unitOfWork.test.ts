import { assert, describe, layer } from "@effect/vitest"
import { Outbox, transact } from "@parley/domain/kernel"
import { EventLog } from "@parley/domain/platform"
import * as Postgres from "@parley/postgres-adapter"
import { layerServer } from "@parley/postgres-adapter/testing"
import { asOperatorOf, givenOrganization, TestSecurity } from "@parley/testkit"
import { Cause, Effect, Fiber, Layer } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { TestClock } from "effect/testing"

const live = Layer.merge(Layer.provideMerge(Postgres.layer, layerServer), TestSecurity.layer)

const given = Effect.gen(function* () {
  const organization = yield* givenOrganization()
  const outbox = yield* Outbox
  const log = yield* EventLog
  const append = outbox
    .append({ type: "organization.updated", organizationId: organization.id })
    .pipe(asOperatorOf(organization))
  const positions = log.list(["organization.updated"], { limit: 100, after: null }).pipe(
    asOperatorOf(organization),
    Effect.map((events) => events.map(({ position }) => position))
  )
  return { append, positions, sql: yield* SqlClient.SqlClient }
})

describe("the unit of work on a server", () => {
  layer(live)((it) => {
    it.effect("gives a driver failure of the caller back as the caller's, and takes its writes back", () =>
      Effect.gen(function* () {
        const { append, positions, sql } = yield* given
        const error = yield* append.pipe(Effect.andThen(sql`SELECT 1 / 0`), transact, Effect.flip)
        assert.isTrue(SqlError.isSqlError(error))
        assert.deepStrictEqual(yield* positions, [])
      })
    )

    it.effect("dies when the commit fails", () =>
      Effect.gen(function* () {
        const { append, positions, sql } = yield* given
        yield* sql`CREATE TABLE late (id integer UNIQUE DEFERRABLE INITIALLY DEFERRED)`
        const exit = yield* append.pipe(
          Effect.andThen(sql`INSERT INTO late VALUES (1), (1)`),
          Effect.orDie,
          transact,
          Effect.exit
        )
        const defect = exit._tag === "Failure" ? Cause.squash(exit.cause) : assert.fail("it was committed")
        assert.strictEqual(SqlError.isSqlError(defect) && defect.reason._tag, "UniqueViolation")
        assert.deepStrictEqual(yield* positions, [])
      })
    )

    it.effect("gives a refusal back also where its connection is lost before the rollback", () =>
      Effect.gen(function* () {
        const { append, sql } = yield* given
        const error = yield* append.pipe(
          Effect.andThen(Effect.ignore(sql`SELECT pg_terminate_backend(pg_backend_pid())`)),
          Effect.andThen(Effect.fail("refused" as const)),
          transact,
          Effect.flip
        )
        assert.strictEqual(error, "refused")
      })
    )

    it.effect("dies when the caller goes on after a driver failure that it has hidden", () =>
      Effect.gen(function* () {
        const { positions, append, sql } = yield* given
        const exit = yield* Effect.ignore(sql`SELECT 1 / 0`).pipe(Effect.andThen(append), transact, Effect.exit)
        assert.isTrue(exit._tag === "Failure" && Cause.hasDies(exit.cause))
        assert.deepStrictEqual(yield* positions, [])
      })
    )

    it.effect("drops the events of a nested unit of work that was given up, and keeps those around it", () =>
      Effect.gen(function* () {
        const { append, positions } = yield* given
        const work = Effect.gen(function* () {
          yield* append
          yield* append.pipe(Effect.andThen(Effect.never), transact, Effect.timeoutOption("1 second"))
          yield* transact(append)
        })
        const running = yield* Effect.forkChild(transact(work))
        yield* Effect.repeat(TestClock.adjust("1 second"), { until: () => running.pollUnsafe() !== undefined })
        yield* Fiber.join(running)
        assert.deepStrictEqual(yield* positions, [1 + 1, 1 + 2])
      })
    )

    it.effect("takes no event after its end", () =>
      Effect.gen(function* () {
        const { append, positions } = yield* given
        const late = yield* transact(
          Effect.gen(function* () {
            yield* append
            return yield* Effect.forkDetach(Effect.delay(append, "1 second"))
          })
        )
        yield* TestClock.adjust("1 second")
        const exit = yield* Fiber.await(late)
        assert.isTrue(exit._tag === "Failure" && Cause.hasDies(exit.cause))
        assert.deepStrictEqual(yield* positions, [2])
      })
    )

    it.effect("leaves the connection of an interrupted unit of work fit for the next", () =>
      Effect.gen(function* () {
        const { append, positions, sql } = yield* given
        for (let round = 0; round < 20; round += 1) {
          const running = yield* append.pipe(
            Effect.andThen(sql`SELECT pg_sleep(30)`),
            transact,
            Effect.forkChild({ startImmediately: true })
          )
          yield* sql`SELECT 1`
          yield* Fiber.interrupt(running)
        }
        yield* transact(append)
        assert.deepStrictEqual(yield* positions, [2])
        const [open] = yield* sql<{ readonly count: number }>`
          SELECT count(*)::integer AS count FROM pg_stat_activity
          WHERE datname = current_database() AND state LIKE 'idle in transaction%'`
        assert.strictEqual(open?.count, 0)
      })
    )
  })
})
