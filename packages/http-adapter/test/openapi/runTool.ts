import { Effect, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"

/** Output and exit code of a tool. */
export interface Ran {
  readonly output: string
  readonly faults: string
  readonly exit: number
}

/** Runs a tool in a folder to its end. */
export const runTool = Effect.fnUntraced(function* (
  folder: string,
  tool: string,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
) {
  const command = ChildProcess.make(tool, args, {
    cwd: folder,
    env: { CI: "true", NO_COLOR: "1", ...env },
    extendEnv: true,
    // The end of the process group of a run also ends this process: npm would keep its lock.
    detached: false
  })
  const handle = yield* (yield* ChildProcessSpawner.ChildProcessSpawner).spawn(command)
  const [output, faults, exit] = yield* Effect.all(
    [
      Stream.mkString(Stream.decodeText(handle.stdout)),
      Stream.mkString(Stream.decodeText(handle.stderr)),
      handle.exitCode
    ],
    { concurrency: "unbounded" }
  )
  return { output, faults, exit: Number(exit) } satisfies Ran
}, Effect.scoped)
