import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import * as Os from "node:os"
import { groundsOnCluster, layerPreparing, logFile } from "../chaos/grounds.ts"
import { ownServerFlags, ownServerOptions } from "../chaos/options.ts"
import { makeCluster, makeFolder } from "../chaos/postgres/cluster.ts"
import { parley } from "../servers/contenders.ts"
import { dryRun } from "./dryRun.ts"
import { watchSteps } from "./given.ts"
import { rates } from "./rates.ts"
import { resting } from "./resting.ts"
import { takeover } from "./takeover.ts"

const amount = (name: string, usual: number, about: string) =>
  Flag.Int(name).pipe(Flag.withDescription(`${about} (${usual})`), Flag.withDefault(usual))

const subjects = ["all", "rates", "resting", "takeover", "test"] as const

/** How soon runs start and continue, and their cost while they wait. */
export const workflows = Command.make(
  "workflows",
  {
    postgresBin: ownServerFlags.postgresBin,
    of: Flag.Literals("of", subjects).pipe(
      Flag.withDescription("Measurement: latency of runs, cost of waiting runs, a takeover, or a dry run (all)"),
      Flag.withDefault("all")
    ),
    runs: amount("runs", 2_000, "Number of concurrent starts"),
    waiting: amount("waiting", 1_000_000, "How many runs rest"),
    atOnce: amount("at-once", 20_000, "Number of waiting runs that are due at the same time"),
    perSecond: amount("per-second", 100, "How many are due a second"),
    seconds: amount("seconds", 20, "For how long")
  },
  Effect.fnUntraced(function* ({ atOnce, of, perSecond, postgresBin, runs, seconds, waiting }) {
    const { programs, seed } = yield* ownServerOptions({ postgresBin, seed: Option.none() })
    // A separate server: its log contains this bench only.
    const { port } = yield* makeCluster({
      programs,
      folder: yield* makeFolder,
      name: "workflows",
      settings: ["shared_preload_libraries=pg_stat_statements", "max_wal_size=4GB"]
    })
    const grounds = yield* groundsOnCluster(`127.0.0.1:${port}`)
    const log = yield* logFile("workflows", seed)
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE EXTENSION pg_stat_statements`
      yield* watchSteps
      const server = yield* parley({ ...grounds, isUnlimited: true }, { log })
      yield* Console.log(`The load of the machine is ${Os.loadavg()[0]?.toFixed(1)} to begin with.`)
      if (of === "all" || of === "test") yield* dryRun(server)
      if (of === "all" || of === "rates") yield* rates(server.pid, runs)
      if (of === "all" || of === "resting") yield* resting(server.pid, { resting: waiting, atOnce, perSecond, seconds })
      if (of === "all" || of === "takeover") {
        const other = yield* parley(grounds, { log, name: "other" })
        // Until each of the two has its share of the lanes.
        yield* Effect.sleep("5 seconds")
        yield* takeover(
          Effect.sync(() => void process.kill(other.pid, "SIGKILL")),
          seconds
        )
      }
      yield* Console.log(`The load of the machine is ${Os.loadavg()[0]?.toFixed(1)} in the end.`)
    }).pipe(Effect.provide(layerPreparing(grounds)))
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    "How soon runs of workflows begin, go on and are taken over, and what a million costs that rest"
  )
)
