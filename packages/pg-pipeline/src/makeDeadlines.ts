import { Effect, type Fiber } from "effect"
import { CurrentDeadline, type Deadline } from "./Deadline.ts"
import { type Wait, Waits } from "./Waits.ts"

/** Finds the deadline of a caller. */
export type DeadlineOf = (fiber: Fiber.Fiber<unknown, unknown>) => Deadline | null

/** Ticks of the timer per shortest timeout. */
const ticksPerTimeout = 20

/** Share of the caller's time that is reserved for the answer. */
const reserve = 0.1
const maxReserveMillis = 1_000

/** A tick that is later than this number of ticks was delayed by this process. */
const maxStep = 4

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
  /** Default: reads `CurrentDeadline`. */
  readonly deadlineOf?: DeadlineOf | undefined
}) {
  const { onSuspicion, shortestMillis, suspectAfterMillis, usualMillis } = options
  const { deadlineOf = (fiber) => fiber.getRef(CurrentDeadline) } = options
  const tick = Math.max(5, Math.min(100, shortestMillis / ticksPerTimeout))
  const waiting = new Waits()
  let now = 0
  let checkedAt = performance.now()

  const check = () => {
    const at = performance.now()
    now += Math.min(at - checkedAt, maxStep * tick)
    checkedAt = at
    let oldest = now
    waiting.forEach((wait) => {
      if (wait.since < oldest) oldest = wait.since
      if (now >= wait.until && wait.giveUp()) waiting.remove(wait)
    })
    if (now - oldest >= suspectAfterMillis) onSuspicion()
  }

  /** Time to leave for the answer after giving up, even on an overloaded machine. */
  const early = (deadline: Deadline | null) =>
    deadline === null ? tick : tick + Math.min(deadline.millis * reserve, maxReserveMillis)

  yield* Effect.acquireRelease(
    Effect.sync(() => setInterval(check, tick).unref()),
    (timer) => Effect.sync(() => clearInterval(timer))
  )

  return {
    deadlineOf,
    now: () => now,
    /** Whether no time is left for another statement. */
    isSpent: (deadline: Deadline | null) => deadline !== null && deadline.left(now) <= early(deadline) + tick,
    begin: (deadline: Deadline | null, giveUp: () => boolean): Wait => {
      const until = now + (deadline?.left(now) ?? usualMillis) - early(deadline)
      deadline?.begin(now)
      return waiting.add({ deadline, since: now, until, giveUp })
    },
    /** Starts a wait of fixed length, independent of the caller. */
    beginFor: (millis: number, giveUp: () => boolean): Wait =>
      waiting.add({ deadline: null, since: now, until: now + millis - tick, giveUp }),
    end: (wait: Wait): void => {
      wait.deadline?.end(now)
      waiting.remove(wait)
    }
  }
})

export type Deadlines = Effect.Success<ReturnType<typeof makeDeadlines>>
