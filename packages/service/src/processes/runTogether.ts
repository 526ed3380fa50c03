import { Effect, Fiber, Layer } from "effect"
import cluster from "node:cluster"
import { createServer } from "node:net"
import { availableParallelism } from "node:os"
import { cannotListen, metricsAddressOf } from "../addresses.ts"
import type { Settings } from "../readSettings.ts"
import type { Post } from "./Post.ts"
import { layerWatch, type Supervision } from "./Supervision.ts"
import { supervise } from "./supervise.ts"

/** Hooks in the life of several processes. */
interface Steps {
  /** Runs when all processes are ready. */
  readonly ready: Effect.Effect<void>
  /** Runs on the stop signal, before pending work ends. */
  readonly stopping: Effect.Effect<void>
}

/** Checks that the port is free. The check uses an exclusive bind, because a shared bind succeeds while another service shares the port. */
const portIsFree = (settings: Settings) =>
  Effect.callback<void, ReturnType<typeof cannotListen>>((resume) => {
    const probe = createServer()
    probe.once("error", (cause) => resume(Effect.fail(cannotListen(settings, cause))))
    probe.listen({ host: settings.host.value, port: settings.port.value, exclusive: true }, () =>
      probe.close(() => resume(Effect.void))
    )
  })

const watched = (settings: Settings) => (supervision: Supervision) => {
  const address = metricsAddressOf(settings)
  return address === null
    ? Effect.void
    : Layer.build(layerWatch(address, supervision, settings.metricsToken.value)).pipe(
        Effect.catchTag("ServeError", ({ cause }) => Effect.fail(cannotListen(settings, cause))),
        Effect.asVoid
      )
}

/** Number of threads that Node starts by default. */
const mostThreads = 4

/** Gives each process its share of the cores for helper threads. More threads would take cores of other processes during V8 garbage collection. */
const shareThreads = (processes: number) =>
  Effect.sync(() => {
    const threads = Math.max(1, Math.min(mostThreads, Math.floor(availableParallelism() / processes)))
    cluster.setupPrimary({ execArgv: [`--v8-pool-size=${threads}`, ...process.execArgv] })
  })

/** Runs the processes in parallel until the stop signal, then waits for all of them. */
export const runTogether = (settings: Settings, posts: ReadonlyArray<Post>, { ready, stopping }: Steps) =>
  Effect.gen(function* () {
    if (posts.some(({ role }) => role === "api")) yield* portIsFree(settings)
    yield* shareThreads(posts.length)
    // The scope ends the processes and waits for them after the stop message.
    const running = yield* Effect.forkScoped(supervise(posts, { watched: watched(settings), ready }))
    return yield* Effect.onInterrupt(Fiber.join(running), () => stopping)
  }).pipe(Effect.scoped)
