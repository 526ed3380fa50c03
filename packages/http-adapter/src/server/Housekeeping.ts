import {
  ContactImportRemains,
  DocsCodeRedemption,
  FileSweep,
  IdempotencyKeys,
  KnownAddresses,
  MailQueue,
  MediaSweep,
  PasswordResets,
  RateLimits,
  Sessions,
  sweepDeliveries,
  TagRemains
} from "@parley/domain"
import { Effect, Layer, Schedule } from "effect"
import { goingOn } from "./goingOn.ts"

/** Deletes, every ten minutes, what is past its time. Several nodes at once do not get into each other's way. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const keys = yield* IdempotencyKeys
    const limits = yield* RateLimits
    const sessions = yield* Sessions
    const addresses = yield* KnownAddresses
    const codes = yield* DocsCodeRedemption
    const files = yield* FileSweep
    const mails = yield* MailQueue
    const resets = yield* PasswordResets
    const media = yield* MediaSweep
    const tags = yield* TagRemains
    const imports = yield* ContactImportRemains
    const sweep = Effect.all(
      [
        keys.sweep,
        limits.sweep,
        sessions.sweep,
        addresses.sweep,
        codes.sweep,
        resets.sweep,
        mails.sweep,
        imports.sweep,
        media.sweep,
        files.sweep,
        tags.sweep,
        sweepDeliveries
      ],
      { discard: true }
    )
    yield* sweep.pipe(
      goingOn("Housekeeping failed; it is tried again later", 1_000),
      Effect.repeat(Schedule.spaced("10 minutes")),
      Effect.delay("1 minute"),
      Effect.forkScoped
    )
  })
)
