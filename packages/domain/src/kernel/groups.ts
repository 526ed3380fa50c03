import { Cause, Context, Deferred, Effect, Exit, type Scope } from "effect"
import { findOutage } from "./StorageUnavailable.ts"
import { CurrentCommitCount, Transaction } from "./UnitOfWork.ts"

/** Result of an item of a group. `alone`: the group did not process it, and its caller does. */
export type GroupResult<A, E> = Exit.Exit<A, E> | "alone"

interface WaitingItem<Item, A, E> {
  readonly item: Item
  readonly result: Deferred.Deferred<GroupResult<A, E>>
}

/** Processes concurrent items with the same key in common units of work. */
export interface Groups<Key extends string, Item, A, E> {
  /**
   * Processes the item together with the other waiting items of the key. Runs `alone` in the caller instead if the group leaves the item out, and
   * inside a unit of work, because the item belongs to that commit.
   */
  readonly run: <E2, R>(key: Key, item: Item, alone: Effect.Effect<A, E2, R>) => Effect.Effect<A, E | E2, R>
}

/** Processing of the items of one key, in the order of their arrival. */
export interface GroupOptions<Key extends string, Item, A, E, R> {
  /** Maximum number of items in a unit of work. */
  readonly limit: number
  /** Runs one unit of work, and returns a result per item. A defect rolls all of them back. */
  readonly together: (key: Key, items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<GroupResult<A, E>>, never, R>
}

const isInUnitOfWork = (context: Context.Context<never>) => Context.getOrUndefined(context, Transaction) !== undefined

/**
 * Makes groups. An item without others starts immediately. Items that arrive during a unit of work of their key wait for it and form the next group.
 * A group does not depend on its callers: an interrupted caller only leaves, and time limits of a caller do not apply to the others. After a defect
 * each item runs alone, because the rollback is certain. After an outage no item is repeated, because the commit can have succeeded.
 */
export const makeGroups = <Key extends string, Item, A, E, R>({
  limit,
  together
}: GroupOptions<Key, Item, A, E, R>): Effect.Effect<Groups<Key, Item, A, E>, never, R | Scope.Scope> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<R | Scope.Scope>()
    const scope = yield* Effect.scope
    const queues = new Map<string, Array<WaitingItem<Item, A, E>>>()

    /** Result of the item when its unit of work ended like this. */
    const resultOf = (exit: Exit.Exit<ReadonlyArray<GroupResult<A, E>>>, index: number): GroupResult<A, E> => {
      if (Exit.isSuccess(exit)) return exit.value[index] ?? "alone"
      const isRolledBack = Cause.hasDies(exit.cause) && findOutage(exit.cause) === null
      return isRolledBack ? "alone" : Exit.failCause(exit.cause)
    }

    const settle = (
      group: ReadonlyArray<WaitingItem<Item, A, E>>,
      exit: Exit.Exit<ReadonlyArray<GroupResult<A, E>>>
    ) => {
      for (const [index, { result }] of group.entries())
        Deferred.doneUnsafe(result, Exit.succeed(resultOf(exit, index)))
    }

    const processAll = Effect.fnUntraced(function* (key: Key, queue: Array<WaitingItem<Item, A, E>>) {
      // Requests of the same turn of the event loop join the first group.
      yield* Effect.yieldNow
      while (queue.length > 0) {
        const group = queue.splice(0, limit)
        const items = group.map(({ item }) => item)
        yield* Effect.exit(Effect.onExit(together(key, items), (exit) => Effect.sync(() => settle(group, exit))))
      }
    })

    /** Replaces the context of the first caller, with its time limit. */
    const toOwnContext: (caller: Context.Context<never>) => Context.Context<R | Scope.Scope> = () => context

    const start = (key: Key, queue: Array<WaitingItem<Item, A, E>>) =>
      processAll(key, queue).pipe(
        Effect.onExit((exit) =>
          Effect.sync(() => {
            queues.delete(key)
            // Items that arrive after the last group, or at the end of the process.
            settle(
              queue.splice(0),
              Exit.map(exit, () => [])
            )
          })
        ),
        Effect.updateContext(toOwnContext),
        Effect.forkIn(scope)
      )

    // An interruption between the entry and the start would leave a queue that no process reads.
    const join = (key: Key, item: Item) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const entry = { item, result: yield* Deferred.make<GroupResult<A, E>>() }
          const queue = queues.get(key)
          if (queue === undefined) {
            const first = [entry]
            queues.set(key, first)
            yield* start(key, first)
          } else queue.push(entry)
          const leave = Effect.sync(() => {
            const waiting = queues.get(key) ?? []
            const place = waiting.indexOf(entry)
            if (place !== -1) waiting.splice(place, 1)
          })
          return yield* Effect.onInterrupt(restore(Deferred.await(entry.result)), () => leave)
        })
      )

    const run = <E2, R2>(key: Key, item: Item, alone: Effect.Effect<A, E2, R2>): Effect.Effect<A, E | E2, R2> =>
      Effect.contextWith((caller: Context.Context<R2>): Effect.Effect<A, E | E2, R2> => {
        if (isInUnitOfWork(caller)) return alone
        return Effect.flatMap(join(key, item), (result): Effect.Effect<A, E | E2, R2> => {
          if (result === "alone") return alone
          if (Exit.isSuccess(result)) Context.get(caller, CurrentCommitCount).count += 1
          return result
        })
      })

    return { run }
  })
