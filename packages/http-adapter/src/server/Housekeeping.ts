import { DocsCodeRedemption, IdempotencyKeys, RateLimits, Sessions } from "@parley/domain"
import { Effect, Layer, Schedule } from "effect"

/** Deletes, every ten minutes, what is past its time. Several nodes at once do not get into each other's way. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const keys = yield* IdempotencyKeys
    const limits = yield* RateLimits
    const sessions = yield* Sessions
    const codes = yield* DocsCodeRedemption
    const sweep = Effect.all([keys.sweep, limits.sweep, sessions.sweep, codes.sweep], { discard: true })
    yield* sweep.pipe(
      Effect.catchCause((cause) => Effect.logError("Housekeeping failed; it is tried again later", cause)),
      Effect.repeat(Schedule.spaced("10 minutes")),
      Effect.delay("1 minute"),
      Effect.forkScoped
    )
  })
)
