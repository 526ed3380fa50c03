import { Effect, type Redacted, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { SqlClient } from "effect/sql"
import { fileURLToPath } from "node:url"
import { ToolFailed } from "../../load/ToolFailed.ts"
import { startFleet } from "./fleet.ts"

const folder = fileURLToPath(new URL("../../../queues/", import.meta.url))
const installer = fileURLToPath(new URL("../../../../scripts/install.mjs", import.meta.url))

const runNode = Effect.fnUntraced(function* (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string | Redacted.Redacted>> = {}
) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const child = yield* spawner.spawn(ChildProcess.make(process.execPath, args, { cwd: folder, env, extendEnv: true }))
  const output = yield* Stream.mkString(Stream.decodeText(child.all))
  if ((yield* child.exitCode) !== 0) return yield* new ToolFailed({ tool: args.join(" "), output })
}, Effect.scoped)

/** Fetches the queues of others, if they are not here yet. */
export const fetchQueues = runNode([installer, folder])

/** A queue of others that is measured against, by its name among files. */
export type QueueName = "graphile-worker" | "pg-boss"

/** Adds this number of messages to the queue, one job each. */
export const enqueue = (name: QueueName, databaseUrl: Redacted.Redacted, count: number) =>
  runNode(["enqueue.mjs", name, String(count)], { BENCH_DATABASE_URL: databaseUrl })

/** Workers of the queue, configured for speed as by their authors. Without a provider a job finishes directly. */
export const startQueue = (
  name: QueueName,
  databaseUrl: Redacted.Redacted,
  {
    concurrency,
    processes,
    provider
  }: { readonly concurrency: number; readonly processes: number; readonly provider?: string }
) =>
  startFleet({
    name,
    entry: `${folder}${name}.mjs`,
    processes,
    env: {
      BENCH_DATABASE_URL: databaseUrl,
      BENCH_CONCURRENCY: String(concurrency),
      ...(provider !== undefined && { BENCH_PROVIDER: provider })
    }
  })

/** Waits until the queue has stored that all jobs are done. */
export const untilStored = Effect.fnUntraced(function* (name: QueueName) {
  const sql = yield* SqlClient.SqlClient
  const left = sql.literal(
    name === "pg-boss"
      ? "SELECT FROM pgboss.job WHERE name = 'message' AND state < 'completed'"
      : "SELECT FROM graphile_worker._private_jobs"
  )
  const isLeft = Effect.map(
    sql<{ readonly isLeft: boolean }>`SELECT EXISTS (${left}) AS "isLeft"`.unprepared,
    ([row]) => row?.isLeft ?? false
  )
  yield* Effect.repeat(Effect.delay(isLeft, "5 millis"), { while: (is) => is })
})

/** Deletes the remaining jobs. */
export const clearQueue = Effect.fnUntraced(function* (name: QueueName) {
  const sql = yield* SqlClient.SqlClient
  yield* name === "pg-boss"
    ? sql`DROP SCHEMA IF EXISTS pgboss CASCADE`
    : sql`DROP SCHEMA IF EXISTS graphile_worker CASCADE`
})
