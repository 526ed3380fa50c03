import { Lanes, sendTaskName, transact } from "@parley/domain"
import { Console, DateTime, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import { fileURLToPath } from "node:url"
import * as Arena from "../../Arena.ts"
import { ownLine } from "../../chat/provider.ts"
import { ToolFailed } from "../../load/ToolFailed.ts"
import { flags, optionsOf } from "../../Options.ts"
import { conclude } from "../../report/conclude.ts"
import { median } from "../../report/median.ts"
import { ratioOf } from "../../report/summary.ts"
import { figure, table } from "../../report/table.ts"
import { interleave } from "../../rounds.ts"
import { type Fleet, startFleet, untilDone } from "../fleet/fleet.ts"
import { clearQueue, enqueue, fetchQueues, type QueueName, startQueue, untilStored } from "../fleet/queues.ts"
import { givenBroadcast, givenSender, type Sender, within } from "../given.ts"

interface Size {
  readonly recipients: number
  readonly accounts: number
  readonly processes: number
  readonly window: number
}

/** Bytes of WAL for each message: put in, and worked through. */
interface Wal {
  readonly contestant: string
  readonly listed: number
  readonly worked: number
}

const own = "recipient ledger"
const rivals: ReadonlyArray<readonly [name: QueueName, atLeast: number]> = [
  ["graphile-worker", 2.5],
  ["pg-boss", 3]
]
const mostWal = 400

/** How many bytes of WAL were written until now. */
const walBytes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly bytes: number }>`
    SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 AS bytes`
  return row?.bytes ?? 0
})

/** Speed after the first message. Another bench measures how long workers take to start. */
const speedOf = Effect.fnUntraced(function* <E, R, E2, R2>(
  name: string,
  all: number,
  fleet: Fleet,
  begin: Effect.Effect<unknown, E, R>,
  untilKept: Effect.Effect<unknown, E2, R2>
) {
  yield* begin
  yield* untilDone(name, fleet, 1)
  const [first, begun] = [fleet.done(), performance.now()]
  yield* untilDone(name, fleet, all)
  yield* untilKept
  return (all - first) / ((performance.now() - begun) / 1_000)
})

/** Puts messages in, and has them worked through. */
const round = Effect.fnUntraced(function* <E, R, E2, R2, E3, R3>(
  contestant: string,
  all: number,
  list: Effect.Effect<unknown, E, R>,
  work: Effect.Effect<number, E2, R2>,
  clear: Effect.Effect<unknown, E3, R3>,
  wal: Array<Wal>
) {
  const before = yield* walBytes
  yield* list
  const listed = yield* walBytes
  const perSecond = yield* work
  const worked = yield* walBytes
  yield* clear
  wal.push({ contestant, listed: (listed - before) / all, worked: (worked - listed) / all })
  return { perSecond, load: null }
})

const clearBroadcasts = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`TRUNCATE broadcasts, lanes CASCADE`)

const requireAllSent = Effect.fnUntraced(function* (all: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly sent: number; readonly windows: number }>`
    SELECT (SELECT count(*)::integer FROM broadcast_recipients WHERE status = 'sent') AS sent,
      (SELECT count(*)::integer FROM broadcast_claims) AS windows`
  if (row?.sent === all && row.windows === 0) return
  return yield* new ToolFailed({ tool: own, output: `Of ${all} are done: ${JSON.stringify(row)}` })
})

/** The list contains all contacts of the organization's broadcast, and the broadcast is being sent. */
const start = (sender: Sender, place: number, recipients: number) =>
  Effect.gen(function* () {
    const id = yield* givenBroadcast(sender, place, recipients)
    yield* Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`
      UPDATE broadcasts SET status = 'sending', started_at = now()
      WHERE organization_id = ${sender.line.organizationId} AND id = ${id}`
    )
  })

const open = ({ accountId, line }: Sender) =>
  Effect.gen(function* () {
    const lanes = yield* Lanes
    yield* transact(lanes.open({ task: sendTaskName, key: accountId, priority: "bulk", dueAt: yield* DateTime.now }))
  }).pipe(within(line.organizationId))

