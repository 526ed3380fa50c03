import { assert, it } from "@effect/vitest"
import { Database } from "@parley/postgres-adapter"
import { freshDatabase } from "@parley/postgres-adapter/testing"
import { Deferred, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { readHosts } from "../src/connections/hosts.ts"
import { makeConnector } from "../src/connections/makeConnector.ts"
import { makeDeadlines } from "../src/connections/makeDeadlines.ts"
import { Session } from "../src/connections/Session.ts"

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

it.effect("a session that is always busy keeps nothing of what it has answered", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    const clientOf = Effect.flatMap(Layer.build(Layer.fresh(Database.layer({ url, maxConnections: 1 }))), (context) =>
      Effect.provide(SqlClient.SqlClient, context)
    )
    const [sql, other] = [yield* clientOf, yield* clientOf]
    const held = yield* Deferred.make<void>()
    const leave = yield* Deferred.make<void>()
    const holding = yield* Effect.forkChild(
      Effect.andThen(
        other`SELECT FROM pg_advisory_xact_lock(16)`,
        Effect.andThen(Deferred.succeed(held, undefined), Deferred.await(leave))
      ).pipe(other.withTransaction)
    )
    yield* Deferred.await(held)

    // The second one waits on the server, so the session is not at rest when the first ones are answered.
    const answered = Effect.forEach(
      [sql`SELECT 'somebody' AS name`, sql`SELECT 'somebody' AS name`.unprepared],
      (statement) => Effect.map(statement, ([row]) => new WeakRef(row ?? assert.fail())),
      { concurrency: "unbounded" }
    )
    const asked = yield* Effect.forkChild(answered)
    const waiting = yield* Effect.forkChild(sql`SELECT FROM pg_advisory_xact_lock(16)`)
    const rows = yield* Fiber.join(asked)
    yield* Effect.promise(() => new Promise((resolve) => void setImmediate(resolve)))
    collectGarbage()
    const kept = rows.filter((row) => row.deref() !== undefined)
    const isWaiting = waiting.pollUnsafe() === undefined
    yield* Deferred.succeed(leave, undefined)
    yield* Fiber.join(waiting)
    yield* Fiber.join(holding)
    assert.deepStrictEqual({ kept: kept.length, isWaiting }, { kept: 0, isWaiting: true })
  }).pipe(Effect.scoped)
)

it.effect("a session that is always busy comes to rest now and then, where the driver forgets what it was asked", () =>
  Effect.gen(function* () {
    const hosts = readHosts(Redacted.value(yield* freshDatabase))
    const deadlines = yield* makeDeadlines({
      usualMillis: 30_000,
      shortestMillis: 2_000,
      suspectAfterMillis: 30_000,
      onSuspicion: () => {}
    })
    const connector = makeConnector(
      Option.getOrThrow(hosts),
      deadlines,
      { applicationName: "parley", startupParameters: {} },
      2_000
    )
    const opened = yield* connector.open(true)
    let rests = 0
    const pin = Effect.tap(opened.connection.pin, () => Effect.sync(() => (rests += 1)))
    const connection: typeof opened.connection = Object.assign(Object.create(opened.connection), { pin })
    const { shared } = new Session({ ...opened, connection }, deadlines, () => {})

    const answers = yield* Effect.forEach(
      Array.from({ length: 1_500 }, (_, place) => place),
      (place) => shared.executeValues("SELECT $1::integer", [place]),
      { concurrency: 3 }
    )
    assert.deepStrictEqual(
      answers.map(([row]) => row?.[0]),
      answers.map((_, place) => place)
    )
    assert.strictEqual(rests, 2)
  }).pipe(Effect.scoped)
)
