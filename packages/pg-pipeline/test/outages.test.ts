import { assert, describe, it } from "@effect/vitest"
import * as PgPipeline from "@parley/pg-pipeline"
import { CurrentDeadline, makeDeadline, type Outage, outageOf } from "@parley/pg-pipeline"
import { Cause, type Duration, Effect, Exit, Option, Redacted, Schedule } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { type FaultProxy, faultProxy } from "./support/faultProxy.ts"
import { freshDatabase } from "./support/freshDatabase.ts"

/** Deadline of impatient callers. No test asserts how long a call takes. */
const millis = 3_000

const impatient = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => Effect.provideService(effect, CurrentDeadline, makeDeadline(millis)))

const database = (url: Redacted.Redacted, connectTimeout: Duration.Input = "10 seconds") =>
  PgPipeline.layer({ url, maxConnections: 2, connectTimeout, statementTimeout: "30 seconds" })

/** Runs against a new database, through a network that fails on demand. */
const through = <A, E>(program: (proxy: FaultProxy) => Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.gen(function* () {
    const proxy = yield* faultProxy(yield* freshDatabase)
    return yield* Effect.provide(program(proxy), database(proxy.url))
  }).pipe(Effect.scoped)

const failureOf = (cause: Cause.Cause<SqlError.SqlError>) =>
  Option.match(Cause.findErrorOption(cause), { onNone: () => null, onSome: outageOf })

const outcomeOf = <A, R>(effect: Effect.Effect<A, SqlError.SqlError, R>) =>
  Effect.map(Effect.exit(effect), (exit): Outage["outcome"] | "done" | "fault" =>
    Exit.isSuccess(exit) ? "done" : (failureOf(exit.cause)?.outcome ?? "fault")
  )

const makeTable = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE marks (mark text)`)

const mark = (name: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO marks VALUES (${name})`)

const marks = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ readonly mark: string }>`SELECT mark FROM marks ORDER BY mark`, (rows) =>
    rows.map((row) => row.mark)
  )
)

