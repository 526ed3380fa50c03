import { Cache, Clock, Context, Duration, Effect, Exit, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { driverFailuresDie } from "./defects.ts"

const longestAgeMillis = 500
const capacity = 20_000

/**
 * Remembers for at most half a second what was read of standings and plans. A write that may change one of them
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
  readonly tookMillis: number
}

export const layer = Layer.effect(
  RecentReads,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const caches: Array<Effect.Effect<void>> = []

    const remember = Effect.fnUntraced(function* <A>(read: (key: string) => Effect.Effect<A, SqlError.SqlError>) {
      const timed = Effect.fnUntraced(function* (key: string) {
        const start = yield* Clock.currentTimeMillis
        const value = yield* read(key)
        return { value, tookMillis: (yield* Clock.currentTimeMillis) - start } satisfies Read<A>
      })
      const cache = yield* Cache.makeWith(timed, {
        capacity,
        // The age counts from before the read: what was read slowly is already old. What is not there may come any time.
        timeToLive: (exit) =>
          Exit.isSuccess(exit) && exit.value.value !== null
            ? Duration.millis(Math.max(0, longestAgeMillis - exit.value.tookMillis))
            : Duration.zero
      })
      caches.push(Cache.invalidateAll(cache))
      return (key: string) =>
        driverFailuresDie(
          Effect.contextWith((context: Context.Context<never>) =>
            Context.getOrUndefined(context, sql.transactionService) === undefined
              ? Effect.map(Cache.get(cache, key), ({ value }) => value)
              : read(key)
          )
        )
    })

    return RecentReads.of({
      remember,
      forget: sql.afterCommit(Effect.suspend(() => Effect.forEach(caches, (clear) => clear, { discard: true })))
    })
  })
)
