import { Effect, FileSystem, Path, Schedule } from "effect"
import { freePort } from "../grounds.ts"
import { isRoot, runProgram } from "./programs.ts"

/** A folder for our own servers that their user can write to. It is removed when the scope ends. */
export const makeFolder = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "parley-chaos-" })
  if (isRoot) {
    const owner = (yield* runProgram("/", "id", ["-u"])).trim()
    yield* fs.chown(folder, Number(owner), Number((yield* runProgram("/", "id", ["-g"])).trim()))
  }
  return folder
})

/** Place of an own server, and its initial data. */
interface ClusterOptions {
  readonly programs: string
  readonly folder: string
  readonly name: string
  /** Port of the primary of this replica. */
  readonly replicaOf?: number
  /** Additional configuration: `name=value`. */
  readonly settings?: ReadonlyArray<string>
}

/** A PostgreSQL server of our own, which runs, and which everything may happen to; it ends with the scope. */
export const makeCluster = Effect.fnUntraced(function* ({
  folder,
  name,
  programs,
  replicaOf,
  settings = []
}: ClusterOptions) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const data = path.join(folder, name)
  const port = yield* freePort
  const tool = (program: string, ...args: ReadonlyArray<string>) =>
    runProgram(folder, path.join(programs, program), args)
  const control = (...args: ReadonlyArray<string>) => tool("pg_ctl", "-D", data, "-w", ...args)

  if (replicaOf === undefined) yield* tool("initdb", "-D", data, "-A", "trust", "-U", "postgres")
  else {
    const primary = ["-h", "127.0.0.1", "-p", String(replicaOf), "-U", "postgres"]
    yield* tool("pg_basebackup", ...primary, "-D", data, "-R", "-X", "stream", "--checkpoint=fast")
  }

  const start = control(
    "-l",
    `${data}.log`,
    "-o",
    ["listen_addresses=127.0.0.1", "max_connections=60", ...settings].reduce(
      (options, setting) => `${options} -c ${setting}`,
      `-p ${port} -k ${folder}`
    ),
    "start"
  )
  const stop = control("-m", "immediate", "stop")

  const processes = Effect.gen(function* () {
    const [postmaster = ""] = (yield* fs.readFileString(path.join(data, "postmaster.pid"))).split("\n")
    const children = yield* runProgram(folder, "pgrep", ["-P", postmaster], [0, 1])
    return { postmaster: Number(postmaster), children: children.split("\n").filter(Boolean).map(Number) }
  })
  const signal = (pids: ReadonlyArray<number>, kind: "SIGSTOP" | "SIGCONT") =>
    Effect.forEach(pids, (pid) => Effect.ignore(Effect.try(() => process.kill(pid, kind))), { discard: true })
  const resume = Effect.flatMap(processes, ({ children, postmaster }) => signal([...children, postmaster], "SIGCONT"))

  const query = (statement: string, database: string) =>
    Effect.map(
      tool("psql", "-h", "127.0.0.1", "-p", String(port), "-U", "postgres", "-qAtc", statement, database),
      (output) => output.trim()
    )

  yield* Effect.acquireRelease(start, () => Effect.ignore(Effect.andThen(Effect.ignore(resume), stop)))
  return {
    port,
    start,
    /** Ends it as a crash does. */
    stop,
    /** Stops it: connections stay open without answers. */
    standStill: Effect.gen(function* () {
      // First the process that would start others.
      yield* signal([(yield* processes).postmaster], "SIGSTOP")
      yield* signal((yield* processes).children, "SIGSTOP")
    }),
    resume,
    promote: control("promote"),
    /** Refuses new connections to the database of the service, and ends the open ones. */
    refuse: Effect.andThen(
      query("ALTER DATABASE postgres ALLOW_CONNECTIONS false", "template1"),
      query("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = 'postgres'", "template1")
    ),
    admit: query("ALTER DATABASE postgres ALLOW_CONNECTIONS true", "template1"),
    /** Runs a statement and returns its result as text. */
    query: (statement: string) => query(statement, "postgres")
  }
})

export type Cluster = Effect.Success<ReturnType<typeof makeCluster>>

/** Makes the primary wait for its replica at every commit, and waits until it does. */
export const replicateSynchronously = Effect.fnUntraced(function* (primary: Cluster) {
  yield* primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
  yield* primary.query("SELECT pg_reload_conf()")
  yield* primary
    .query("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")
    .pipe(
      Effect.repeat({ until: (count) => count === "1", schedule: Schedule.spaced("100 millis") }),
      Effect.timeout("30 seconds")
    )
})
