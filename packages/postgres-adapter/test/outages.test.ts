import { assert, describe, it } from "@effect/vitest"
import { findOutage, StorageTimeout, CurrentStorageTimeout, type StorageOutcome, transact } from "@parley/domain"
import { type Duration, Effect, Exit, Layer, Option, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import * as Postgres from "@parley/postgres-adapter"
import { freshDatabase } from "@parley/postgres-adapter/testing"
import { driverFailuresDie } from "../src/kernel/defects.ts"
import { type FaultProxy, faultProxy } from "./support/faultProxy.ts"

/** As little as makes the point: a test waits for it, and asserts nothing of how long that was. */
const millis = 3_000

const impatient = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => Effect.provideService(effect, CurrentStorageTimeout, new StorageTimeout(millis)))

const database = (url: Redacted.Redacted, connectTimeout: Duration.Input = "10 seconds") =>
  Postgres.Database.layer({ url, maxConnections: 2, connectTimeout, statementTimeout: "30 seconds" })

/** Runs against a database of its own, through a network that breaks when it is told to. */
const through = <A, E>(
  program: (proxy: FaultProxy) => Effect.Effect<A, E, SqlClient.SqlClient | Layer.Success<typeof Postgres.layer>>
) =>
  Effect.gen(function* () {
    const proxy = yield* faultProxy(yield* freshDatabase)
    const layer = Postgres.layer.pipe(Layer.provideMerge(database(proxy.url)))
    return yield* Effect.provide(program(proxy), layer)
  }).pipe(Effect.scoped)

const outcomeOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(effect), (exit): StorageOutcome | "done" | "fault" => {
    if (Exit.isSuccess(exit)) return "done"
    return findOutage(exit.cause)?.outcome ?? "fault"
  })

