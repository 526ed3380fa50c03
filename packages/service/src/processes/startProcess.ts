import { Data, Deferred, Effect } from "effect"
import cluster from "node:cluster"
import { type Post, postVariable } from "./Post.ts"

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
export const startProcess = Effect.fnUntraced(function* (post: Post) {
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
export const endProcess = ({ ended, worker }: Started) =>
  Effect.andThen(
    // No signal for one that was never there: some systems would send it to all of a group.
    Effect.sync(() => worker.process.pid === undefined || worker.process.kill("SIGTERM")),
    Effect.ignore(ended)
  )
