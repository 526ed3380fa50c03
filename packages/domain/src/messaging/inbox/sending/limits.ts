import { Duration, Effect, Random } from "effect"
import type { Remedy } from "../../chat/index.ts"

/** How many accounts a process sends for at once. Most of the time each of them waits for its pace, or for an answer. */
export const accountsAtOnce = 256

/** For how long an account is sent for when others wait for its place. */
export const longestTurn = Duration.seconds(10)
export const lookForOthersEvery = Duration.seconds(1)

/** How many messages a second an account may send of which the provider has said nothing. */
export const usualThroughput = 80

/** How long another area's sender rests that has failed so many times in a row. */
export const senderRestAfter = (failures: number) => Duration.seconds(Math.min(2 ** (failures - 1), 60))

/** How many messages of an account are in hand at once: at first, and, one more with each call that is answered, at most. */
export const firstAtOnce = 16
export const mostAtOnce = 64

/** How soon a sender whose calls take long looks for more. */
export const lookAgainEvery = Duration.millis(250)

/** For how long messages of an account are gathered at most while others of it are on their way: to be read together, or settled. */
export const gatheringFor = Duration.millis(20)

/** How long an account that ails waits for what comes of the one message that goes ahead. */
export const aheadFor = Duration.seconds(8)

/** How often a message is tried that was certainly not sent. */
export const mostAttempts = 5

/** What is worth another try, and how long to wait before the first one, in milliseconds. */
const waits: Partial<Readonly<Record<Remedy, number>>> = {
  retry: 1_000,
  slow_down: 2_000,
  delay_recipient: 6_000
}

/** However long the provider asks for: a message that waits for longer is none of a conversation any more. */
const longest = Duration.toMillis("10 minutes")

const later = (millis: number) =>
  // Those that failed together are not tried again together.
  Effect.map(Random.nextBetween(1, 1.5), (factor) => Duration.millis(millis * factor))

/** How long to wait before the message is tried again; `null` if that is of no use. */
export const waitFor = (remedy: Remedy, attempts: number, atLeastMillis: number | null) => {
  const first = waits[remedy]
  if (first === undefined || attempts >= mostAttempts) return Effect.succeed(null)
  return later(Math.min(Math.max(first * 2 ** (attempts - 1), atLeastMillis ?? 0), longest))
}

/** After so many calls in a row that came to nothing an account rests: more than one message can have by itself. */
export const mostFailures = mostAttempts + 1

const longestRest = Duration.toMillis("40 seconds")

/** How long an account rests after so many calls in a row that came to nothing; `null` if it goes on. */
export const restAfter = (failures: number) =>
  failures < mostFailures ? Effect.succeed(null) : later(Math.min(5_000 * 2 ** (failures - mostFailures), longestRest))
