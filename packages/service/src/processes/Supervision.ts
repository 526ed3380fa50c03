import { Effect } from "effect"
import type { Channel } from "./Channel.ts"
import { mergedMetrics } from "./mergedMetrics.ts"
import type { Post } from "./Post.ts"

/** A place among the processes, and what is known of whoever has it. */
export interface Place {
  readonly post: Post
  /** `null` while nobody has it. */
  channel: Channel | null
  isReady: boolean
  restarts: number
}

/** Several processes, as those see them who watch them. */
export interface Supervision {
  /** The metrics of all, each with the name of its process. */
  readonly metrics: Effect.Effect<string>
  /** Whether a process of each role is ready. Without an API process, a worker is not ready while its background work fails. */
  readonly isReady: Effect.Effect<boolean>
  /** Reason for the failure of the background work; `null` while it works. */
  readonly failing: Effect.Effect<string | null>
}

const failureOf = ({ channel, post }: Place): string | null =>
  post.role === "worker" ? (channel?.background() ?? null) : null

/** Processes with an API are ready for calls, independent of the background work. */
const isReady = (places: ReadonlyArray<Place>) => {
  const hasApi = places.some(({ post }) => post.role === "api")
  const serves = (place: Place) => place.isReady && (hasApi || failureOf(place) === null)
  return [...Map.groupBy(places, ({ post }) => post.role).values()].every((group) => group.some(serves))
}

const gauges = (places: ReadonlyArray<Place>): string => {
  const lines = (name: string, valueOf: (place: Place) => number) =>
    places.map((place) => `${name}{process="${place.post.name}"} ${valueOf(place)}\n`).join("")
  return (
    `# TYPE parley_process_up gauge\n${lines("parley_process_up", ({ isReady }) => (isReady ? 1 : 0))}` +
    `# TYPE parley_process_restarts_total counter\n${lines("parley_process_restarts_total", ({ restarts }) => restarts)}`
  )
}

/** Watches whoever has these places. Only those who are ready are asked for their metrics: one that starts answers nobody. */
export const watching = (places: ReadonlyArray<Place>): Supervision => ({
  metrics: Effect.gen(function* () {
    const told = yield* Effect.forEach(
      places,
      ({ channel, isReady, post }) =>
        Effect.map(channel !== null && isReady ? channel.metrics : Effect.succeedNone, (text) => ({
          name: post.name,
          text
        })),
      { concurrency: "unbounded" }
    )
    const texts = told.flatMap(({ name, text }) => (text._tag === "Some" ? [[name, text.value] as const] : []))
    return gauges(places) + mergedMetrics(new Map(texts))
  }),
  isReady: Effect.sync(() => isReady(places)),
  failing: Effect.sync(() => places.map(failureOf).find((reason) => reason !== null) ?? null)
})