const makeTable = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE marks (mark text)`)

const mark = (name: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => driverFailuresDie(sql`INSERT INTO marks VALUES (${name})`))

const marks = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ readonly mark: string }>`SELECT mark FROM marks ORDER BY mark`, (rows) =>
    rows.map((row) => row.mark)
  )
)

const ask = Effect.flatMap(SqlClient.SqlClient, (sql) => driverFailuresDie(sql`SELECT 1 AS one`))

type Work = Effect.Effect<unknown, never, SqlClient.SqlClient>

/** A transaction of a storage port, outside of a unit of work. */
const withoutUnit = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => driverFailuresDie(sql.withTransaction(work)))

/** Asks until there is an answer: an outage ends by itself. */
const askUntilAnswered = ask.pipe(Effect.sandbox, Effect.retry(Schedule.spaced("20 millis")), Effect.orDie)

describe("the client of a server, when the network breaks", () => {
  it.live("waits no longer than a caller may for a server that stands still, and goes on when that does", () =>
    through((proxy) =>
      Effect.gen(function* () {
        yield* ask
        proxy.hold()
        const outcomes = yield* Effect.all(
          [impatient(outcomeOf(ask)), impatient(outcomeOf(transact(ask))), impatient(outcomeOf(ask))],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(outcomes, ["not_made", "not_made", "not_made"])
        proxy.pass()
        yield* askUntilAnswered
        assert.strictEqual(yield* outcomeOf(transact(ask)), "done")
      })
    )
  )

  it.live("lets go of those who must not be interrupted as soon as they have their connection", () =>
    through(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        // There are two connections: one waits for the other two.
        const all = Effect.all([transact(ask), transact(ask), transact(ask), ask], { concurrency: "unbounded" })
        yield* Effect.uninterruptible(all)
        yield* Effect.uninterruptible(Effect.scoped(Effect.andThen(sql.reserve, ask)))
      })
    )
  )

  it.live("counts all that a caller waits for, and not each question by itself", () =>
    through((proxy) =>
      Effect.gen(function* () {
        yield* ask
        proxy.hold()
        const patience = new StorageTimeout(millis)
        const asked = Effect.provideService(outcomeOf(ask), CurrentStorageTimeout, patience)
        assert.strictEqual(yield* asked, "not_made")
        proxy.pass()
        yield* askUntilAnswered
        // Its time is up, and nothing is asked any more.
        assert.strictEqual(yield* asked, "not_made")
      })
    )
  )

  it.live("refuses at once while the server cannot be reached, and comes back by itself", () =>
    through((proxy) =>
      Effect.gen(function* () {
        yield* ask
        proxy.refuse()
        assert.strictEqual(yield* outcomeOf(ask), "not_made")
        assert.strictEqual(yield* outcomeOf(transact(mark("never"))), "not_made")
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
        for (const attempt of [ask, transact(ask), transact(mark("never")), ask]) {
          assert.strictEqual(yield* outcomeOf(attempt), "not_made")
        }
        proxy.pass()
        yield* askUntilAnswered
      })
    )
  )

  it.live.each([
    ["a transaction", withoutUnit],
    ["a part of a transaction", (work: Work) => withoutUnit(withoutUnit(work))],
    ["a unit of work", (work: Work) => transact(work)]
  ] as const)("reports no effect when the server ends the session after an answer within %s", ([, within]) =>
    through((proxy) =>
      Effect.gen(function* () {
        yield* makeTable
        proxy.endBehindAnswerTo("INSERT INTO marks")
        assert.strictEqual(yield* outcomeOf(driverFailuresDie(within(Effect.andThen(mark("lost"), ask)))), "not_made")
        yield* askUntilAnswered
        assert.deepStrictEqual(yield* marks, [])
      })
    )
  )

  it.live.each([true, false])("does not know of a commit whose answer is lost (the connection too: %s)", (cutsOff) =>
    through((proxy) =>
      Effect.gen(function* () {
        yield* makeTable
        proxy.loseAnswerTo("COMMIT", cutsOff)
        assert.strictEqual(yield* impatient(outcomeOf(transact(mark("kept")))), "unknown")
        yield* askUntilAnswered
        assert.deepStrictEqual(yield* marks, ["kept"])
      })
    )
  )

  it.live("knows that nothing was made when the connection is lost before the commit", () =>
    through((proxy) =>
      Effect.gen(function* () {
        yield* makeTable
        const outcome = yield* outcomeOf(
          transact(mark("lost").pipe(Effect.andThen(Effect.sync(proxy.cut)), Effect.andThen(ask)))
        )
        assert.strictEqual(outcome, "not_made")
        yield* askUntilAnswered
        assert.deepStrictEqual(yield* marks, [])
        proxy.loseAnswerTo("INSERT INTO marks", true)
        assert.strictEqual(yield* outcomeOf(transact(mark("lost"))), "not_made")
        yield* askUntilAnswered
        assert.deepStrictEqual(yield* marks, [])
      })
    )
  )

  it.live("does not know of a write outside of a unit of work that is lost on the way", () =>
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

  it.live("tells a fault of ours from an outage", () =>
    through(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        assert.strictEqual(yield* outcomeOf(driverFailuresDie(sql`SELECT 1 / 0`)), "fault")
        assert.strictEqual(yield* outcomeOf(driverFailuresDie(sql`SELECT * FROM nowhere`)), "fault")
        assert.strictEqual(
          yield* outcomeOf(driverFailuresDie(sql`SELECT pg_terminate_backend(pg_backend_pid())`)),
          "not_made"
        )
        yield* askUntilAnswered
      })
    )
  )

  it.live("uses the first of several servers that can be written to, and another one when that goes away", () =>
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

  it.live("does not stay with a server that is only to be read", () =>
    Effect.gen(function* () {
      const url = new URL(Redacted.value(yield* freshDatabase))
      url.searchParams.set("options", "-c default_transaction_read_only=on")
      const refused = yield* Effect.exit(Effect.provide(ask, database(Redacted.make(url.href))))
      assert.isTrue(Exit.isFailure(refused) && (findOutage(refused.cause)?.message ?? "").includes("only to be read"))
      url.searchParams.set("target_session_attrs", "any")
      assert.strictEqual(yield* outcomeOf(Effect.provide(ask, database(Redacted.make(url.href)))), "done")
    }).pipe(Effect.scoped)
  )
})

it("reads addresses as libpq does", () => {
  const places = (address: string) =>
    Option.match(Postgres.Database.readHosts(address), {
      onNone: () => null,
      onSome: ({ all }) => all.map(({ place, url }) => [place, Redacted.value(url)])
    })
  assert.deepStrictEqual(
    places("postgres://u:p%40x@one:5432,two:5433/name?target_session_attrs=read-write&sslmode=require"),
    [
      ["one:5432", "postgres://u:p%40x@one:5432/name?sslmode=require"],
      ["two:5433", "postgres://u:p%40x@two:5433/name?sslmode=require"]
    ]
  )
  assert.deepStrictEqual(places("postgresql://[::1]:5432,two/name"), [
    ["[::1]:5432", "postgresql://[::1]:5432/name"],
    ["two", "postgresql://two/name"]
  ])
  assert.deepStrictEqual(places("postgres://u@/name?host=one,two&port=5432"), [
    ["one:5432", "postgres://u@one:5432/name"],
    ["two:5432", "postgres://u@two:5432/name"]
  ])
  assert.deepStrictEqual(places("postgres:///name?host=/var/run/postgresql"), [
    ["/var/run/postgresql", "postgres://%2Fvar%2Frun%2Fpostgresql/name"]
  ])
  assert.deepStrictEqual(places("postgres:///name"), [["localhost", "postgres:///name"]])
  for (const address of [
    "mysql://one/name",
    "postgres://one:x/name",
    "postgres://one,,two/name",
    "postgres://one:70000,two/name",
    "postgres://one/name?target_session_attrs=standby"
  ]) {
    assert.isNull(places(address), address)
  }
})
