import { Config, Effect, Option } from "effect"
import { PrometheusMetrics } from "effect/observability"
import cluster from "node:cluster"
import { openChannel } from "./Channel.ts"
import { type Post, postOf, postVariable } from "./Post.ts"

/** What a process knows that runs beside others, under one that looks after all. */
export interface Joined {
  readonly post: Post
  /** Whether it prepares what all of them need. */
  readonly isFirst: boolean
  readonly tellReady: Effect.Effect<void>
  /** Reports why the background work of this process fails; `null` while it works. */
  readonly tellBackground: (reason: string | null) => Effect.Effect<void>
  /** The metrics of all of them. */
  readonly metrics: Effect.Effect<string>
}

/** Which of several processes this is; `null` if it is the only one, or the one that looks after the others. */
export const ownPost: Effect.Effect<Post | null> = Effect.gen(function* () {
  const name = yield* Effect.orDie(Config.option(Config.String(postVariable)))
  return cluster.isWorker && Option.isSome(name) ? postOf(name.value) : null
})

/** For how long it waits for the metrics of all: whoever looks after them waits a second for each. */
const patience = "3 seconds"

/** Takes its place among the others: it answers what is asked of it for as long as the scope lasts. */
export const joinOthers = Effect.fnUntraced(function* (post: Post) {
  const context = yield* Effect.context<never>()
  const own = Effect.sync(() => PrometheusMetrics.formatUnsafe(context))
  const channel = yield* openChannel(
    {
      send: (message) => cluster.worker?.send(message),
      onMessage: (hear) => cluster.worker?.on("message", hear)
    },
    own,
    patience
  )
  const joined: Joined = {
    post,
    isFirst: post.number === 1,
    tellReady: channel.tellReady,
    tellBackground: channel.tellBackground,
    metrics: Effect.flatMap(
      channel.metrics,
      Option.match({ onNone: () => own, onSome: (text) => Effect.succeed(text) })
    )
  }
  return joined
})
