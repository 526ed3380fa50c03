import { assert, describe, it } from "@effect/vitest"
import {
  Outbox,
  findOutage,
  StorageTimeout,
  CurrentStorageTimeout,
  transact,
  type Transaction
} from "@parley/domain/kernel"
import { deferToNext, pipelinePair } from "@parley/pg-pipeline"
import * as Postgres from "@parley/postgres-adapter"
import { freshDatabase } from "@parley/postgres-adapter/testing"
import { asOperatorOf, givenOrganization, TestSecurity } from "@parley/testkit"
import { Cause, Context, Deferred, Effect, Exit, Fiber, Layer, type Redacted } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { orDieSqlErrors } from "../src/kernel/defects.ts"
import { type Cut, type CuttingProxy, cuttingProxy } from "./support/cuttingProxy.ts"

/** One connection for all statements. */
const client = (url: Redacted.Redacted, applicationName: string) =>
  Layer.fresh(
    Postgres.layer.pipe(Layer.provideMerge(Postgres.Database.layer({ url, maxConnections: 1, applicationName })))
  )

type Ports = SqlClient.SqlClient | Layer.Success<typeof Postgres.layer>

interface Ground {
  readonly proxy: CuttingProxy
  /** Client that bypasses the proxy. */
  readonly sql: SqlClient.SqlClient
  /** Appends an event. */
  readonly append: Effect.Effect<void, never, Outbox | Transaction>
  /** Stored data: marks, and events. */
  readonly stored: Effect.Effect<{ readonly marks: ReadonlyArray<string>; readonly events: number }>
  /** Runs the program on a separate, previously used connection, and waits until the server has finished with it. */
  readonly through: <A, E>(cut: Cut | null, program: Effect.Effect<A, E, Ports>) => Effect.Effect<Exit.Exit<A, E>>
}

const ground = Effect.gen(function* () {
  const target = yield* freshDatabase
  const observer = yield* Layer.build(Layer.mergeAll(client(target, "observer"), TestSecurity.layer))
  const sql = Context.get(observer, SqlClient.SqlClient)
  yield* Effect.orDie(sql`CREATE TABLE marks (mark text)`)
  const organization = yield* Effect.provide(givenOrganization(), observer)
  const proxy = yield* cuttingProxy(target)
  let runs = 0
  const made: Ground = {
    proxy,
    sql,
    append: Effect.flatMap(Outbox, (outbox) =>
      outbox.append({ type: "organization.updated", organizationId: organization.id })
    ).pipe(asOperatorOf(organization)),
    stored: Effect.orDie(
      Effect.gen(function* () {
        const marks = yield* sql<{ readonly mark: string }>`SELECT mark FROM marks ORDER BY mark`
        const [row] = yield* sql<{ readonly count: number; readonly head: number }>`
          SELECT count(*)::integer AS count, max(position)::integer AS head FROM events
          WHERE organization_id = ${organization.id}`
        const { count, head } = row ?? assert.fail()
        assert.strictEqual(count, head, "the events have no gap")
        return { marks: marks.map(({ mark }) => mark), events: count }
      })
    ),
    through: (cut, program) =>
      Effect.gen(function* () {
        runs += 1
        const name = `run ${runs}`
        const exit = yield* Effect.gen(function* () {
          proxy.listen(null)
          yield* ask
          proxy.listen(cut)
          return yield* Effect.exit(program)
        }).pipe(Effect.provide(client(proxy.url, name)))
        yield* Effect.repeat(sql`SELECT 1 FROM pg_stat_activity WHERE application_name = ${name}`, {
          until: (rows) => rows.length === 0
        })
        return exit
      }).pipe(Effect.orDie)
  }
  return made
})

const ask = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1 AS one`)

const lock = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT FROM pg_advisory_xact_lock(16)`)

