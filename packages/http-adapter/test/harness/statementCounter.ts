import { freshDatabase } from "@parley/postgres-adapter/testing"
import * as Postgres from "@parley/postgres-adapter"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { connect, createServer, type Socket } from "node:net"

/** Database statements, and the locks that they hold at the commit. */
export interface Asked {
  readonly statements: number
  /**
   * Number of times that a transaction sends statements while it has no pending answers. Read-only requests share connections, and their statements
   * leave together by chance.
   */
  readonly roundTrips: number
  readonly commits: number
  /** Tables that rows were written to. */
  readonly written: ReadonlySet<string>
  /** Tables with rows that were locked but not written. */
  readonly locked: ReadonlySet<string>
  /** Advisory locks. */
  readonly advisory: number
  /** Bytes that all connections wrote to the server's write-ahead log in this time. */
  readonly walBytes: number
}

/** Counts messages on the sockets between the service under test and its database. */
export class StatementCounter extends Context.Service<
  StatementCounter,
  { readonly during: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<readonly [A, Asked], E, R> }
>()("@parley/http-adapter/test/StatementCounter") {}

interface Count {
  statements: number
  roundTrips: number
  commits: number
  written: Set<string>
  locked: Set<string>
  advisory: number
  walBytes: number
}

const nothingAsked = (): Count => ({
  statements: 0,
  roundTrips: 0,
  commits: 0,
  written: new Set(),
  locked: new Set(),
  advisory: 0,
  walBytes: 0
})

interface Frame {
  /** Kind of the message; the first message of a connection has none. */
  readonly type: string
  readonly bytes: Buffer
}

/** Takes the bytes of one direction apart, as they come. */
const framesOf = (hasStartup: boolean) => {
  let rest: Buffer = Buffer.alloc(0)
  let isStartup = hasStartup
  return (chunk: Buffer): ReadonlyArray<Frame> => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const frames: Array<Frame> = []
    while (true) {
      const head = isStartup ? 0 : 1
      if (rest.length < head + 4) return frames
      const length = head + rest.readInt32BE(head)
      if (rest.length < length) return frames
      frames.push({ type: isStartup ? "" : rest.toString("latin1", 0, 1), bytes: rest.subarray(0, length) })
      rest = rest.subarray(length)
      isStartup = false
    }
  }
}

const textAt = (bytes: Buffer, from: number) => bytes.toString("utf8", from, bytes.indexOf(0, from))

/** Name and text of the statement that a message prepares. */
const preparedBy = (bytes: Buffer) => {
  const name = textAt(bytes, 5)
  return { name, text: textAt(bytes, 5 + Buffer.byteLength(name) + 1) }
}

/** The name of the statement that a message binds. */
const boundBy = (bytes: Buffer) => textAt(bytes, 5 + Buffer.byteLength(textAt(bytes, 5)) + 1)

const locksOf = (sql: SqlClient.SqlClient, processId: number) =>
  Effect.orDie(sql<{ readonly locktype: string; readonly mode: string; readonly name: string | null }>`
    SELECT lock.locktype, lock.mode, class.relname AS name
    FROM pg_locks AS lock LEFT JOIN pg_class AS class ON class.oid = lock.relation AND class.relkind IN ('r', 'p')
    WHERE lock.pid = ${processId} AND lock.granted`)

type LookAtLocks = (processId: number, count: Count, then: () => void) => void

/** Statements that open a connection or notify other processes of events some time after a commit. No request waits for them. */
const isBeside = /pg_notify|pg_is_in_recovery|client_connection_check_interval/u

