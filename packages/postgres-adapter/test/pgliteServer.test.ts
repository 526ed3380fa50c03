import { PGlite } from "@electric-sql/pglite"
import { PgProtocol } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import type { Duplex } from "node:stream"
import { layerFrom } from "../src/Embedded.ts"
import { PGliteServer } from "../src/embedded/PGliteServer.ts"

class Database extends Context.Service<Database, PGlite>()("test/Database") {
  static readonly layer = Layer.effect(
    Database,
    Effect.acquireRelease(
      Effect.promise(() => PGlite.create("memory://")),
      (db) => Effect.promise(() => db.close())
    )
  )
}

const startup = PgProtocol.encodeStartupMessage({ user: "postgres", database: "postgres" })
const cancel = PgProtocol.encodeCancelRequest({ pid: 1, secret: 2 })

/** The messages that run a statement, unnamed or under a name. */
const run = (query: string, name = "") =>
  Buffer.concat([
    Result.getOrThrow(PgProtocol.encodeParse({ name, query, parameterTypes: [] })),
    Result.getOrThrow(PgProtocol.encodeBind({ portal: "", statement: name, parameters: [] })),
    PgProtocol.encodeExecute({ portal: "", maxRows: 0 }),
    PgProtocol.encodeSync()
  ])

/** A socket whose answers are kept, in short: what each message is, with its text. */
const open = (server: PGliteServer) => {
  const socket = server.connect()
  const parser = PgProtocol.makeParser()
  const seen: Array<string> = []
  const waiting = new Set<() => void>()
  const isReady = (count: number) => seen.filter((each) => each.startsWith("ReadyForQuery")).length >= count
  socket.on("data", (chunk: Uint8Array) => {
    for (const message of chunk.length === 1 ? [] : parser.push(chunk)) seen.push(inShort(message))
    if (chunk.length === 1) seen.push(Buffer.from(chunk).toString())
    for (const wake of waiting) wake()
  })
  /** The answers, as soon as the server was ready for so many statements. */
  const ready = (count: number) =>
    Effect.callback<ReadonlyArray<string>>((resume) => {
      const look = () => {
        if (!isReady(count)) return
        waiting.delete(look)
        resume(Effect.succeed(seen.splice(0)))
      }
      waiting.add(look)
      look()
    })
  return { socket, seen, ready }
}

const inShort = (message: PgProtocol.BackendMessage) => {
  switch (message._tag) {
    case "CommandComplete":
      return message.commandTag
    case "ErrorResponse":
      return `ERROR ${message.fields.code}`
    case "ReadyForQuery":
      return `ReadyForQuery ${message.status}`
    case "DataRow":
      return message.values.map((value) => (value === null ? "null" : Buffer.from(value).toString())).join(",")
    default:
      return message._tag
  }
}

/** Only what says how a statement ended. */
const ends = (answers: ReadonlyArray<string>) =>
  answers.filter((each) => !/^(ParseComplete|BindComplete|ParameterStatus|Authentication|BackendKeyData)/.test(each))

const ended = (socket: Duplex) =>
  Effect.callback<void>((resume) => {
    socket.once("end", () => resume(Effect.void))
    socket.resume()
  })

const given = Effect.map(Database, (db) => new PGliteServer(db))

