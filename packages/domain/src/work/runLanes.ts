import { type Cause, DateTime, Effect, Latch } from "effect"
import { Ids, isAway } from "../kernel/index.ts"
import { type OwnedShard, shardCount } from "./Lane.ts"
import { LaneQueue } from "./LaneQueue.ts"
import type { LaneWork } from "./LaneWork.ts"
import { type Hands, makeHands } from "./makeHands.ts"
import { makeNode, renewEvery } from "./makeNode.ts"
import { Shards } from "./Shards.ts"

const shardsOf = (work: string, shards: ReadonlyArray<OwnedShard>) =>
  new Set(shards.flatMap((shard) => (shard.work === work ? [shard.shard] : [])))

const goingOn = (work: string, lookMillis: number) => (cause: Cause.Cause<unknown>) =>
  Effect.andThen(
    isAway(cause) ? Effect.void : Effect.logError(`Looking for ${work} failed; it goes on`, cause),
    Effect.sleep(lookMillis)
  )

/**
 * Works at the lanes of these works that are this process's share, for as long as the scope is open. It is woken when
 * there is something to do, and looks by itself every `lookMillis`. When the scope ends, what must not be cut off is heard out
 * and everything else is anybody's at once.
 */
export const runLanes = Effect.fnUntraced(function* <R>(
  works: ReadonlyArray<LaneWork<R>>,
  options: { readonly name: string; readonly lookMillis: number; readonly also?: ReadonlyArray<string> }
) {
  const queue = yield* LaneQueue
  const { lookMillis, name } = options
  const gained = new Map(works.map((work) => [work.name, Latch.makeUnsafe()]))
  const all = new Map<string, Hands<R>>()

  const node = yield* makeNode({
    name,
    also: options.also ?? [],
    works: works.map((work) => work.name).toSorted(),
    giveUp: (shards) =>
      Effect.forEach(all, ([work, hands]) => hands.giveUp(shardsOf(work, shards)), {
        concurrency: "unbounded",
        discard: true
      }),
    isBusy: ({ shard, work }) => all.get(work)?.isBusy(shard) ?? false,
    onGained: () => {
      for (const latch of gained.values()) latch.openUnsafe()
    }
  })

  const untilDue = (hands: Hands<R>) =>
    Effect.gen(function* () {
      const due = yield* hands.nextDue
      if (due === null) return lookMillis
      const wait = DateTime.toEpochMillis(due) - DateTime.toEpochMillis(yield* DateTime.now)
      return Math.min(lookMillis, Math.max(wait, 20))
    })

  const loop = Effect.fnUntraced(function* (work: LaneWork<R>, hands: Hands<R>, more: Latch.Latch) {
    const news = Effect.catchCause(queue.awaitNews(work.name), () => Effect.never)
    // What was put into lanes in hand is seen by whoever has them: others are looked for a little later, all at once.
    const tellNews = Effect.flatMap(news, (shards) => {
      hands.tellNews(shards)
      const isInHand = shards !== null && Array.from(shards).every(hands.isBusy)
      return isInHand
        ? Effect.timeoutOrElse(hands.awaitEnd, { duration: "50 millis", orElse: () => Effect.void })
        : Effect.void
    })
    const look = Effect.gen(function* () {
      more.closeUnsafe()
      const claimed = yield* hands.claim
      if (claimed > 0 && hands.hasRoom()) return
      // While there is no room, news is for those who are in hand only.
      const wait = hands.hasRoom() ? yield* untilDue(hands) : lookMillis
      yield* Effect.raceAllFirst([hands.awaitEnd, more.await, tellNews, Effect.sleep(wait)])
    })
    return yield* Effect.forever(Effect.catchCause(look, goingOn(work.name, lookMillis)))
  })

  for (const work of works) {
    const hands = yield* makeHands(work, node)
    all.set(work.name, hands)
    yield* Effect.forkScoped(loop(work, hands, gained.get(work.name) ?? Latch.makeUnsafe()))
  }
})

/**
 * Works at all lanes of a work that are due and whose shards nobody owns, until there is none. For a process that comes
 * and goes; it waits for nobody.
 */
export const workDue = <R>(work: LaneWork<R>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const shards = yield* Shards
      const queue = yield* LaneQueue
      const id = yield* (yield* Ids).next
      const join = Effect.flatMap(DateTime.now, (now) => shards.join({ id, name: "visitor", works: [work.name], now }))
      yield* Effect.acquireRelease(join, () => shards.leave(id))
      const owned = yield* shards.claim(id, work.name, shardCount)
      let isAlive = true
      yield* Effect.flatMap(DateTime.now, (now) => shards.renew(id, now)).pipe(
        Effect.map((view) => void (isAlive = view !== null)),
        Effect.delay(renewEvery),
        Effect.forever,
        Effect.forkScoped
      )
      const hands = yield* makeHands(work, { id: () => id, owned: () => Effect.sync(() => (isAlive ? owned : [])) })
      const news = Effect.map(queue.awaitNews(work.name), (told) => hands.tellNews(told))
      while (true) {
        const claimed = yield* hands.claim
        if (claimed > 0) continue
        if (hands.isIdle()) return
        yield* Effect.raceFirst(hands.awaitEnd, news)
      }
    })
  )
