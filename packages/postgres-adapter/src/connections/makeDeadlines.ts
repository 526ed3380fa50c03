import type { StorageTimeout } from "@parley/domain"
import { Effect } from "effect"
import { type Wait, Waits } from "./Waits.ts"

const mostTicks = 20

/** Share of the caller's time that is reserved for the answer. */
const reserve = 0.1
const mostReserve = 1_000

/** A tick that is later than this number of ticks was delayed by this process. */
const longestStep = 4

/**
 * One timer for all waits for the server: a timer for each statement would cost more than many statements. Its clock advances on ticks and stops
 * while this process is blocked: blocked time does not count. Each wait ends shortly before the caller's deadline.
 */
export const makeDeadlines = Effect.fnUntraced(function* (options: {
  /** Default wait of callers without a deadline, in milliseconds. */
  readonly usualMillis: number
  readonly shortestMillis: number
  /** A wait of this length, in milliseconds, triggers a probe of the server. */
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

  /** Time to leave for the answer after giving up, even on an overloaded machine. */
  const early = (patience: StorageTimeout | null) =>
    patience === null ? tick : tick + Math.min(patience.millis * reserve, mostReserve)

  yield* Effect.acquireRelease(
    Effect.sync(() => setInterval(look, tick).unref()),
    (timer) => Effect.sync(() => clearInterval(timer))
  )

  return {
    now: () => now,
    /** Whether no time is left for another statement. */
    isSpent: (patience: StorageTimeout | null) => patience !== null && patience.left(now) <= early(patience) + tick,
    begin: (patience: StorageTimeout | null, giveUp: () => boolean): Wait => {
      const until = now + (patience?.left(now) ?? usualMillis) - early(patience)
      patience?.begin(now)
      return waiting.add({ patience, since: now, until, giveUp })
    },
    /** Starts a wait of fixed length, independent of the caller. */
    beginFor: (millis: number, giveUp: () => boolean): Wait =>
      waiting.add({ patience: null, since: now, until: now + millis - tick, giveUp }),
    end: (wait: Wait): void => {
      wait.patience?.end(now)
      waiting.remove(wait)
    }
  }
})

export type Deadlines = Effect.Success<ReturnType<typeof makeDeadlines>>
