import { Cache, Clock, Context, Duration, Effect, Exit, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { driverFailuresDie } from "./defects.ts"

const longestAgeMillis = 500
const capacity = 20_000

/**
 * Remembers for at most half a second what was read of access and plans. A write that may change one of them
 * forgets all of it after its commit, so that the change holds at once on this node.
 */
export class RecentReads extends Context.Service<
  RecentReads,
  {
    /**
     * A read that is shared by those who ask at the same time, and remembered unless it gave `null`. Inside of a unit
     * of work it is read anew.
     */
    readonly remember: <A>(
      read: (key: string) => Effect.Effect<A, SqlError.SqlError>
    ) => Effect.Effect<(key: string) => Effect.Effect<A>>
    /** Forgets everything: after the commit of the unit of work that is under way, or at once outside of one. */
    readonly forget: Effect.Effect<void>
  }
>()("@parley/postgres-adapter/kernel/RecentReads") {}

interface Read<A> {
  readonly value: A
  /** The age counts from before the read: what was read slowly is already old. */
  readonly until: number
  /** How many milliseconds of that were left when it was read. */
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
        // What is not there may come any time.
        const left = value === null ? 0 : Math.max(0, until - (yield* Clock.currentTimeMillis))
        return { value, until, left } satisfies Read<A>
      })
      // It keeps no services of its own: it would put them together with the caller's for each read, and all are the caller's.
      const cache = yield* Effect.updateContext(
        Cache.makeWith(timed, {
          capacity,
          timeToLive: (exit) => (Exit.isSuccess(exit) ? Duration.millis(exit.value.left) : Duration.zero)
        }),
        withoutServices
      )
      // The answers at hand, in front of the cache, whose bookkeeping would cost more than all the rest of a hit.
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
        // An answer that was on its way while something was forgotten is good for this caller, and for nobody after.
        if (asked === forgotten && answer.left > 0) {
          if (atHand.size >= capacity) atHand.clear()
          atHand.set(key, answer)
        }
        return answer.value
      })

      return (key: string) =>
        Effect.withFiber<A>((fiber) => {
          if (Context.getOrUndefined(fiber.context, sql.transactionService) !== undefined) {
            return driverFailuresDie(read(key))
          }
          const known = atHand.get(key)
          return known !== undefined && fiber.getRef(Clock.Clock).currentTimeMillisUnsafe() < known.until
            ? Effect.succeed(known.value)
            : driverFailuresDie(ask(key))
        })
    })

    return RecentReads.of({
      remember,
      forget: sql.afterCommit(Effect.suspend(() => Effect.forEach(caches, (clear) => clear, { discard: true })))
    })
  })
)