const ask = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1 AS one`)

type Work = Effect.Effect<unknown, SqlError.SqlError, SqlClient.SqlClient>

const transaction = <A, R>(work: Effect.Effect<A, SqlError.SqlError, R>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(work))

/** Retries until the outage ends. */
const askUntilAnswered = ask.pipe(Effect.sandbox, Effect.retry(Schedule.spaced("20 millis")), Effect.orDie)

describe("the client, when the network fails", () => {
  it.live("fails at the deadline of the caller when the server does not respond, and continues when it does", () =>
    through((proxy) =>
      Effect.gen(function* () {
        yield* ask
        proxy.hold()
        const outcomes = yield* Effect.all(
          [impatient(outcomeOf(ask)), impatient(outcomeOf(transaction(ask))), impatient(outcomeOf(ask))],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(outcomes, ["not_made", "not_made", "not_made"])
        proxy.pass()
        yield* askUntilAnswered
        assert.strictEqual(yield* outcomeOf(transaction(ask)), "done")
      })
    )
  )

  it.live("serves uninterruptible callers as soon as a connection is free", () =>
    through(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        // Two connections for three transactions.
        const all = Effect.all([transaction(ask), transaction(ask), transaction(ask), ask], {
          concurrency: "unbounded"
        })
        yield* Effect.uninterruptible(all)
        yield* Effect.uninterruptible(Effect.scoped(Effect.andThen(sql.reserve, ask)))
      })
    )
  )

  it.live("applies a deadline to all statements of a caller together", () =>
    through((proxy) =>
      Effect.gen(function* () {
        yield* ask
        proxy.hold()
        const deadline = makeDeadline(millis)
        const asked = Effect.provideService(outcomeOf(ask), CurrentDeadline, deadline)
        assert.strictEqual(yield* asked, "not_made")
        proxy.pass()
        yield* askUntilAnswered
        // No time is left for another statement.
        assert.strictEqual(yield* asked, "not_made")
      })
    )
  )

  it.live("fails directly while the server is unreachable, and recovers automatically", () =>
    through((proxy) =>
      Effect.gen(function* () {
        yield* ask
        proxy.refuse()
        assert.strictEqual(yield* outcomeOf(ask), "not_made")
        assert.strictEqual(yield* outcomeOf(transaction(mark("never"))), "not_made")
        proxy.pass()
        yield* askUntilAnswered
      })
    )
  )

  it.live.each([
    ["55000", 'database "parley" is not currently accepting connections'],
    ["28P01", 'password authentication failed for user "parley"'],
    ["28000", 'role "parley" is not permitted to log in'],
    ["3D000", 'database "parley" does not exist'],
    ["42501", 'permission denied for database "parley"'],
    ["53300", "too many connections for database"],
    ["57P03", "the database system is starting up"],
    ["XX000", "internal error"]
  ] as const)("treats every refused connection as an outage: %s", ([sqlState, message]) =>
    through((proxy) =>
      Effect.gen(function* () {
        yield* ask
        proxy.reject(sqlState, message)
        // The first attempt gets the failure, the others the known state.
        for (const attempt of [ask, transaction(ask), transaction(mark("never")), ask]) {
          assert.strictEqual(yield* outcomeOf(attempt), "not_made")
        }
        proxy.pass()
        yield* askUntilAnswered
      })
    )
  )

  it.live.each([
    ["a transaction", transaction],
    ["a part of a transaction", (work: Work) => transaction(transaction(work))]
  ] as const)("reports no effect when the server ends the session after an answer within %s", ([, within]) =>
    through((proxy) =>
      Effect.gen(function* () {
        yield* makeTable
        proxy.endAfterAnswerTo("INSERT INTO marks")
        assert.strictEqual(yield* outcomeOf(within(Effect.andThen(mark("lost"), ask))), "not_made")
        yield* askUntilAnswered
        assert.deepStrictEqual(yield* marks, [])
      })
    )
  )

  it.live.each([true, false])(
    "reports an unknown outcome of a commit whose answer is lost (with the connection: %s)",
    (cutsOff) =>
      through((proxy) =>
        Effect.gen(function* () {
          yield* makeTable
          proxy.loseAnswerTo("COMMIT", cutsOff)
          assert.strictEqual(yield* impatient(outcomeOf(transaction(mark("kept")))), "unknown")
          yield* askUntilAnswered
          assert.deepStrictEqual(yield* marks, ["kept"])
        })
      )
  )

  it.live("reports no effect when the connection is lost before the commit", () =>
    through((proxy) =>
      Effect.gen(function* () {
        yield* makeTable
        const outcome = yield* outcomeOf(
          transaction(mark("lost").pipe(Effect.andThen(Effect.sync(proxy.cut)), Effect.andThen(ask)))
        )
        assert.strictEqual(outcome, "not_made")
        yield* askUntilAnswered
        assert.deepStrictEqual(yield* marks, [])
        proxy.loseAnswerTo("INSERT INTO marks", true)
        assert.strictEqual(yield* outcomeOf(transaction(mark("lost"))), "not_made")
        yield* askUntilAnswered
        assert.deepStrictEqual(yield* marks, [])
      })
    )
  )

  it.live("reports an unknown outcome of a lost write outside of a transaction", () =>
    through((proxy) =>
      Effect.gen(function* () {
        yield* makeTable
        proxy.loseAnswerTo("INSERT INTO marks", true)
        assert.strictEqual(yield* outcomeOf(mark("kept")), "unknown")
        yield* askUntilAnswered
        assert.deepStrictEqual(yield* marks, ["kept"])
      })
    )
  )

  it.live("distinguishes a failed statement from an outage", () =>
    through(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        assert.strictEqual(yield* outcomeOf(sql`SELECT 1 / 0`), "fault")
        assert.strictEqual(yield* outcomeOf(sql`SELECT * FROM nowhere`), "fault")
        assert.strictEqual(yield* outcomeOf(sql`SELECT pg_terminate_backend(pg_backend_pid())`), "not_made")
        yield* askUntilAnswered
      })
    )
  )

  it.live("uses the first writable server of several, and another one after its failure", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      const [one, two] = [yield* faultProxy(url), yield* faultProxy(url)]
      const [first, second] = [new URL(Redacted.value(one.url)), new URL(Redacted.value(two.url))]
      const both = Redacted.make(
        `postgres://${first.username}:${first.password}@${first.host},${second.host}${first.pathname}`
      )
      yield* Effect.gen(function* () {
        one.refuse()
        yield* askUntilAnswered
        one.pass()
        two.refuse()
        yield* askUntilAnswered
        one.hold()
        two.pass()
        assert.strictEqual(yield* impatient(outcomeOf(ask)), "not_made")
        yield* askUntilAnswered
      }).pipe(Effect.provide(database(both, "1 second")))
    }).pipe(Effect.scoped)
  )

  it.live("rejects a read-only server unless the address accepts it", () =>
    Effect.gen(function* () {
      const url = new URL(Redacted.value(yield* freshDatabase))
      url.searchParams.set("options", "-c default_transaction_read_only=on")
      const refused = yield* Effect.exit(Effect.provide(ask, database(Redacted.make(url.href))))
      assert.include(Exit.isFailure(refused) ? failureOf(refused.cause)?.reason : "", "only to be read")
      url.searchParams.set("target_session_attrs", "any")
      assert.strictEqual(yield* outcomeOf(Effect.provide(ask, database(Redacted.make(url.href)))), "done")
    }).pipe(Effect.scoped)
  )
})
