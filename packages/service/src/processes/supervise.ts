import { Clock, Data, Deferred, Effect } from "effect"
import cluster from "node:cluster"
import type { Worker } from "node:cluster"
import { ProcessFailed } from "../Failure.ts"
import { type Message, openChannel } from "./Channel.ts"
import { type Post, postVariable } from "./Post.ts"
import { type Place, type Supervision, watching } from "./Supervision.ts"

/** Whoever has run for so long has started well. */
const steadyMillis = 10_000

const longestMillis = 30_000

/** How many milliseconds pass before a process is started anew: none after a long life, then one second, and twice as many each time. */
export const restartPause = (before: number, livedMillis: number): number =>
  livedMillis >= steadyMillis ? 0 : Math.min(longestMillis, before === 0 ? 1_000 : before * 2)

/** How a process has ended. */
export interface End {
  readonly code: number | null
  readonly signal: string | null
}

/** The system has started no process: it has too many of them, or of open files, or no memory for one more. */
export class NotStarted extends Data.TaggedError("NotStarted")<{ readonly cause: unknown }> {
  override get message() {
    return `it could not be started (${String(this.cause)})`
  }
}

/** Starts the process of a place. That it could not be started may be known only later, and is then how it ends. */
const startProcess = Effect.fnUntraced(function* (post: Post) {
  const ended = yield* Deferred.make<End, NotStarted>()
  const worker = yield* Effect.try({
    try: () => cluster.fork({ [postVariable]: post.name }),
    catch: (cause) => new NotStarted({ cause })
  })
  worker.once("exit", (code, signal) => Deferred.doneUnsafe(ended, Effect.succeed({ code, signal })))
  // One that runs may also not have heard a signal: that ends nothing.
  worker.on("error", (cause) => {
    if (worker.process.pid === undefined) Deferred.doneUnsafe(ended, Effect.fail(new NotStarted({ cause })))
  })
  return { worker, ended: Deferred.await(ended) }
})

type Started = Effect.Success<ReturnType<typeof startProcess>>

/** Tells a process to end, and waits until it has. */
const endProcess = ({ ended, worker }: Started) =>
  Effect.andThen(
    // No signal for one that was never there: some systems would send it to all of a group.
    Effect.sync(() => worker.process.pid === undefined || worker.process.kill("SIGTERM")),
    Effect.ignore(ended)
  )

/** What is done while several processes run. */
interface Steps<E, R> {
  /** Whether the process may be looked in on: the metrics of all, and whether one of each role is ready. */
  readonly watched: (supervision: Supervision) => Effect.Effect<void, E, R>
  /** Once all of them do what they are there for. */
  readonly ready: Effect.Effect<void>
}

/** A process that has just ended hears nothing any more. */
const send = (worker: Worker, message: Message) => {
  if (worker.isConnected()) worker.send(message, () => {})
}

/** For how long a process has time to say its metrics. */
const patience = "1 second"

/** Runs whoever has the place until it ends. */
const fill = Effect.fnUntraced(
  function* (place: Place, metrics: Effect.Effect<string>, onReady: Effect.Effect<void>) {
    const started = yield* Effect.acquireRelease(startProcess(place.post), endProcess)
    const { worker } = started
    place.channel = yield* openChannel(
      { send: (message) => send(worker, message), onMessage: (hear) => worker.on("message", hear) },
      metrics,
      patience
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
    const { name } = place.post
    if (index > 0) yield* Deferred.await(prepared)
    let pause = 0
    while (true) {
      const startedAt = yield* Clock.currentTimeMillis
      const how = yield* Effect.catchTag(fill(place, supervision.metrics, onReady), "NotStarted", ({ message }) =>
        Effect.as(Effect.logWarning(`The process ${name}: ${message}`), { code: null, signal: null })
      )
      if (!(yield* Deferred.isDone(complete))) return yield* new ProcessFailed({ name, exitCode: how.code || 1 })
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
