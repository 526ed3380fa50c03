import { Effect, FileSystem, Schema } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { fileURLToPath } from "node:url"
import type { Population } from "../tenants/Population.ts"
import { seededIds } from "../tenants/seededIds.ts"
import { ToolFailed } from "./ToolFailed.ts"
import type { Load } from "./Load.ts"

const scriptAt = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Random reads of automations. The file contains the callers. */
export const randomReads = scriptAt("random-reads.lua")

/** Any requests, from a file. */
export const randomRequests = scriptAt("random-requests.lua")

/** Signed deliveries, each with a unique id. */
export const signedDeliveries = scriptAt("signed-deliveries.lua")

const Result = Schema.Struct({
  requests: Schema.Int,
  micros: Schema.Int,
  refused: Schema.Int,
  broken: Schema.Int,
  p50: Schema.Int,
  p99: Schema.Int,
  p999: Schema.Int
})
const decodeResult = Schema.decodeUnknownEffect(Schema.fromJsonString(Result))

/** Writes the callers to a file for wrk. */
export const writeCallers = Effect.fnUntraced(function* (directory: string, { callers }: Population) {
  const fs = yield* FileSystem.FileSystem
  const file = `${directory}/callers`
  const lines = callers.map(({ accessToken, count, first, organizationId }) =>
    [organizationId, accessToken, seededIds.firstAutomation + first, count].join(" ")
  )
  yield* fs.writeFileString(file, `${lines.join("\n")}\n`, { mode: 0o600 })
  return file
})

/** Possible requests and their callers. */
export interface Target {
  readonly organizationId: string
  readonly accessToken: string
  readonly path: string
}

/** Writes the requests to a file for wrk. */
export const writeTargets = Effect.fnUntraced(function* (file: string, targets: ReadonlyArray<Target>) {
  const fs = yield* FileSystem.FileSystem
  const lines = targets.map(({ accessToken, organizationId, path }) => [organizationId, accessToken, path].join(" "))
  yield* fs.writeFileString(file, `${lines.join("\n")}\n`, { mode: 0o600 })
  return file
})

/** How wrk is to call. */
export interface WrkOptions {
  readonly url: string
  readonly script: string
  /** Input of the script. */
  readonly words: ReadonlyArray<string>
  readonly connections: number
  readonly seconds: number
}

/** Number of threads for this number of connections. */
export const threadsFor = (connections: number) => Math.min(2, connections)

/** Calls as fast as the server answers. */
export const wrk = Effect.fnUntraced(function* ({ connections, script, seconds, url, words }: WrkOptions) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const output = yield* spawner.string(
    ChildProcess.make("wrk", [
      "-t",
      String(threadsFor(connections)),
      "-c",
      String(connections),
      "-d",
      `${seconds}s`,
      "--timeout",
      "30s",
      "-s",
      script,
      url,
      "--",
      ...words
    ]),
    { includeStderr: true }
  )
  const result = /^RESULT (.*)$/m.exec(output)?.[1]
  if (result === undefined) return yield* new ToolFailed({ tool: "wrk", output })
  const { broken, micros, p50, p99, p999, refused, requests } = yield* decodeResult(result)
  const load: Load = {
    requests,
    seconds: micros / 1e6,
    refused,
    broken,
    p50: p50 / 1000,
    p99: p99 / 1000,
    p999: p999 / 1000
  }
  return load
})