const run = Effect.fnUntraced(function* ({ accounts, processes, recipients, window }: Size) {
  const { grounds } = yield* Arena.Arena
  yield* fetchQueues
  const each = Math.ceil(recipients / accounts)
  const all = each * accounts
  const senders = yield* Effect.forEach(Array.from({ length: accounts }), (_, place) =>
    givenSender(ownLine(place), 1_000)
  )
  const wal: Array<Wal> = []
  const ledger = {
    name: own,
    pids: [],
    run: () =>
      round(
        own,
        all,
        Effect.forEach(senders, (sender, place) => start(sender, place, each), { discard: true }),
        Effect.gen(function* () {
          const fleet = yield* startFleet({
            name: own,
            entry: fileURLToPath(new URL("worker.ts", import.meta.url)),
            processes,
            env: {
              BENCH_DATABASE_URL: grounds.databaseUrl,
              BENCH_MASTER_KEYS: grounds.masterKeys,
              BENCH_POOL_SIZE: String(grounds.poolSize),
              BENCH_WINDOW: String(window)
            }
          })
          // Until each process has its part of the shards.
          yield* Effect.sleep("5 seconds")
          const begin = Effect.forEach(senders, open, { discard: true })
          return yield* speedOf(own, all, fleet, begin, requireAllSent(all))
        }).pipe(Effect.scoped),
        clearBroadcasts,
        wal
      )
  }
  const others = rivals.map(([name]) => ({
    name,
    pids: [],
    run: () =>
      round(
        name,
        all,
        enqueue(name, grounds.databaseUrl, all),
        Effect.gen(function* () {
          const fleet = yield* startQueue(name, grounds.databaseUrl, { processes, concurrency: 24 })
          return yield* speedOf(name, all, fleet, fleet.go, untilStored(name))
        }).pipe(Effect.scoped),
        clearQueue(name),
        wal
      )
  }))
  type Run = ReturnType<(typeof ledger | (typeof others)[number])["run"]>
  const rounds = yield* interleave<Effect.Error<Run>, Effect.Services<Run>>([ledger, ...others])
  yield* conclude(
    "broadcast-ledger",
    rounds,
    rivals.map(([name, atLeast]) => ({ ...ratioOf(own, name, rounds), atLeast }))
  )
  const bytesOf = (contestant: string, phase: "listed" | "worked") =>
    median(wal.filter((one) => one.contestant === contestant).map((one) => one[phase]))
  yield* Console.log("")
  yield* Console.log(
    table(
      ["bytes of WAL for each message (medians)", "put in", "worked through"],
      [ledger, ...others].map(({ name }) => [name, figure(bytesOf(name, "listed")), figure(bytesOf(name, "worked"))])
    )
  )
  const worked = bytesOf(own, "worked")
  yield* Console.log(
    `\nWAL of a message: ${figure(worked)} bytes, at most ${mostWal}: ${worked <= mostWal ? "reached" : "missed"}`
  )
})

const positive = (name: string, maximum: number) =>
  Flag.Int(name).pipe(Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum }))), Flag.optional)

/** P4: recipients that are claimed and completed, against queues that have a job for each. */
export const broadcastLedger = Command.make(
  "broadcast-ledger",
  {
    ...flags,
    recipients: positive("recipients", 10_000_000).pipe(Flag.withDescription("How many there are in a round (100000)")),
    accounts: positive("accounts", 64).pipe(Flag.withDescription("Number of accounts, one broadcast each (16)")),
    processes: positive("processes", 16).pipe(Flag.withDescription("How many processes work (2)")),
    window: positive("window", 640).pipe(Flag.withDescription("Batch size (64)"))
  },
  Effect.fnUntraced(function* ({ accounts, processes, recipients, window, ...given }) {
    const { quick } = given
    const size: Size = {
      recipients: Option.getOrElse(recipients, () => (quick ? 5_000 : 100_000)),
      accounts: Option.getOrElse(accounts, () => 16),
      processes: Option.getOrElse(processes, () => 2),
      window: Option.getOrElse(window, () => 64)
    }
    const options = { ...(yield* optionsOf(given)), rows: 640, organizations: Math.max(2, size.accounts) }
    yield* run(size).pipe(Effect.scoped, Effect.provide(Arena.layer(options)))
  })
).pipe(
  Command.withDescription("How many recipients are claimed and completed a second, against Graphile Worker and pg-boss")
)
