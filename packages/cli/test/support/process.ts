import { Config, Effect } from "effect"
import { spawn } from "node:child_process"
import { createServer } from "node:net"
import { fileURLToPath } from "node:url"
import type { Environment, Outcome } from "./commandLine.ts"

const main = fileURLToPath(import.meta.resolve("../../src/main.ts"))

// Compile cache that processes of a test run share, if any.
const compiled = Effect.runSync(Config.String("NODE_COMPILE_CACHE").pipe(Config.withDefault("")))

/** A `parley` in its own process, with its output so far and its outcome. */
export interface Running {
  readonly output: () => { readonly out: string; readonly err: string }
  readonly signal: (name: "SIGTERM" | "SIGINT") => Effect.Effect<void>
  readonly ended: Effect.Effect<Outcome>
  /** Waits until the output matches. Fails if the process ends before. */
  readonly says: (pattern: RegExp) => Effect.Effect<RegExpExecArray>
}

const start = (program: string, environment: Environment, args: ReadonlyArray<string>, input: string): Running => {
  const child = spawn(process.execPath, [program, ...args], {
    // Like in a shell, PWD is the working directory.
    cwd: environment["PWD"],
    env: { PATH: "/usr/bin:/bin", PARLEY_DRAIN_SECONDS: "0", NODE_COMPILE_CACHE: compiled, ...environment }
  })
  let out = ""
  let err = ""
  let outcome: Outcome | null = null
  const watchers = new Set<() => void>()
  const notify = () => watchers.forEach((watch) => watch())
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text
    notify()
  })
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text
    notify()
  })
  child.on("close", (code) => {
    outcome = { code: code ?? -1, out, err }
    notify()
  })
  child.stdin.end(input)

  const when = <A>(look: () => Effect.Effect<A> | null) =>
    Effect.callback<A>((resume) => {
      const watch = () => {
        const found = look()
        if (found === null) return
        watchers.delete(watch)
        resume(found)
      }
      watchers.add(watch)
      watch()
      return Effect.sync(() => watchers.delete(watch))
    })

  return {
    output: () => ({ out, err }),
    signal: (name) => Effect.sync(() => child.kill(name)),
    ended: when(() => (outcome === null ? null : Effect.succeed(outcome))),
    says: (pattern) =>
      when(() => {
        const found = pattern.exec(out + err)
        if (found !== null) return Effect.succeed(found)
        return outcome === null ? null : Effect.die(new Error(`It ended with ${outcome.code}:\n${out}${err}`))
      })
  }
}

/** Runs the program in separate processes. */
export const parleyOf = (program: string) => ({
  /** Starts it. It is stopped when the scope ends. */
  startParley: (environment: Environment, ...args: ReadonlyArray<string>) =>
    Effect.acquireRelease(
      Effect.sync(() => start(program, environment, args, "")),
      (running) => Effect.andThen(running.signal("SIGTERM"), running.ended)
    ),
  /** Runs it to its end. */
  runParley: (environment: Environment, input: string, ...args: ReadonlyArray<string>) =>
    Effect.suspend(() => start(program, environment, args, input).ended)
})

export const { runParley, startParley } = parleyOf(main)

/** A port without a listener. */
export const freePort = Effect.callback<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const address = server.address()
    server.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
  })
})
