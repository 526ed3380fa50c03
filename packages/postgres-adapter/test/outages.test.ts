import { assert, describe, it } from "@effect/vitest"
import { CurrentStorageTimeout, findOutage, type StorageOutcome, StorageTimeout, transact } from "@parley/domain/kernel"
import * as Postgres from "@parley/postgres-adapter"
import { freshDatabase } from "@parley/postgres-adapter/testing"
import { Effect, Exit, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { type FaultProxy, faultProxy } from "../../pg-pipeline/test/support/faultProxy.ts"
import { orDieSqlErrors } from "../src/kernel/defects.ts"

/** Runs against a new database, through a network that fails on demand. */
const through = <A, E>(
  program: (proxy: FaultProxy) => Effect.Effect<A, E, SqlClient.SqlClient | Layer.Success<typeof Postgres.layer>>
) =>
  Effect.gen(function* () {
    const proxy = yield* faultProxy(yield* freshDatabase)
    const database = Postgres.Database.layer({ url: proxy.url, maxConnections: 2, connectTimeout: "10 seconds" })
    return yield* Effect.provide(program(proxy), Postgres.layer.pipe(Layer.provideMerge(database)))
  }).pipe(Effect.scoped)

const outcomeOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(effect), (exit): StorageOutcome | "done" | "fault" =>
    Exit.isSuccess(exit) ? "done" : (findOutage(exit.cause)?.outcome ?? "fault")
  )

const makeTable = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE marks (mark text)`)

const mark = (name: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => orDieSqlErrors(sql`INSERT INTO marks VALUES (${name})`))

const marks = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT mark FROM marks ORDER BY mark`)

const ask = Effect.flatMap(SqlClient.SqlClient, (sql) => orDieSqlErrors(sql`SELECT 1 AS one`))

/** Retries until the outage ends. */
const askUntilAnswered = ask.pipe(Effect.sandbox, Effect.retry(Schedule.spaced("20 millis")), Effect.orDie)

describe("units of work, when the network fails", () => {
  it.live("end with an outage at the storage timeout of the caller", () =>
    through((proxy) =>
      Effect.gen(function* () {
        yield* ask
        proxy.hold()
        const outcome = yield* Effect.provideService(
          outcomeOf(transact(ask)),
          CurrentStorageTimeout,
          new StorageTimeout(3_000)
        )
        assert.strictEqual(outcome, "not_made")
        proxy.pass()
        yield* askUntilAnswered
        assert.strictEqual(yield* outcomeOf(transact(ask)), "done")
      })
    )
  )

  it.live("have no effect when the server ends the session after an answer", () =>
    through((proxy) =>
      Effect.gen(function* () {
        yield* makeTable
        proxy.endAfterAnswerTo("INSERT INTO marks")
        assert.strictEqual(yield* outcomeOf(transact(Effect.andThen(mark("lost"), ask))), "not_made")
        yield* askUntilAnswered
        assert.deepStrictEqual(yield* marks, [])
      })
    )
  )

  it.live("have an unknown outcome when the answer to the commit is lost", () =>
    through((proxy) =>
      Effect.gen(function* () {
        yield* makeTable
        proxy.loseAnswerTo("COMMIT", true)
        assert.strictEqual(yield* outcomeOf(transact(mark("stored"))), "unknown")
        yield* askUntilAnswered
        assert.deepStrictEqual(yield* marks, [{ mark: "stored" }])
      })
    )
  )
})
