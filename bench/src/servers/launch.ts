import { Console, Deferred, Effect, FileSystem, type Redacted, Schema, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { ToolFailed } from "../load/ToolFailed.ts"

/** A server in a separate process. */
export interface RunningServer {
  readonly url: string
  readonly pid: number
  /** That process and others on the same port. */
  readonly pids: ReadonlyArray<number>
}

/** The program to start. */
export interface ServerOptions {
  readonly name: string
  readonly entry: string
  readonly env: Readonly<Record<string, string | Redacted.Redacted>>
  readonly nodeFlags?: ReadonlyArray<string>
  /** The file that its standard error stream is added to, rather than to ours. */
  readonly log?: string
}

const decodeReady = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ port: Schema.Int })))

/** Starts a server, and stops it when the scope ends. */
export const launch = Effect.fnUntraced(function* ({ entry, env, log, name, nodeFlags = [] }: ServerOptions) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const child = yield* spawner.spawn(
    ChildProcess.make(process.execPath, [...nodeFlags, entry], {
      env: { ...env, NODE_ENV: "production" },
      extendEnv: true,
      stderr: log === undefined ? "inherit" : "pipe",
      killSignal: "SIGTERM",
      forceKillAfter: "5 seconds"
    })
  )
  const fs = yield* FileSystem.FileSystem
  const note = (line: string) =>
    log === undefined ? Console.error(line) : fs.writeFileString(log, `${line}\n`, { flag: "a" })
  if (log !== undefined) {
    yield* Stream.runForEach(Stream.splitLines(Stream.decodeText(child.stderr)), note).pipe(
      Effect.ignore,
      Effect.forkScoped
    )
  }
  const ready = yield* Deferred.make<number, ToolFailed>()
  yield* child.stdout.pipe(
    Stream.decodeText(),
    Stream.splitLines,
    Stream.runForEach((line) => {
      const announced = decodeReady(line)
      return announced._tag === "Some" ? Deferred.succeed(ready, announced.value.port) : note(line)
    }),
    Effect.ensuring(Deferred.fail(ready, new ToolFailed({ tool: name, output: "It ended before it listened." }))),
    Effect.forkScoped
  )
  const port = yield* Deferred.await(ready).pipe(
    Effect.timeoutOrElse({
      duration: "60 seconds",
      orElse: () => Effect.fail(new ToolFailed({ tool: name, output: "It does not listen after a minute." }))
    })
  )
  const server: RunningServer = { url: `http://127.0.0.1:${port}`, pid: child.pid, pids: [child.pid] }
  return server
})