const mark = (name: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO marks VALUES (${name})`)

const outcomeOf = (exit: Exit.Exit<unknown, unknown>) => {
  if (Exit.isSuccess(exit)) return "done"
  const [reason] = exit.cause.reasons
  if (reason !== undefined && Cause.isFailReason(reason) && reason.error === "refused") return "refused"
  return findOutage(exit.cause)?.outcome ?? "fault"
}

type Outcome = ReturnType<typeof outcomeOf>

const kinds = (roundTrips: ReadonlyArray<ReadonlyArray<string>>) =>
  roundTrips.map((statements) => statements.map((statement) => /^\w+/u.exec(statement)?.[0] ?? statement).join(" "))

describe("a unit of work on its connection", () => {
  it.live("sends BEGIN with its first statement, and its traces with COMMIT", () =>
    Effect.gen(function* () {
      const { append, proxy, through } = yield* ground
      const work = Effect.andThen(lock, Effect.andThen(mark("kept"), append))
      assert.strictEqual(outcomeOf(yield* through(null, orDieSqlErrors(transact(work)))), "done")
      assert.deepStrictEqual(kinds(proxy.roundTrips()), ["BEGIN SELECT", "INSERT", "WITH COMMIT"])
    }).pipe(Effect.scoped)
  )

  it.live("waits for BEGIN before it writes", () =>
    Effect.gen(function* () {
      const { proxy, through } = yield* ground
      assert.strictEqual(outcomeOf(yield* through(null, orDieSqlErrors(transact(mark("kept"))))), "done")
      assert.deepStrictEqual(kinds(proxy.roundTrips()), ["BEGIN", "INSERT", "COMMIT"])
    }).pipe(Effect.scoped)
  )

  it.live("asks nothing of the server where it has nothing to ask", () =>
    Effect.gen(function* () {
      const { proxy, through } = yield* ground
      assert.strictEqual(outcomeOf(yield* through(null, transact(Effect.void))), "done")
      assert.strictEqual(outcomeOf(yield* through(null, transact(Effect.fail("refused")))), "refused")
      assert.deepStrictEqual(proxy.roundTrips(), [])
    }).pipe(Effect.scoped)
  )

  it.live("leaves nothing if BEGIN fails, also if the caller continues", () =>
    Effect.gen(function* () {
      const { proxy, stored, through } = yield* ground
      const before = yield* stored
      proxy.garble("BEGIN", "BEGIX")
      const attempts = [
        mark("first"),
        Effect.andThen(lock, mark("second")),
        Effect.andThen(Effect.ignore(lock), mark("second")),
        Effect.andThen(Effect.ignore(mark("first")), mark("second")),
        Effect.andThen(Effect.ignore(transact(mark("nested"))), mark("second")),
        Effect.ignore(mark("hidden"))
      ]
      for (const attempt of attempts) {
        const exit = yield* through(null, transact(attempt))
        assert.isTrue(Exit.isFailure(exit))
        assert.notInclude(proxy.roundTrips().flat().join(), "INSERT")
      }
      assert.deepStrictEqual(yield* stored, before)
    }).pipe(Effect.scoped)
  )

  it.live("leaves nothing if its traces fail, though COMMIT was sent with them, and reports that error", () =>
    Effect.gen(function* () {
      const { append, proxy, stored, through } = yield* ground
      const before = yield* stored
      proxy.garble("INTO event_heads", "INTO event_headz")
      const work = transact(Effect.andThen(append, mark("lost")))
      const both = Effect.all([Effect.exit(work), Effect.exit(transact(mark("another")))])
      const [exit, another] = yield* Effect.flatten(through(null, both))
      assert.include(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "", "event_headz")
      assert.deepStrictEqual(kinds(proxy.roundTrips()), ["BEGIN", "INSERT", "WITH COMMIT", "BEGIN", "INSERT", "COMMIT"])
      assert.isTrue(Exit.isSuccess(another))
      assert.deepStrictEqual(yield* stored, { ...before, marks: ["another"] })
    }).pipe(Effect.scoped)
  )

  it.live("does not commit without what it could not send", () =>
    Effect.gen(function* () {
      const { proxy, stored, through } = yield* ground
      const before = yield* stored
      const unheardOf = Effect.flatMap(SqlClient.SqlClient, (sql) =>
        deferToNext(sql`INSERT INTO marks VALUES (${new Map()})`)
      )
      const attempts = [
        Effect.andThen(mark("lost"), Effect.asVoid(unheardOf)),
        Effect.andThen(mark("lost"), Effect.andThen(unheardOf, Effect.ignore(ask)))
      ]
      for (const attempt of attempts) {
        assert.isTrue(Exit.isFailure(yield* through(null, transact(attempt))))
        assert.notInclude(proxy.roundTrips().flat(), "COMMIT")
      }
      assert.deepStrictEqual(yield* stored, before)
    }).pipe(Effect.scoped)
  )

  it.live("keeps deferred statements in order, and drops them with their rolled back part", () =>
    Effect.gen(function* () {
      const { proxy, stored, through } = yield* ground
      const before = yield* stored
      const soon = (name: string) => deferToNext(mark(name))
      const work = Effect.gen(function* () {
        yield* soon("1")
        yield* soon("2")
        yield* lock
        yield* Effect.ignore(transact(Effect.andThen(soon("given up"), Effect.fail("refused"))))
        yield* soon("3")
        yield* Effect.ignore(transact(Effect.andThen(soon("never sent"), Effect.fail("refused"))))
        yield* Effect.ignore(transact(Effect.andThen(mark("taken back"), Effect.fail("refused"))))
        yield* transact(soon("4"))
      })
      assert.strictEqual(outcomeOf(yield* through(null, orDieSqlErrors(transact(work)))), "done")
      assert.deepStrictEqual(yield* stored, { ...before, marks: ["1", "2", "3", "4"] })
      assert.deepStrictEqual(kinds(proxy.roundTrips()), [
        "BEGIN",
        "INSERT INSERT SELECT",
        "INSERT SAVEPOINT INSERT",
        "ROLLBACK",
        "RELEASE SAVEPOINT INSERT RELEASE COMMIT"
      ])
    }).pipe(Effect.scoped)
  )

  it.live("answers both of two statements that leave together, the second as the first has left it", () =>
    Effect.gen(function* () {
      const { proxy, stored, through } = yield* ground
      const work = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        return yield* pipelinePair(
          sql`INSERT INTO marks VALUES ('new') RETURNING mark`,
          sql`SELECT count(*)::integer AS count FROM marks`
        )
      })
      const exit = yield* through(null, orDieSqlErrors(transact(work)))
      assert.deepStrictEqual(exit, Exit.succeed([[{ mark: "new" }], [{ count: 1 }]] as const))
      assert.deepStrictEqual(kinds(proxy.roundTrips()), ["BEGIN", "INSERT SELECT", "COMMIT"])
      assert.deepStrictEqual((yield* stored).marks, ["new"])
    }).pipe(Effect.scoped)
  )

  it.live("reports the first error of two statements sent together", () =>
    Effect.gen(function* () {
      const { stored, through } = yield* ground
      const work = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        return yield* pipelinePair(sql`INSERT INTO marks VALUES (1 / 0) RETURNING mark`, sql`SELECT 1 AS one`)
      })
      const exit = yield* through(null, orDieSqlErrors(transact(work)))
      assert.include(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "", "division by zero")
      assert.deepStrictEqual((yield* stored).marks, [])
    }).pipe(Effect.scoped)
  )

  it.live("leaves nothing if a part hides an error", () =>
    Effect.gen(function* () {
      const { append, stored, through } = yield* ground
      const before = yield* stored
      const hidden = transact(Effect.ignore(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1 / 0`)))
      const attempts = [
        Effect.andThen(mark("lost"), hidden),
        Effect.andThen(hidden, mark("lost")),
        Effect.andThen(mark("lost"), Effect.andThen(hidden, append)),
        Effect.andThen(Effect.andThen(append, hidden), Effect.ignore(mark("lost"))),
        Effect.andThen(append, transact(Effect.andThen(mark("lost"), hidden)))
      ]
      for (const attempt of attempts) assert.strictEqual(outcomeOf(yield* through(null, transact(attempt))), "fault")
      assert.deepStrictEqual(yield* stored, before)
    }).pipe(Effect.scoped)
  )

  it.live("leaves nothing, and no open transaction, if the caller's timeout ends before the commit", () =>
    Effect.gen(function* () {
      const { stored, through } = yield* ground
      const before = yield* stored
      const patience = new StorageTimeout(3_000)
      const tooLate = transact(
        Effect.tap(mark("late"), () =>
          Effect.sync(() => {
            patience.begin(0)
            patience.end(60_000)
          })
        )
      ).pipe(Effect.provideService(CurrentStorageTimeout, patience))
      const exit = yield* through(null, Effect.andThen(Effect.exit(tooLate), mark("another")))
      assert.isTrue(Exit.isSuccess(exit))
      assert.deepStrictEqual(yield* stored, { ...before, marks: ["another"] })
    }).pipe(Effect.scoped)
  )

  it.live("releases its locks directly on interruption, during any wait", () =>
    Effect.gen(function* () {
      const { append, sql, through } = yield* ground
      const program = Effect.gen(function* () {
        const own = yield* SqlClient.SqlClient
        for (const statement of [own`SELECT pg_sleep(3600)`, Effect.never]) {
          const held = yield* Deferred.make<void>()
          const running = yield* Effect.forkChild(
            transact(Effect.andThen(lock, Effect.andThen(Deferred.succeed(held, undefined), statement)))
          )
          yield* Deferred.await(held)
          yield* Fiber.interrupt(running)
          yield* sql.withTransaction(sql`SELECT FROM pg_advisory_xact_lock(16)`)
        }
        yield* transact(append)
      })
      assert.strictEqual(outcomeOf(yield* through(null, program)), "done")
    }).pipe(Effect.scoped)
  )

  const refused = Effect.fail("refused")
  const works: Record<string, { readonly work: Effect.Effect<unknown, unknown, Ports>; readonly ends: Outcome }> = {
    "that is done": { work: Effect.andThen(lock, Effect.andThen(mark("kept"), ask)), ends: "done" },
    "that begins with a write": { work: Effect.andThen(mark("kept"), ask), ends: "done" },
    "of which two statements leave together": {
      work: Effect.andThen(
        lock,
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          pipelinePair(sql`INSERT INTO marks VALUES ('kept') RETURNING mark`, ask)
        )
      ),
      ends: "done"
    },
    "that is refused": { work: Effect.andThen(lock, Effect.andThen(mark("refused"), refused)), ends: "refused" },
    "that fails in the database": {
      work: Effect.andThen(
        mark("failed"),
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1 / 0`)
      ),
      ends: "fault"
    },
    "of which a part is given up": {
      work: Effect.andThen(
        lock,
        Effect.andThen(Effect.ignore(transact(Effect.andThen(mark("given up"), refused))), mark("kept"))
      ),
      ends: "done"
    }
  }

  it.live.each(Object.keys(works))("is atomic at every loss of its connection, one %s", (name) =>
    Effect.gen(function* () {
      const { append, proxy, stored, through } = yield* ground
      const { ends, work } = works[name] ?? assert.fail()
      const unit = orDieSqlErrors(
        transact(Effect.andThen(append, work as Effect.Effect<unknown, SqlError.SqlError, Ports>))
      )
      for (const of of ["asked", "answered"] as const) {
        for (let after = 0; ; after += 1) {
          const before = yield* stored
          const outcome = outcomeOf(yield* through({ after, of }, unit))
          const now = yield* stored
          const place = `${outcome} after ${after} ${of}`
          const isMade = now.events > before.events
          assert.deepStrictEqual(
            now,
            isMade ? { marks: [...before.marks, "kept"], events: before.events + 1 } : before,
            place
          )
          if (isMade) assert.include(["done", "unknown"], outcome, place)
          // A refusal also applies if the refused part could not be rolled back separately.
          else assert.include(ends === "done" ? ["not_made", "unknown", "refused"] : ["not_made", ends], outcome, place)
          const isCommitAskedFor = proxy.roundTrips().flat().includes("COMMIT")
          assert.strictEqual(outcome === "done" || outcome === "unknown", isCommitAskedFor, place)
          if (!proxy.hasCut()) {
            assert.strictEqual(outcome, ends)
            assert.isAbove(after, 15)
            break
          }
        }
      }
    }).pipe(Effect.scoped)
  )

  it.live("is an outage at any point where its connection is cut, even outside a unit of work", () =>
    Effect.gen(function* () {
      const { proxy, stored, through } = yield* ground
      const inTransaction = <A, E, R>(work: Effect.Effect<A, E, R>) =>
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(work))
      const part = Effect.ignore(inTransaction(Effect.andThen(ask, Effect.fail("refused"))))
      const program = orDieSqlErrors(
        inTransaction(Effect.andThen(lock, Effect.andThen(inTransaction(mark("kept")), Effect.andThen(part, ask))))
      )
      for (const of of ["asked", "answered"] as const) {
        for (let after = 0; ; after += 1) {
          const before = yield* stored
          const outcome = outcomeOf(yield* through({ after, of }, program))
          const isMade = (yield* stored).marks.length > before.marks.length
          assert.include(isMade ? ["done", "unknown"] : ["not_made", "unknown"], outcome, `${after} ${of}`)
          if (!proxy.hasCut()) {
            assert.strictEqual(outcome, "done")
            assert.isAbove(after, 15)
            break
          }
        }
      }
    }).pipe(Effect.scoped)
  )
})
