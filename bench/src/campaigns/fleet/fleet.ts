import { Console, Effect, Redacted, Schema } from "effect"
import { fork } from "node:child_process"
import { ToolFailed } from "../../load/ToolFailed.ts"

/** Report of a worker: its readiness, or the finished work and the number of its statements. */
const Said = Schema.Struct({
  ready: Schema.optionalKey(Schema.Boolean),
  done: Schema.optionalKey(Schema.Int),
  statements: Schema.optionalKey(Schema.Int)
})
const isSaid = Schema.is(Said)

/** Workers in separate processes. */
export interface FleetOptions {
  readonly name: string
  readonly entry: string
  readonly processes: number
  readonly env: Readonly<Record<string, string | Redacted.Redacted>>
}

const plain = (value: string | Redacted.Redacted) => (Redacted.isRedacted(value) ? Redacted.value(value) : value)

const startOne = Effect.fnUntraced(function* ({ entry, env, name }: FleetOptions) {
  const values = Object.fromEntries(Object.entries(env).map(([key, value]) => [key, plain(value)]))
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => fork(entry, { env: { ...process.env, ...values, NODE_ENV: "production" } })),
    (child) =>
      Effect.callback<void>((resume) => {
        if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
        child.once("exit", () => resume(Effect.void))
        child.kill("SIGKILL")
      })
  )
  let done = 0
  let statements = 0
  yield* Effect.callback<void, ToolFailed>((resume) => {
    child.on("message", (input) => {
      if (!isSaid(input)) return
      done = input.done ?? done
      statements = input.statements ?? statements
      if (input.ready === true) resume(Effect.void)
    })
    child.once("exit", (code) => resume(new ToolFailed({ tool: name, output: `It ended with ${code}.` })))
  }).pipe(
    Effect.timeoutOrElse({
      duration: "1 minute",
      orElse: () => Effect.fail(new ToolFailed({ tool: name, output: "It does not work after a minute." }))
    })
  )
  return {
    pid: child.pid ?? 0,
    go: Effect.sync(() => child.send({ go: true })),
    done: () => done,
    statements: () => statements
  }
})

/** Starts workers, which wait for the start signal and end with the scope. */
export const startFleet = Effect.fnUntraced(function* (options: FleetOptions) {
  const workers = yield* Effect.forEach(Array.from({ length: options.processes }), () => startOne(options))
  return {
    pids: workers.map(({ pid }) => pid),
    go: Effect.forEach(workers, ({ go }) => go, { discard: true }),
    /** How much they have done together. */
    done: () => workers.reduce((sum, { done }) => sum + done(), 0),
    /** Total number of reported statements. */
    statements: () => workers.reduce((sum, { statements }) => sum + statements(), 0)
  }
})

export type Fleet = Effect.Success<ReturnType<typeof startFleet>>

const longestMillis = 300_000

/** Waits until so much is done. */
export const untilDone = Effect.fnUntraced(function* (name: string, fleet: Fleet, all: number) {
  const begun = performance.now()
  while (fleet.done() < all) {
    if (performance.now() - begun > longestMillis) {
      yield* Console.log(`${name}: ${fleet.done()} of ${all}`)
      return yield* new ToolFailed({ tool: name, output: `After five minutes ${fleet.done()} of ${all} are done.` })
    }
    yield* Effect.sleep("2 millis")
  }
})
