import { Config, Deferred, type Duration, Effect, Option, Queue, Schema, type Scope } from "effect"
import { PrometheusMetrics } from "effect/observability"
import cluster from "node:cluster"
import { type Post, postOf, postVariable } from "./Post.ts"

/** What a process and the one that looks after it say to each other. Questions and answers go both ways, and are told apart by their numbers. */
export const Message = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("ready") }),
  Schema.Struct({ kind: Schema.Literal("background"), reason: Schema.NullOr(Schema.String) }),
  Schema.Struct({ kind: Schema.Literal("metrics_asked"), number: Schema.Int }),
  Schema.Struct({ kind: Schema.Literal("metrics_told"), number: Schema.Int, text: Schema.String })
])
export type Message = typeof Message.Type

/** How messages come from a process and go to it. */
export interface Wire {
  readonly send: (message: Message) => void
  readonly onMessage: (hear: (message: unknown) => void) => void
}

/** A process that can be talked with. */
export interface Channel {
  readonly tellReady: Effect.Effect<void>
  /** Completes when it says that it is ready. */
  readonly ready: Effect.Effect<void>
  /** Reports why the background work of this process fails; `null` while it works. */
  readonly tellBackground: (reason: string | null) => Effect.Effect<void>
  /** Last reported reason for a failure of the other process's background work. */
  readonly background: () => string | null
  /** Its metrics, or nothing if it does not say them in time. */
  readonly metrics: Effect.Effect<Option.Option<string>>
}

const read = Schema.decodeUnknownOption(Message)

/** Talks with another process for as long as the scope lasts, and tells it these metrics when it asks. It waits so long for its answers. */
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
