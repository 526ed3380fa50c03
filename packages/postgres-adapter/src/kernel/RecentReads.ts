import { Cache, Clock, Context, Duration, Effect, Exit, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { orDieSqlErrors } from "./defects.ts"

const longestAgeMillis = 500
const capacity = 20_000

/**
 * Caches reads of access and plans for at most half a second. A write that can change one of them clears the cache after its commit. The change is
 * effective immediately on this node.
 */
export class RecentReads extends Context.Service<
  RecentReads,
  {
    /** Shares a read between concurrent callers, and caches the result unless it is `null`. Inside of a unit of work it always reads again. */
    readonly remember: <A>(
      read: (key: string) => Effect.Effect<A, SqlError.SqlError>
    ) => Effect.Effect<(key: string) => Effect.Effect<A>>
    /** Clears the cache: after the commit of the current unit of work, or immediately outside of one. */
    readonly forget: Effect.Effect<void>
  }
>()("@parley/postgres-adapter/kernel/RecentReads") {}

interface Read<A> {
  readonly value: A
  /** The age counts from before the read, so a slow read expires earlier. */
  readonly until: number
  /** Remaining milliseconds of the lifetime at the time of the read. */
  readonly left: number
}

const withoutServices = (_surroundings: Context.Context<never>): Context.Context<never> => Context.empty()

export const layer = Layer.effect(
  RecentReads,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const caches: Array<Effect.Effect<void>> = []

    const remember = Effect.fnUntraced(function* <A>(read: (key: string) => Effect.Effect<A, SqlError.SqlError>) {
      const timed = Effect.fnUntraced(function* (key: string) {
        const until = (yield* Clock.currentTimeMillis) + longestAgeMillis
        const value = yield* read(key)
        // A missing record can appear at any time.
        const left = value === null ? 0 : Math.max(0, until - (yield* Clock.currentTimeMillis))
        return { value, until, left } satisfies Read<A>
      })
      // The cache stores no services. It would merge them with the caller's for each read, and all are the caller's.
      const cache = yield* Effect.updateContext(
        Cache.makeWith(timed, {
          capacity,
          timeToLive: (exit) => (Exit.isSuccess(exit) ? Duration.millis(exit.value.left) : Duration.zero)
        }),
        withoutServices
      )
      // Available answers in front of the cache, whose bookkeeping costs more than the rest of a hit.
      const atHand = new Map<string, Read<A>>()
      let forgotten = 0
      const clear = Effect.sync(() => {
        forgotten += 1
        atHand.clear()
      })
      caches.push(Effect.andThen(clear, Cache.invalidateAll(cache)))

      const ask = Effect.fnUntraced(function* (key: string) {
        const asked = forgotten
        const answer = yield* Cache.get(cache, key)
        // A read that was in flight during a clear is valid for this caller only.
        if (asked === forgotten && answer.left > 0) {
          if (atHand.size >= capacity) atHand.clear()
          atHand.set(key, answer)
        }
        return answer.value
      })

      return (key: string) =>
        Effect.withFiber<A>((fiber) => {
          if (Context.getOrUndefined(fiber.context, sql.transactionService) !== undefined) {
            return orDieSqlErrors(read(key))
          }
          const known = atHand.get(key)
          return known !== undefined && fiber.getRef(Clock.Clock).currentTimeMillisUnsafe() < known.until
            ? Effect.succeed(known.value)
            : orDieSqlErrors(ask(key))
        })
    })

    return RecentReads.of({
      remember,
      forget: sql.afterCommit(Effect.suspend(() => Effect.forEach(caches, (clear) => clear, { discard: true })))
    })
  })
)
