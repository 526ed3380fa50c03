import { Effect, Redacted } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

/** Prefix of a request id that kills the process between its commit and its answer. */
export const deadly = "kill-after-commit-"

/** A node of the service in its own process. */
export interface NodeProcess {
  readonly port: number
  /** Exit of the process. */
  readonly ended: Effect.Effect<string>
}

const program = fileURLToPath(new URL("nodeProcess.ts", import.meta.url))

const endOf = (child: ChildProcess) =>
  new Promise<string>((resolve) => {
    child.once("exit", (code, signal) => resolve(signal ?? `code ${code}`))
  })

const portOf = (child: ChildProcess) =>
  Effect.callback<number>((resume) => {
    let printed = ""
    const listen = (part: Buffer) => {
      printed += part.toString()
      const [, port] = /^listening (\d+)$/m.exec(printed) ?? []
      if (port !== undefined) resume(Effect.succeed(Number(port)))
    }
    child.stdout?.on("data", listen)
    child.stderr?.on("data", listen)
    child.once("exit", () => resume(Effect.die(new Error(`The node did not start:\n${printed}`))))
  })

/**
 * Starts a node on the database. With the address of a shop's provider it does all works, and shops deliver to it if its port is said. It is killed when the
 * scope ends, if it still runs.
 */
export const startNode = Effect.fnUntraced(function* (
  database: Redacted.Redacted,
  masterKeys: Redacted.Redacted,
  storeApiUrl?: string,
  port?: number
) {
  const result = [
    Redacted.value(database),
    Redacted.value(masterKeys),
    ...(storeApiUrl === undefined ? [] : [storeApiUrl]),
    ...(port === undefined ? [] : [String(port)])
  ]
  const { child, end } = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(process.execPath, [program, ...result], {
        stdio: ["ignore", "pipe", "pipe"]
      })
      return { child, end: endOf(child) }
    }),
    ({ child, end }) =>
      Effect.promise(() => {
        child.kill("SIGKILL")
        return end
      })
  )
  return { port: yield* portOf(child), ended: Effect.promise(() => end) } satisfies NodeProcess
})
