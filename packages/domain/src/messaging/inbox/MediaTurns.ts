import { Context, Effect, Layer, Semaphore } from "effect"
import type { MediaId } from "./Ids.ts"

type Turn = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** How many large files a process has in memory at once. */
const mostLargeFiles = 3

/** Who may move which file now, on this process. */
export class MediaTurns extends Context.Service<
  MediaTurns,
  {
    /** One after the other for each file: whoever comes second finds what the first one has fetched. */
    readonly fetching: (id: MediaId) => Turn
    /** Files are whole in memory while they are handed on: of large ones, few are so at once. */
    readonly handingOn: Turn
  }
>()("@parley/domain/messaging/inbox/MediaTurns") {
  /** The turns of this process. */
  static readonly layer = Layer.effect(
    MediaTurns,
    Effect.gen(function* () {
      const turns = new Map<MediaId, { readonly turn: Semaphore.Semaphore; waiting: number }>()
      const largeFiles = yield* Semaphore.make(mostLargeFiles)
      return MediaTurns.of({
        fetching: (id) => (effect) =>
          Effect.acquireUseRelease(
            Effect.sync(() => {
              const place = turns.get(id) ?? { turn: Semaphore.makeUnsafe(1), waiting: 0 }
              place.waiting += 1
              turns.set(id, place)
              return place
            }),
            ({ turn }) => turn.withPermit(effect),
            (place) =>
              Effect.sync(() => {
                place.waiting -= 1
                if (place.waiting === 0) turns.delete(id)
              })
          ),
        handingOn: (effect) => largeFiles.withPermit(effect)
      })
    })
  )
}
