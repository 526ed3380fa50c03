import { assert, it } from "@effect/vitest"
import * as PgPipeline from "@parley/pg-pipeline"
import { PgClient } from "@effect/sql-pg"
import { Effect, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { freshDatabase } from "./support/freshDatabase.ts"

type Opening = Effect.Effect<PgPipeline.CopySession, SqlError.SqlError, Scope.Scope>

const isOpening = (value: unknown): value is Opening => Effect.isEffect(value)

const withCopy = <A, E>(use: (session: PgPipeline.CopySession) => Effect.Effect<A, E, Scope.Scope>) =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    return yield* Effect.gen(function* () {
      const client = yield* PgClient.PgClient
      const opening = PgPipeline.copySession in client ? client[PgPipeline.copySession] : null
      if (!isOpening(opening)) return assert.fail("The client has no COPY.")
      return yield* Effect.flatMap(opening, use)
    }).pipe(Effect.provide(PgPipeline.layer({ url, maxConnections: 1 })))
  }).pipe(Effect.scoped)

const collect = (rows: Array<Buffer>) => async (bytes: Uint8Array) => {
  // A sink that is slower than the server.
  await new Promise((resolve) => void setImmediate(resolve))
  rows.push(Buffer.from(bytes))
}

const block = (first: number) =>
  Buffer.from(Array.from({ length: 1_000 }, (_, index) => `${first + index}\t${"x".repeat(100)}\n`).join(""))

async function* blocks(count: number, failsAt = Number.POSITIVE_INFINITY) {
  for (let index = 0; index < count; index += 1) {
    await Promise.resolve()
    if (index === failsAt) throw new Error("The disk is full")
    yield block(index * 1_000)
  }
}

it.effect("copies many rows into a table and out of it, in the transaction of the session", () =>
  withCopy(({ copyIn, copyOut, sql }) =>
    Effect.gen(function* () {
      yield* sql`CREATE TABLE many (id integer PRIMARY KEY, text text NOT NULL)`
      yield* sql`BEGIN`
      yield* copyIn("COPY many FROM STDIN", blocks(50))
      const [row] = yield* sql<{ readonly count: number }>`SELECT count(*)::integer AS count FROM many`
      assert.strictEqual(row?.count, 50_000)
      const rows: Array<Buffer> = []
      yield* copyOut("COPY (SELECT * FROM many ORDER BY id) TO STDOUT", collect(rows))
      assert.isTrue(Buffer.concat(rows).equals(Buffer.concat(Array.from({ length: 50 }, (_, at) => block(at * 1_000)))))
      yield* sql`ROLLBACK`
      assert.deepStrictEqual(yield* sql`SELECT count(*)::integer AS count FROM many`, [{ count: 0 }])
    })
  )
)

it.effect("reports a failing source and a refused row, and the session stays usable", () =>
  withCopy(({ copyIn, sql }) =>
    Effect.gen(function* () {
      yield* sql`CREATE TABLE few (id integer PRIMARY KEY, text text NOT NULL)`
      const source = yield* Effect.flip(copyIn("COPY few FROM STDIN", blocks(3, 2)))
      assert.strictEqual(source._tag, "CopyInterrupted")
      async function* twice() {
        yield* blocks(1)
        yield* blocks(20)
      }
      assert.strictEqual((yield* Effect.flip(copyIn("COPY few FROM STDIN", twice())))._tag, "SqlError")
      assert.strictEqual((yield* Effect.flip(copyIn("COPY missing FROM STDIN", blocks(1))))._tag, "SqlError")
      yield* copyIn("COPY few FROM STDIN", blocks(2))
      assert.deepStrictEqual(yield* sql`SELECT count(*)::integer AS count FROM few`, [{ count: 2_000 }])
    })
  )
)

it.effect("ends the statement and the session when the sink fails", () =>
  withCopy(({ copyOut, sql }) =>
    Effect.gen(function* () {
      const sink = yield* Effect.flip(
        copyOut("COPY (SELECT generate_series(1, 1000000000)) TO STDOUT", () =>
          Promise.reject(new Error("The disk is full"))
        )
      )
      assert.strictEqual(sink._tag, "CopyInterrupted")
      assert.strictEqual((yield* Effect.flip(sql`SELECT 1`))._tag, "SqlError")
    })
  )
)
