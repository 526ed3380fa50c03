import { Effect, Random } from "effect"
import { isAway } from "../../kernel/index.ts"
import type { BackgroundHealth, BackgroundPart } from "./BackgroundHealth.ts"

const firstDelayMillis = 500

/** Maximum delay for work without a deadline. */
export const maxRetryDelayMillis = 5_000

/** Maximum delay during a database outage. This process rejects a retry then, so the database has no load. */
const maxOutageDelayMillis = 1_000

const retryDelay = (failures: number, maxMillis: number) =>
  Effect.map(
    Random.nextBetween(0.8, 1.2),
    (jitter) => jitter * Math.min(firstDelayMillis * 2 ** (failures - 1), maxMillis)
  )

/**
 * Repeats a step of a background part until interruption, and reports each failure and each success. Every fiber with the lifetime of the process
 * runs this loop, because a separate loop could end or fail without a trace. After consecutive failures it waits 0.5, 1, 2, 4 and then 5 s, and at
 * most 1 s during a database outage.
 */
export const supervise = <E, R>(
  health: BackgroundHealth,
  part: BackgroundPart,
  step: Effect.Effect<unknown, E, R>,
  maxDelayMillis: () => number = () => maxRetryDelayMillis
): Effect.Effect<never, never, R> =>
  Effect.suspend(() => {
    let inRow = 0
    const attempt = Effect.matchCauseEffect(step, {
      onSuccess: () => {
        inRow = 0
        return health.succeeded(part)
      },
      onFailure: (cause) => {
        inRow += 1
        return Effect.andThen(
          health.failed(part, cause),
          Effect.suspend(() => {
            const maxMillis = maxDelayMillis()
            return Effect.flatMap(
              retryDelay(inRow, isAway(cause) ? Math.min(maxMillis, maxOutageDelayMillis) : maxMillis),
              (delay) => Effect.sleep(delay)
            )
          })
        )
      }
    })
    return Effect.forever(attempt)
  })
