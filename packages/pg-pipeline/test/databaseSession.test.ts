import { assert, it } from "@effect/vitest"
import * as PgPipeline from "@parley/pg-pipeline"
import { Deferred, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { DatabaseSession } from "../src/DatabaseSession.ts"
import { readHosts } from "../src/hosts.ts"
import { makeConnector } from "../src/makeConnector.ts"
import { makeDeadlines } from "../src/makeDeadlines.ts"
import { freshDatabase } from "./support/freshDatabase.ts"

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

it.effect("a busy session keeps no rows of answered statements", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    const clientOf = Effect.flatMap(Layer.build(Layer.fresh(PgPipeline.layer({ url, maxConnections: 1 }))), (context) =>
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

    // The last statement waits on the server, so the session is busy when the first ones are answered.
    const answered = Effect.forEach(
      [sql`SELECT 'some name' AS name`, sql`SELECT 'some name' AS name`.unprepared],
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

it.effect("a busy session drains regularly, because the driver forgets statements only on an idle session", () =>
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
      { applicationName: "pg-pipeline", startupParameters: {} },
      2_000
    )
    const opened = yield* connector.open("shared")
    let drains = 0
    const pin = Effect.tap(opened.connection.pin, () => Effect.sync(() => (drains += 1)))
    const connection: typeof opened.connection = Object.assign(Object.create(opened.connection), { pin })
    const { shared } = new DatabaseSession({ ...opened, connection }, deadlines, () => {})

    const answers = yield* Effect.forEach(
      Array.from({ length: 1_500 }, (_, place) => place),
      (place) => shared.executeValues("SELECT $1::integer", [place]),
      { concurrency: 3 }
    )
    assert.deepStrictEqual(
      answers.map(([row]) => row?.[0]),
      answers.map((_, place) => place)
    )
    assert.strictEqual(drains, 2)
  }).pipe(Effect.scoped)
)
