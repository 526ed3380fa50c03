import { Effect, FileSystem, Path, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { ToolFailed } from "../../load/ToolFailed.ts"

const installed = "/usr/lib/postgresql"

/** Folder with the programs of the newest installed PostgreSQL version. */
export const findPrograms = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const versions = yield* Effect.orElseSucceed(fs.readDirectory(installed), () => [])
  const newest = versions.toSorted((one, other) => Number(other) - Number(one))[0]
  if (newest === undefined) {
    return yield* new ToolFailed({ tool: "pg_ctl", output: `There is none in ${installed}: say --postgres-bin.` })
  }
  return path.join(installed, newest, "bin")
})

/** Whether this is a user that PostgreSQL refuses to run as. */
export const isRoot = process.getuid?.() === 0

/** Runs a program to its end, as the user `postgres` if we are root. Returns its output. */
export const runProgram = Effect.fnUntraced(function* (
  folder: string,
  program: string,
  args: ReadonlyArray<string>,
  accepted: ReadonlyArray<number> = [0]
) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const [command, ...rest] = isRoot ? ["runuser", "-u", "postgres", "--", program, ...args] : [program, ...args]
  const child = yield* spawner.spawn(ChildProcess.make(command, rest, { cwd: folder, extendEnv: true }))
  const output = yield* Stream.mkString(Stream.decodeText(child.all))
  const code = yield* child.exitCode
  return accepted.includes(code) ? output : yield* new ToolFailed({ tool: program, output })
}, Effect.scoped)
