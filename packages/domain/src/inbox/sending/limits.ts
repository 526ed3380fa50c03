import { Duration, Effect, Random } from "effect"
import type { Remedy } from "../../chat/index.ts"

/** How long a claim holds without a sign of life: within ten seconds another node takes over what a dead one has left. */
export const leaseDuration = Duration.seconds(8)

export const signOfLifeEvery = Duration.millis(2500)

/** How many messages one sender has in hand at once. */
export const mostAtOnce = 16

/** How often a message is tried that was certainly not sent. */
export const mostAttempts = 5

/** What is worth another try, and how long to wait before the first one, in milliseconds. */
const waits: Partial<Readonly<Record<Remedy, number>>> = {
  retry: 1_000,
  slow_down: 2_000,
  delay_recipient: 6_000
}

/** How long to wait before the message is tried again; `null` if that is of no use. */
export const waitFor = (remedy: Remedy, attempts: number, atLeastMillis: number | null) => {
  const first = waits[remedy]
  if (first === undefined || attempts >= mostAttempts) return Effect.succeed(null)
  // Those that failed together are not tried again together.
  return Effect.map(Random.nextBetween(1, 1.5), (factor) =>
    Duration.millis(Math.max(first * 2 ** (attempts - 1), atLeastMillis ?? 0) * factor)
  )
}
