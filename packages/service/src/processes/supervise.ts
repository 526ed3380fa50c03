import { Clock, Deferred, Effect } from "effect"
import cluster, { type Worker } from "node:cluster"
import { ProcessFailed } from "../Failure.ts"
import { openChannel } from "./Channel.ts"
import type { Channel } from "./Channel.ts"
import type { Message } from "./Message.ts"
import { mergedMetrics } from "./mergedMetrics.ts"
import { type Post, postVariable } from "./Post.ts"
import { restartPause } from "./restartPause.ts"

/** How a process has ended. */
interface End {
  readonly code: number | null
  readonly signal: string | null
}

/** A place among the processes, and what is known of whoever has it. */
interface Place {
  readonly post: Post
  /** `null` while nobody has it. */
  channel: Channel | null
  isReady: boolean
  restarts: number
}

/** What is done while several processes run. */
interface Steps<E, R> {
  /** Whether the process may be looked in on: the metrics of all, and whether one of each role is ready. */
  readonly watched: (supervision: Supervision) => Effect.Effect<void, E, R>
  /** Once all of them do what they are there for. */
  readonly ready: Effect.Effect<void>
}

/** Several processes, as those see them who watch them. */
export interface Supervision {
  /** The metrics of all, each with the name of its process. */
  readonly metrics: Effect.Effect<string>
  /** Whether a process of each role is ready. */
  readonly isReady: Effect.Effect<boolean>
}

const start = (post: Post) =>
  Effect.gen(function* () {
    const worker = cluster.fork({ [postVariable]: post.name })
    const ended = yield* Deferred.make<End>()
    worker.once("exit", (code, signal) => Deferred.doneUnsafe(ended, Effect.succeed({ code, signal })))
    return { worker, ended: Deferred.await(ended) }
  })

type Started = Effect.Success<ReturnType<typeof start>>

/** Tells a process to end, and waits until it has. */
const end = ({ ended, worker }: Started) =>
  Effect.andThen(
    Effect.sync(() => worker.process.kill("SIGTERM")),
    ended
  )

/** A process that has just ended hears nothing any more. */
const send = (worker: Worker, message: Message) => {
  if (worker.isConnected()) worker.send(message, () => {})
}

const gauges = (places: ReadonlyArray<Place>): string => {
  const lines = (name: string, valueOf: (place: Place) => number) =>
    places.map((place) => `${name}{process="${place.post.name}"} ${valueOf(place)}\n`).join("")
  return (
    `# TYPE parley_process_up gauge\n${lines("parley_process_up", ({ isReady }) => (isReady ? 1 : 0))}` +
    `# TYPE parley_process_restarts_total counter\n${lines("parley_process_restarts_total", ({ restarts }) => restarts)}`
  )
}

const watching = (places: ReadonlyArray<Place>): Supervision => ({
  metrics: Effect.gen(function* () {
    const told = yield* Effect.forEach(
      places,
      ({ channel, post }) => Effect.map(channel?.metrics ?? Effect.succeedNone, (text) => ({ name: post.name, text })),
      { concurrency: "unbounded" }
    )
    const texts = told.flatMap(({ name, text }) => (text._tag === "Some" ? [[name, text.value] as const] : []))
    return gauges(places) + mergedMetrics(new Map(texts))
  }),
  isReady: Effect.sync(() =>
    [...Map.groupBy(places, ({ post }) => post.role).values()].every((group) => group.some(({ isReady }) => isReady))
  )
})

/** Runs whoever has the place until it ends. */
const fill = Effect.fnUntraced(
  function* (place: Place, metrics: Effect.Effect<string>, onReady: Effect.Effect<void>) {
    const started = yield* Effect.acquireRelease(start(place.post), end)
    const { worker } = started
    place.channel = yield* openChannel(
      { send: (message) => send(worker, message), onMessage: (hear) => worker.on("message", hear) },
      metrics
    )
    const getReady = Effect.andThen(
      place.channel.ready,
      Effect.suspend(() => {
        place.isReady = true
        return onReady
      })
    )
    yield* Effect.forkScoped(getReady)
    return yield* started.ended
  },
  (effect, place) =>
    Effect.ensuring(
      Effect.scoped(effect),
      Effect.sync(() => {
        place.channel = null
        place.isReady = false
      })
    )
)

/**
 * Runs these processes side by side, and starts those anew that end. The first of them prepares what all need, so the others wait until it is ready;
 * one that ends before all were ready ends them all. Told to stop, it tells them, and waits until they have ended.
 */
export const supervise = Effect.fnUntraced(function* <E, R>(
  posts: ReadonlyArray<Post>,
  { ready, watched }: Steps<E, R>
) {
  const places = posts.map((post): Place => ({ post, channel: null, isReady: false, restarts: 0 }))
  const supervision = watching(places)
  const [prepared, complete] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const onReady = Effect.suspend(() =>
    Effect.andThen(
      Deferred.succeed(prepared, undefined),
      places.every(({ isReady }) => isReady) ? Deferred.succeed(complete, undefined) : Effect.void
    )
  )

  const keep = Effect.fnUntraced(function* (place: Place, index: number) {
    if (index > 0) yield* Deferred.await(prepared)
    let pause = 0
    while (true) {
      const startedAt = yield* Clock.currentTimeMillis
      const how = yield* fill(place, supervision.metrics, onReady)
      const { name } = place.post
      if (!(yield* Deferred.isDone(complete))) return yield* new ProcessFailed({ name, exitCode: how.code ?? 1 })
      pause = restartPause(pause, (yield* Clock.currentTimeMillis) - startedAt)
      yield* Effect.logWarning(`The process ${name} has ended; another one takes its place.`, { ...how, pause })
      place.restarts++
      yield* Effect.sleep(pause)
    }
  })

  yield* watched(supervision)
  yield* Effect.forkScoped(Effect.andThen(Deferred.await(complete), ready))
  return yield* Effect.forEach(places, keep, { concurrency: "unbounded", discard: true })
}, Effect.scoped)
