import { Config, Deferred, type Duration, Effect, Option, Queue, Schema, type Scope } from "effect"
import { PrometheusMetrics } from "effect/observability"
import cluster from "node:cluster"
import { type Post, postOf, postVariable } from "./Post.ts"

/** Message between a process and its supervisor. Both sides send requests, and numbers match answers to requests. */
export const Message = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("ready") }),
  Schema.Struct({ kind: Schema.Literal("background"), reason: Schema.NullOr(Schema.String) }),
  Schema.Struct({ kind: Schema.Literal("metrics_asked"), number: Schema.Int }),
  Schema.Struct({ kind: Schema.Literal("metrics_told"), number: Schema.Int, text: Schema.String })
])
export type Message = typeof Message.Type

/** Transport of messages to and from a process. */
export interface Wire {
  readonly send: (message: Message) => void
  readonly onMessage: (hear: (message: unknown) => void) => void
}

export interface Channel {
  readonly tellReady: Effect.Effect<void>
  /** Completes when the other process reports that it is ready. */
  readonly ready: Effect.Effect<void>
  /** Reports why the background work of this process fails; `null` while it works. */
  readonly tellBackground: (reason: string | null) => Effect.Effect<void>
  /** Last reported reason for a failure of the other process's background work. */
  readonly background: () => string | null
  /** Metrics of the other process; none after the timeout. */
  readonly metrics: Effect.Effect<Option.Option<string>>
}

const read = Schema.decodeUnknownOption(Message)

/** Opens a channel for the lifetime of the scope. Answers metrics requests of the other process, and waits for answers up to the timeout. */
export const openChannel = Effect.fnUntraced(function* (
  wire: Wire,
  metrics: Effect.Effect<string>,
  patience: Duration.Input
): Effect.fn.Return<Channel, never, Scope.Scope> {
  const heard = yield* Queue.unbounded<Message>()
  const ready = yield* Deferred.make<void>()
  const asked = new Map<number, Deferred.Deferred<string>>()
  let questions = 0
  let background: string | null = null

  const hear = (message: Message): Effect.Effect<void> => {
    switch (message.kind) {
      case "ready":
        return Effect.asVoid(Deferred.succeed(ready, undefined))
      case "background":
        return Effect.sync(() => {
          background = message.reason
        })
      case "metrics_asked":
        return Effect.map(metrics, (text) => wire.send({ kind: "metrics_told", number: message.number, text }))
      case "metrics_told": {
        const question = asked.get(message.number)
        return question === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(question, message.text))
      }
    }
  }
  yield* Effect.forkScoped(
    Effect.forever(Effect.flatMap(Queue.take(heard), (message) => Effect.forkChild(hear(message))))
  )
  wire.onMessage((unknown) => {
    const message = read(unknown)
    if (Option.isSome(message)) Queue.offerUnsafe(heard, message.value)
  })

  const ask = Effect.suspend(() => {
    const number = questions++
    const answer = Deferred.makeUnsafe<string>()
    asked.set(number, answer)
    wire.send({ kind: "metrics_asked", number })
    return Deferred.await(answer).pipe(
      Effect.timeoutOption(patience),
      Effect.ensuring(Effect.sync(() => asked.delete(number)))
    )
  })

  return {
    tellReady: Effect.sync(() => wire.send({ kind: "ready" })),
    ready: Deferred.await(ready),
    tellBackground: (reason) => Effect.sync(() => wire.send({ kind: "background", reason })),
    background: () => background,
    metrics: ask
  }
})

/** View of one of several supervised processes. */
export interface Joined {
  readonly post: Post
  /** Whether this process prepares the shared resources. */
  readonly isFirst: boolean
  readonly tellReady: Effect.Effect<void>
  /** Reports why the background work of this process fails; `null` while it works. */
  readonly tellBackground: (reason: string | null) => Effect.Effect<void>
  /** Metrics of all processes. */
  readonly metrics: Effect.Effect<string>
}

/** Post of this process; `null` for a single process and for the supervisor. */
export const ownPost: Effect.Effect<Post | null> = Effect.gen(function* () {
  const name = yield* Effect.orDie(Config.option(Config.String(postVariable)))
  return cluster.isWorker && Option.isSome(name) ? postOf(name.value) : null
})

/** Timeout for the metrics of all processes. The supervisor waits one second for each. */
const patience = "3 seconds"

/** Joins the other processes, and answers their requests for the lifetime of the scope. */
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
