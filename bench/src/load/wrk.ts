import { Effect, FileSystem, Schema } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { fileURLToPath } from "node:url"
import type { Population } from "../tenants/Population.ts"
import { numbering } from "../tenants/numbering.ts"
import { ToolFailed } from "./ToolFailed.ts"
import type { Load } from "./Load.ts"

const script = fileURLToPath(new URL("random-reads.lua", import.meta.url))

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

/** Writes down who calls, for wrk to read. */
export const writeCallers = Effect.fnUntraced(function* (directory: string, { callers }: Population) {
  const fs = yield* FileSystem.FileSystem
  const file = `${directory}/callers`
  const lines = callers.map(({ accessToken, count, first, organizationId }) =>
    [organizationId, accessToken, numbering.firstAutomation + first, count].join(" ")
  )
  yield* fs.writeFileString(file, `${lines.join("\n")}\n`, { mode: 0o600 })
  return file
})

/** How wrk is to call. */
export interface WrkOptions {
  readonly url: string
  readonly callers: string
  readonly connections: number
  readonly seconds: number
  readonly seed: number
}

/** Reads random automations as fast as the server answers. */
export const wrk = Effect.fnUntraced(function* ({ callers, connections, seconds, seed, url }: WrkOptions) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const output = yield* spawner.string(
    ChildProcess.make("wrk", [
      "-t",
      String(Math.min(2, connections)),
      "-c",
      String(connections),
      "-d",
      `${seconds}s`,
      "-s",
      script,
      url,
      "--",
      callers,
      String(seed)
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
