import { Effect, Fiber, Layer } from "effect"
import cluster from "node:cluster"
import { createServer } from "node:net"
import { availableParallelism } from "node:os"
import { cannotListen, metricsAddressOf } from "../addresses.ts"
import type { Settings } from "../settings.ts"
import type { Post } from "./Post.ts"
import { layerWatch, type Supervision } from "./Supervision.ts"
import { supervise } from "./supervise.ts"

/** What whoever runs several processes adds to their life. */
interface Steps {
  /** Once all of them do what they are there for. */
  readonly ready: Effect.Effect<void>
  /** When they are told to stop, before what is under way is finished. */
  readonly stopping: Effect.Effect<void>
}

/** Processes share a port with whoever asks for it in the same way, so it is asked for alone first. */
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

/** As many as Node starts by itself. */
const mostThreads = 4

/** Each process gets its share of the cores for threads beside the main one: more would take the cores of the others whenever V8 collects. */
const shareThreads = (processes: number) =>
  Effect.sync(() => {
    const threads = Math.max(1, Math.min(mostThreads, Math.floor(availableParallelism() / processes)))
    cluster.setupPrimary({ execArgv: [`--v8-pool-size=${threads}`, ...process.execArgv] })
  })

/** Runs these processes side by side until it is told to stop; then it waits for all of them. */
export const runTogether = (settings: Settings, posts: ReadonlyArray<Post>, { ready, stopping }: Steps) =>
  Effect.gen(function* () {
    if (posts.some(({ role }) => role === "api")) yield* portIsFree(settings)
    yield* shareThreads(posts.length)
    // They are told to end, and waited for, when the scope ends: after it was said.
    const running = yield* Effect.forkScoped(supervise(posts, { watched: watched(settings), ready }))
    return yield* Effect.onInterrupt(Fiber.join(running), () => stopping)
  }).pipe(Effect.scoped)