/** A proxy between a client and its server: counts messages, and reads the locks before it forwards a commit. */
const relay =
  (place: { readonly host: string; readonly port: number }, count: () => Count, look: LookAtLocks) =>
  (client: Socket) => {
    const server = connect(place)
    client.setNoDelay(true)
    server.setNoDelay(true)
    const asked = framesOf(true)
    const answered = framesOf(false)
    const statements = new Map<string, string>()
    let bound = ""
    let processId = 0
    let unanswered = 0
    let isInside = false
    let held: Array<Frame> = []
    let isHolding = false
    const send = (frame: Frame) => {
      if (frame.type === "P") {
        const { name, text } = preparedBy(frame.bytes)
        statements.set(name, text)
      }
      if (frame.type === "B") bound = statements.get(boundBy(frame.bytes)) ?? ""
      if (frame.type === "S") unanswered += 1
      if (frame.type !== "E" || isBeside.test(bound)) return void server.write(frame.bytes)
      count().statements += 1
      if (bound === "BEGIN") isInside = true
      if (bound === "ROLLBACK") isInside = false
      if (bound !== "COMMIT") return void server.write(frame.bytes)
      isInside = false
      count().commits += 1
      isHolding = true
      held = [frame]
      return undefined
    }
    const goOn = () => {
      const frames = held
      held = []
      isHolding = false
      const [commit, ...others] = frames
      if (commit !== undefined) server.write(commit.bytes)
      for (const frame of others) take(frame)
    }
    const take = (frame: Frame): void => {
      if (isHolding) held.push(frame)
      else send(frame)
    }
    client.on("data", (chunk: Buffer) => {
      const begins = unanswered === 0 && !isHolding
      const wasInside = isInside
      const before = count().statements
      for (const frame of asked(chunk)) take(frame)
      if (begins && (wasInside || isInside) && count().statements > before) count().roundTrips += 1
      // All statements before the commit must be answered first; otherwise their locks do not exist yet.
      if (isHolding && unanswered === 0) look(processId, count(), goOn)
    })
    server.on("data", (chunk: Buffer) => {
      for (const { bytes, type } of answered(chunk)) {
        if (type === "K") processId = bytes.readInt32BE(5)
        if (type !== "Z") continue
        unanswered = Math.max(0, unanswered - 1)
        if (isHolding && unanswered === 0) look(processId, count(), goOn)
      }
      client.write(chunk)
    })
    const end = () => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) socket.on("error", end).on("close", end)
  }

const writing = new Set(["RowExclusiveLock", "ShareRowExclusiveLock", "ExclusiveLock", "AccessExclusiveLock"])

const layerCounted = Layer.unwrap(
  Effect.gen(function* () {
    const target = yield* freshDatabase
    const observer = yield* Layer.build(Postgres.Database.layer({ url: target, maxConnections: 2 }))
    const sql = Context.get(observer, SqlClient.SqlClient)
    const run = Effect.runForkWith(yield* Effect.context())
    const logged = Effect.orDie(
      Effect.map(
        sql<{ readonly bytes: number }>`SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS bytes`,
        ([row]) => row?.bytes ?? 0
      )
    )
    let count = nothingAsked()
    const look: LookAtLocks = (processId, into, then) => {
      run(
        Effect.map(locksOf(sql, processId), (locks) => {
          for (const { locktype, mode, name } of locks) {
            if (locktype === "advisory") into.advisory += 1
            if (locktype !== "relation" || name === null) continue
            if (writing.has(mode)) into.written.add(name)
            else if (mode === "RowShareLock") into.locked.add(name)
          }
          then()
        })
      )
    }
    const url = new URL(Redacted.value(target))
    const place = { host: url.hostname, port: Number(url.port) }
    const listener = yield* Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const made = createServer(relay(place, () => count, look)).listen(0, "127.0.0.1", () =>
          resume(Effect.succeed(made))
        )
      }),
      (made) => Effect.sync(() => void made.close())
    )
    const address = listener.address()
    url.hostname = "127.0.0.1"
    url.port = String(typeof address === "object" && address !== null ? address.port : 0)
    const counter = StatementCounter.of({
      during: (effect) =>
        Effect.gen(function* () {
          const from = yield* logged
          const mine = nothingAsked()
          count = mine
          const answer = yield* effect
          count = nothingAsked()
          mine.walBytes = (yield* logged) - from
          return [answer, mine] as const
        })
    })
    return Layer.merge(
      Postgres.Database.layer({ url: Redacted.make(url.href) }),
      Layer.succeed(StatementCounter, counter)
    )
  })
)

/** A client of a new database with counted statements. */
export const layerStatementCounter = Layer.orDie(layerCounted)