layer(Database.layer, { timeout: 60_000 })("PGliteServer", (it) => {
  it.effect("runs what it is sent, however it is cut into pieces", () =>
    Effect.gen(function* () {
      const { ready, socket } = open(yield* given)
      const all = Buffer.concat([startup, run("SELECT 'one'"), run("SELECT 'two'")])
      for (const byte of all) socket.write(Buffer.of(byte))
      assert.deepStrictEqual(ends(yield* ready(3)), [
        "ReadyForQuery I",
        "one",
        "SELECT 1",
        "ReadyForQuery I",
        "two",
        "SELECT 1",
        "ReadyForQuery I"
      ])
      socket.end(PgProtocol.encodeTerminate())
      yield* ended(socket)
    })
  )

  it.effect("goes on after a statement that fails, also within one piece", () =>
    Effect.gen(function* () {
      const { ready, socket } = open(yield* given)
      socket.write(Buffer.concat([startup, run("SELECT 1 / 0"), run("SELEC"), run("SELECT 'three'")]))
      assert.deepStrictEqual(ends(yield* ready(4)), [
        "ReadyForQuery I",
        "ERROR 22012",
        "ReadyForQuery I",
        "ERROR 42601",
        "ReadyForQuery I",
        "three",
        "SELECT 1",
        "ReadyForQuery I"
      ])
      socket.end()
      yield* ended(socket)
    })
  )

  it.effect("has no TLS, and says so", () =>
    Effect.gen(function* () {
      const { ready, seen, socket } = open(yield* given)
      socket.write(PgProtocol.encodeSslRequest())
      socket.write(startup)
      assert.strictEqual((yield* ready(1))[0], "N")
      assert.deepStrictEqual(seen, [])
      socket.destroy()
    })
  )

  it.effect("lets the next socket begin when the last has ended, with nothing left of it", () =>
    Effect.gen(function* () {
      const server = yield* given
      const [first, second] = [open(server), open(server)]
      first.socket.write(startup)
      second.socket.write(
        Buffer.concat([startup, run("SELECT count(*)::text FROM pg_prepared_statements"), run("SHOW work_mem")])
      )
      first.socket.write(
        Buffer.concat([
          run("SET work_mem = '123kB'"),
          run("SELECT 1", "kept"),
          run("BEGIN"),
          run("CREATE TABLE never (id integer)")
        ])
      )
      assert.strictEqual((yield* first.ready(5)).at(-1), "ReadyForQuery T")
      assert.deepStrictEqual(second.seen, [])
      first.socket.destroy()
      assert.deepStrictEqual(ends(yield* second.ready(3)), [
        "ReadyForQuery I",
        "0",
        "SELECT 1",
        "ReadyForQuery I",
        "4MB",
        "SHOW",
        "ReadyForQuery I"
      ])
      second.socket.write(run("SELECT coalesce(to_regclass('never')::text, 'gone')"))
      assert.include(yield* second.ready(1), "gone")
      second.socket.end(PgProtocol.encodeTerminate())
      yield* ended(second.socket)
    })
  )

  it.effect("passes over a socket that ended before its turn", () =>
    Effect.gen(function* () {
      const server = yield* given
      const [first, second, third] = [open(server), open(server), open(server)]
      for (const { socket } of [first, second, third]) socket.write(startup)
      yield* first.ready(1)
      second.socket.destroy()
      first.socket.end(PgProtocol.encodeTerminate())
      assert.include(yield* third.ready(1), "ReadyForQuery I")
      third.socket.destroy()
    })
  )

  it.effect("takes a request to cancel for what it is: nothing to do, at once, beside a session", () =>
    Effect.gen(function* () {
      const server = yield* given
      const [session, canceller] = [open(server), open(server)]
      session.socket.write(Buffer.concat([startup, run("BEGIN")]))
      yield* session.ready(2)
      canceller.socket.write(cancel)
      yield* ended(canceller.socket)
      session.socket.write(run("SELECT 1"))
      assert.strictEqual((yield* session.ready(1)).at(-1), "ReadyForQuery T")
      session.socket.destroy()
    })
  )

  it.effect("answers what is larger than any buffer", () =>
    Effect.gen(function* () {
      const { ready, socket } = open(yield* given)
      socket.write(Buffer.concat([startup, run("SELECT repeat('x', 3000000)")]))
      assert.isTrue((yield* ready(2)).some((each) => each.length === 3_000_000))
      socket.write(run(`SELECT length('${"y".repeat(3_000_000)}')::text`))
      assert.include(yield* ready(1), "3000000")
      socket.destroy()
    })
  )

  it.effect("serves a client whose callers give up, without mixing up who gets what", () =>
    Effect.gen(function* () {
      const db = yield* Database
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ask = (index: number) =>
          Effect.map(sql<{ readonly index: number }>`SELECT ${index}::integer AS index`, ([row]) => row?.index)
        const inTransaction = (index: number) => sql.withTransaction(Effect.andThen(ask(index), ask(index)))
        const answers = yield* Effect.forEach(
          Array.from({ length: 300 }, (_, index) => index),
          (index) =>
            index % 3 === 0
              ? Effect.as(Effect.raceFirst(inTransaction(-1), Effect.yieldNow), index)
              : index % 3 === 1
                ? inTransaction(index)
                : ask(index),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          answers,
          answers.map((_, index) => index)
        )
      }).pipe(Effect.provide(layerFrom(db)))
    })
  )
})
