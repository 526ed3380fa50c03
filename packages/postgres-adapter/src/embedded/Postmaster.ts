import { Effect, Option } from "effect"
import { spawn } from "node:child_process"
import { join } from "node:path"
import { run, surroundings } from "./Account.ts"
import { type Address, listening, newAddress, removeShortFolder } from "./Address.ts"
import type { Cluster } from "./Cluster.ts"
import { withFiles } from "./files.ts"

/** Content of the server's own pid file. */
interface Running {
  readonly pid: number
  readonly address: Address
}

const pidFile = ({ data }: Cluster) => join(data, "postmaster.pid")

const parse = (text: string): Option.Option<Running> => {
  const [pid, , , port, folder = "", host = ""] = text.split("\n").map((line) => line.trim())
  return Number.isInteger(Number(pid)) && Number(port) > 0 && folder + host !== ""
    ? Option.some({ pid: Number(pid), address: { host: folder === "" ? host : folder, port: Number(port) } })
    : Option.none()
}

/** Server named in the pid file of the data folder; it can have ended. */
export const saidToRun = (cluster: Cluster) =>
  withFiles((fs) => fs.readFile(pidFile(cluster), "utf8")).pipe(
    Effect.map(parse),
    Effect.orElseSucceed(Option.none<Running>)
  )

const pidIn = (cluster: Cluster) =>
  withFiles((fs) => fs.readFile(pidFile(cluster), "utf8")).pipe(
    Effect.map((text) => Number.parseInt(text, 10)),
    Effect.orElseSucceed(() => Number.NaN)
  )

/** Whether the process with this pid is a server on the data, as far as the system reports. */
const isServer = (pid: number, { data }: Cluster) => {
  switch (process.platform) {
    // The working directory of a server is its data folder.
    case "linux":
      return withFiles((fs) => fs.readlink(`/proc/${pid}/cwd`)).pipe(
        Effect.map((folder) => folder === data),
        Effect.orElseSucceed(() => false)
      )
    case "darwin":
      return Effect.map(run("ps", ["-o", "comm=", "-p", String(pid)]), ({ out }) => out.includes("postgres"))
    default:
      return Effect.succeed(true)
  }
}

/**
 * Environment that lets PostgreSQL replace a killed server whose pid another process now has. PostgreSQL ignores the pid in this variable when
 * it looks for a running server.
 */
const takeover = Effect.fnUntraced(function* (cluster: Cluster) {
  const pid = yield* pidIn(cluster)
  return Number.isNaN(pid) || (yield* isServer(pid, cluster)) ? {} : { PG_GRANDPARENT_PID: String(pid) }
})

const forTests = { fsync: "off", full_page_writes: "off", synchronous_commit: "off", max_connections: "300" }

const settingsOf = (address: Address, { isThrowaway }: Cluster): Readonly<Record<string, string>> => ({
  ...listening(address),
  logging_collector: "off",
  log_destination: "stderr",
  log_checkpoints: "off",
  max_connections: "100",
  shared_buffers: "128MB",
  ...(isThrowaway ? forTests : {})
})

const logFile = ({ folder }: Cluster) => join(folder, "log")

const mostLogBytes = 10_000_000

/** Opens the log. Rotates it when it is too long, and keeps one old log. */
const openLog = (cluster: Cluster) =>
  withFiles(async (fs) => {
    const file = logFile(cluster)
    const size = await fs.stat(file).then(
      (found) => found.size,
      () => 0
    )
    if (size > mostLogBytes) await fs.rename(file, `${file}.old`)
    // Another user can own the folder. The open call refuses links placed there.
    const { O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_WRONLY } = fs.constants
    return {
      handle: await fs.open(file, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600),
      from: size > mostLogBytes ? 0 : size
    }
  })

/** Prefix of the PostgreSQL lines that explain a failed start. */
const complaint = /^.*?(?:FATAL|PANIC|DETAIL|HINT|postgres): +/

const complaintsIn = (log: string) =>
  log
    .split("\n")
    .filter((line) => complaint.test(line))
    .map((line) => line.replace(complaint, ""))
    .join(" ")

const since = (cluster: Cluster, from: number) =>
  withFiles(async (fs) => (await fs.readFile(logFile(cluster))).subarray(from).toString()).pipe(
    Effect.orElseSucceed(() => "")
  )

/** Exit code 0 is a deliberate stop. The last user stops the server, also if another process has just started it. */
const stopped = ""

/** A server that was just started, and its result. */
export interface Started {
  /** Reason for the end; empty text after a deliberate stop; none while the server runs. */
  readonly ended: Effect.Effect<Option.Option<string>>
}

/** Starts a server on the data. The server outlives this process. */
export const start = Effect.fnUntraced(function* (cluster: Cluster) {
  const address = yield* newAddress(cluster)
  const { env, ...options } = yield* surroundings(cluster.account)
  const took = yield* takeover(cluster)
  const { from, handle } = yield* openLog(cluster)
  const settings = Object.entries(settingsOf(address, cluster)).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const state: { ended: string | null } = { ended: null }
  yield* Effect.sync(() => {
    const child = spawn(cluster.binaries.program("postgres"), ["-D", cluster.data, ...settings], {
      ...options,
      env: { ...env, ...took },
      detached: true,
      stdio: ["ignore", handle.fd, handle.fd]
    })
    child.once("error", ({ message }) => (state.ended = message))
    child.once("exit", (code, signal) => (state.ended ??= code === 0 ? stopped : `It ended with ${signal ?? code}.`))
    child.unref()
  })
  yield* withFiles(() => handle.close())
  return {
    ended: Effect.suspend(() => {
      const { ended } = state
      if (ended === null) return Effect.succeedNone
      return ended === stopped
        ? Effect.succeedSome(stopped)
        : Effect.map(since(cluster, from), (log) => Option.some(complaintsIn(log) || ended))
    })
  } satisfies Started
})

/** Stops the server and waits for its end. */
export const stop = Effect.fnUntraced(function* (cluster: Cluster) {
  const { account, binaries, data } = cluster
  yield* run(binaries.program("pg_ctl"), ["stop", "-D", data, "-m", "fast", "-s", "-w", "-t", "60"], account)
  yield* removeShortFolder(cluster)
})
