import type { OrganizationId } from "@parley/domain/kernel"
import { Clock, Context, Effect, Latch, Layer, Metric, Schedule, type Scope } from "effect"
import { RateLimited } from "../api/problems.ts"
import { ServerConfig } from "./ServerConfig.ts"

/** Maximum number of open streams of one session or token on a node. */
export const mostOfCaller = 20

/** Maximum number of open streams of an organization on a node. */
export const mostOfOrganization = 200

/** Owner of a stream, and the effect that cuts it off. */
export interface Opening {
  readonly caller: string
  readonly organizationId: OrganizationId
  readonly cut: () => void
}

/** Tracks the progress of a reader. A reader requests more data when the last data is on its way. */
export interface Reader {
  readonly given: Effect.Effect<void>
  readonly back: Effect.Effect<void>
}

interface OpenStream {
  readonly cut: () => void
  givenAt: number | null
}

/** Open streams of this node. Limits their number per caller, ends unread streams, and ends all streams on shutdown. */
export class OpenStreams extends Context.Service<
  OpenStreams,
  {
    /** Takes a place until the scope ends. */
    readonly open: (opening: Opening) => Effect.Effect<Reader, RateLimited, Scope.Scope>
    /** Completes when the service stops. */
    readonly ending: Effect.Effect<void>
    readonly end: Effect.Effect<void>
  }
>()("@parley/http-adapter/OpenStreams") {}

const openStreams = Metric.gauge("parley_event_streams_open", { description: "Number of open event streams" })

/** Counts by key. Drops a key when its count reaches zero. */
const makeTally = () => {
  const counts = new Map<string, number>()
  return {
    of: (key: string) => counts.get(key) ?? 0,
    add: (key: string, by: 1 | -1) => {
      const count = (counts.get(key) ?? 0) + by
      if (count === 0) counts.delete(key)
      else counts.set(key, count)
    }
  }
}

export const layer = Layer.effect(
  OpenStreams,
  Effect.gen(function* () {
    const { patienceMillis = 30_000 } = yield* ServerConfig
    const stopping = Latch.makeUnsafe()
    const tally = makeTally()
    const open = new Set<OpenStream>()

    const count = (keys: ReadonlyArray<string>, by: 1 | -1) =>
      Effect.suspend(() => {
        for (const key of keys) tally.add(key, by)
        return Metric.update(openStreams, open.size)
      })

    const cutIfIdle = (stream: OpenStream) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        if (stream.givenAt !== null && now - stream.givenAt > patienceMillis) stream.cut()
      })

    return OpenStreams.of({
      open: Effect.fnUntraced(function* ({ caller, cut, organizationId }) {
        if (tally.of(caller) >= mostOfCaller || tally.of(organizationId) >= mostOfOrganization) {
          return yield* new RateLimited({ retryAfterSeconds: 30 })
        }
        const stream: OpenStream = { cut, givenAt: null }
        const keys = [caller, organizationId]
        yield* Effect.acquireRelease(
          Effect.suspend(() => {
            open.add(stream)
            return count(keys, 1)
          }),
          () =>
            Effect.suspend(() => {
              open.delete(stream)
              return count(keys, -1)
            })
        )
        yield* Effect.forkScoped(Effect.repeat(cutIfIdle(stream), Schedule.spaced(Math.min(5_000, patienceMillis))))
        return {
          given: Effect.map(Clock.currentTimeMillis, (now) => {
            stream.givenAt = now
          }),
          back: Effect.sync(() => {
            stream.givenAt = null
          })
        }
      }),
      ending: stopping.await,
      end: Effect.asVoid(stopping.open)
    })
  })
)

/** Ends all streams before the server waits for its last answers, because a stream does not end on its own. */
export const layerEnding = Layer.effectDiscard(Effect.flatMap(OpenStreams, ({ end }) => Effect.addFinalizer(() => end)))
