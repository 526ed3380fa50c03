import type { StorageTimeout } from "@parley/domain"
import { Effect } from "effect"
import { type Wait, Waits } from "./Waits.ts"

const mostTicks = 20

/** What is kept of somebody's time for the answer. */
const reserve = 0.1
const mostReserve = 1_000

/** A look that comes later than so many ticks was kept up by this process itself. */
const longestStep = 4

/**
 * One timer for all that waits for the server, because a timer for each statement would cost more than many a statement. Its
 * clock goes on when it looks, and stands still while this process does, so that nobody is blamed for that; nothing waits for longer
 * than its time, and it is given up a little before.
 */
export const makeDeadlines = Effect.fnUntraced(function* (options: {
  /** How long somebody waits who has not said so. */
  readonly usualMillis: number
  readonly shortestMillis: number
  /** What waits for so long makes one look whether the server is there at all. */
  readonly suspectAfterMillis: number
  readonly onSuspicion: () => void
}) {
  const { onSuspicion, shortestMillis, suspectAfterMillis, usualMillis } = options
  const tick = Math.max(5, Math.min(100, shortestMillis / mostTicks))
  const waiting = new Waits()
  let now = 0
  let looked = performance.now()

  const look = () => {
    const at = performance.now()
    now += Math.min(at - looked, longestStep * tick)
    looked = at
    let oldest = now
    waiting.forEach((wait) => {
      if (wait.since < oldest) oldest = wait.since
      if (now >= wait.until && wait.giveUp()) waiting.remove(wait)
    })
    if (now - oldest >= suspectAfterMillis) onSuspicion()
  }

  /** Whoever gives up has to answer in time, too: also on a machine that has more to do than it can. */
  const early = (patience: StorageTimeout | null) =>
    patience === null ? tick : tick + Math.min(patience.millis * reserve, mostReserve)

  yield* Effect.acquireRelease(
    Effect.sync(() => setInterval(look, tick).unref()),
    (timer) => Effect.sync(() => clearInterval(timer))
  )

  return {
    now: () => now,
    /** Whether there is no time left to ask anything more. */
    isSpent: (patience: StorageTimeout | null) => patience !== null && patience.left(now) <= early(patience) + tick,
    begin: (patience: StorageTimeout | null, giveUp: () => boolean): Wait => {
      const until = now + (patience?.left(now) ?? usualMillis) - early(patience)
      patience?.begin(now)
      return waiting.add({ patience, since: now, until, giveUp })
    },
    /** The same for so long, whoever waits. */
    beginFor: (millis: number, giveUp: () => boolean): Wait =>
      waiting.add({ patience: null, since: now, until: now + millis - tick, giveUp }),
    end: (wait: Wait): void => {
      wait.patience?.end(now)
      waiting.remove(wait)
    }
  }
})

export type Deadlines = Effect.Success<ReturnType<typeof makeDeadlines>>
