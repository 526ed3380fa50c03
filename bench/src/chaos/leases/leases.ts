import { LaneQueue, OrganizationId, shardCount, transact } from "@parley/domain"
import { Console, DateTime, Effect, Exit, Scope } from "effect"
import { Command } from "effect/cli"
import { SqlClient } from "effect/sql"
import { fileURLToPath } from "node:url"
import { launch } from "../../servers/launch.ts"
import { groundsOnCluster, layerPreparing, layerWatching, logFile } from "../grounds.ts"
import { count, ownServerFlags, ownServerOptions } from "../options.ts"
import { makeCluster, makeFolder } from "../postgres/cluster.ts"
import { check, conclude } from "../verdict.ts"
import { makeTally } from "./tally.ts"

const names = ["one", "two", "three"] as const

/** How long an outage may keep a lane, beyond how long it lasts itself. */
const takeoverMillis = 10_000

const organization = (number: number) =>
  OrganizationId.make(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`)

interface Gap {
  readonly lane: string
  readonly millis: number
}

const run = Effect.fnUntraced(function* (
  options: Effect.Success<ReturnType<typeof ownServerOptions>> & { readonly lanes: number; readonly wakeUps: number }
) {
  const { lanes, programs, seed, wakeUps } = options
  yield* Console.log(`Three processes, ${lanes} lanes with repeated work, ${wakeUps} lanes with simultaneous wake-ups.`)
  const database = yield* makeCluster({ programs, folder: yield* makeFolder, name: "database" })
  const grounds = yield* groundsOnCluster(`127.0.0.1:${database.port}`)
  const log = yield* logFile("leases", seed)
  const opened = (task: string, number: number, dueAt: DateTime.Utc) =>
    Effect.flatMap(LaneQueue, (queue) =>
      transact(
        queue.openAll(
          Array.from({ length: number }, (_, lane) => ({
            task,
            organizationId: organization(lane % 50),
            key: String(lane),
            priority: "bulk" as const,
            dueAt
          }))
        )
      )
    ).pipe(Effect.provide(layerPreparing(grounds)))
  yield* Effect.andThen(Effect.provide(makeTally, layerWatching(grounds)), opened("again", lanes, yield* DateTime.now))

  const parent = yield* Effect.scope
  const start = Effect.fnUntraced(function* (node: string) {
    const life = yield* Scope.fork(parent)
    const { pid } = yield* launch({
      name: node,
      entry: fileURLToPath(new URL("worker.ts", import.meta.url)),
      env: { BENCH_DATABASE_URL: grounds.databaseUrl, BENCH_MASTER_KEYS: grounds.masterKeys, BENCH_NODE: node },
      log
    }).pipe(Scope.provide(life))
    return { pid, end: Scope.close(life, Exit.void) }
  })
  const [first, second] = yield* Effect.forEach(names, start)
  if (first === undefined || second === undefined) return yield* Effect.die(new Error("There are no workers."))

  return yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const now = Effect.map(sql<{ readonly at: string }>`SELECT clock_timestamp()::text AS at`, ([row]) => row?.at ?? "")

    /** How long each lane was left alone, at most, from then on. */
    const gapsSince = (at: string) => sql<Gap>`
      SELECT lane, (1000 * max(extract(epoch FROM next - at)))::float8 AS millis FROM (
        SELECT lane, at, coalesce(lead(at) OVER (PARTITION BY lane ORDER BY place), clock_timestamp()) AS next
        FROM chaos_writes WHERE work = 'again') AS each
      WHERE next >= ${at}::timestamptz GROUP BY lane ORDER BY millis DESC`

    const outage = Effect.fnUntraced(function* <E, R>(
      what: string,
      lastsMillis: number,
      happens: Effect.Effect<unknown, E, R>
    ) {
      const at = yield* now
      yield* happens
      yield* Effect.sleep(takeoverMillis + 2_000)
      const gaps = yield* gapsSince(at)
      const [longest] = gaps
      yield* Console.log(`${what}: a lane was left alone for ${Math.round(longest?.millis ?? 0)} ms at most`)
      return check(
        `${what}: work goes on within ${(lastsMillis + takeoverMillis) / 1_000} s`,
        gaps,
        ({ lane, millis }) => (millis > lastsMillis + takeoverMillis ? `lane ${lane}: ${millis} ms` : null)
      )
    })

    const kill = Effect.sync(() => process.kill(first.pid, "SIGKILL"))
    const comesBack = Effect.andThen(Effect.ignore(first.end), start("one again"))
    const stopped = Effect.sync(() => process.kill(second.pid, "SIGSTOP")).pipe(
      Effect.andThen(Effect.sleep("13 seconds")),
      Effect.andThen(Effect.sync(() => process.kill(second.pid, "SIGCONT")))
    )
    const cut = sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'parley-bench'`.pipe(
      Effect.delay("1 second"),
      Effect.repeat({ times: 4 })
    )
    const frozen = database.standStill.pipe(Effect.andThen(Effect.sleep("8 seconds")), Effect.andThen(database.resume))
    yield* Effect.sleep("10 seconds")
    const checks = [
      yield* outage("kill -9", 0, kill),
      yield* outage("a process comes", 0, comesBack),
      yield* outage("SIGSTOP for 13 s", 0, stopped),
      yield* outage("connections terminated", 0, cut),
      yield* outage("PostgreSQL is frozen for 8 s", 8_000, frozen)
    ]
    const shares = yield* sql<{ readonly node: string; readonly count: number }>`
      SELECT coalesce(n.name, 'nobody') AS node, count(*)::integer AS count FROM task_shards AS s
      LEFT JOIN worker_processes AS n ON n.id = s.process_id WHERE s.task = 'again' GROUP BY 1`
    yield* Console.log(`Shards: ${shares.map(({ count, node }) => `${node} ${count}`).join(", ")}`)

    const due = DateTime.add(yield* DateTime.now, { seconds: 20 })
    yield* opened("once", wakeUps, due)
    const wait = DateTime.toEpochMillis(due) - DateTime.toEpochMillis(yield* DateTime.now)
    yield* Console.log(`${wakeUps} lanes stand ready ${Math.round(wait)} ms before their time`)
    const woken = Effect.map(
      sql<{ readonly count: number }>`SELECT count(*)::integer AS count FROM chaos_writes WHERE work = 'once'`,
      ([row]) => row?.count ?? 0
    )
    yield* Effect.sleep(Math.max(wait, 0))
    yield* Effect.repeat(Effect.delay(woken, "500 millis"), { while: (count) => count < wakeUps }).pipe(
      Effect.timeoutOrElse({ duration: "3 minutes", orElse: () => Effect.succeed(0) })
    )
    const [late] = yield* sql<{ readonly median: number; readonly last: number }>`
      SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY late)::float8 AS median, max(late)::float8 AS last FROM (
        SELECT extract(epoch FROM at)::float8 * 1000 - ${DateTime.toEpochMillis(due)}::float8 AS late
        FROM chaos_writes WHERE work = 'once') AS each`
    yield* Console.log(
      `${wakeUps} simultaneous wake-ups: the median ${Math.round(late?.median ?? 0)} ms late, the last ${Math.round(late?.last ?? 0)} ms`
    )

    const writes = yield* sql<{
      readonly work: string
      readonly lane: string
      readonly place: string
      readonly falls: boolean
    }>`
      SELECT work, lane, place::text AS place,
        fence < max(fence) OVER (PARTITION BY work, lane ORDER BY place) AS falls FROM chaos_writes`
    const doubles = yield* sql<{ readonly lane: string; readonly count: number }>`
      SELECT lane, count(*)::integer AS count FROM chaos_writes WHERE work = 'once' GROUP BY lane`
    const mean = shardCount / names.length
    return yield* conclude(seed, log, [
      ...checks,
      check("no owner writes after a later one", writes, ({ falls, lane, place }) =>
        falls ? `lane ${lane}, write ${place}` : null
      ),
      check("each wake-up is done once", doubles, ({ count, lane }) => (count === 1 ? null : `lane ${lane}: ${count}`)),
      check("all wake-ups are done", [doubles.length], (done) => (done === wakeUps ? null : `${done} of ${wakeUps}`)),
      check("no process has a fifth more or less than its part", shares, ({ count, node }) =>
        Math.abs(count - mean) > mean / 5 ? `${node}: ${count}` : null
      )
    ])
  }).pipe(Effect.provide(layerWatching(grounds)))
})

export const leases = Command.make("leases", {
  ...ownServerFlags,
  lanes: count("lanes", 60, 10_000, "How many lanes are worked at again and again"),
  wakeUps: count("wake-ups", 20_000, 1_000_000, "Number of lanes with a simultaneous wake-up")
}).pipe(
  Command.withDescription(
    "Kills, freezes and disconnects processes that share lanes, and freezes their database: other processes take over within ten seconds, and no stale owner writes"
  ),
  Command.withHandler(({ lanes, wakeUps, ...given }) =>
    Effect.scoped(Effect.flatMap(ownServerOptions(given), (options) => run({ ...options, lanes, wakeUps })))
  )
)
