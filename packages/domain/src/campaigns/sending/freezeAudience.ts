import { Cause, Effect } from "effect"
import { transact } from "../../kernel/index.ts"
import { type LaneLease, LaneQueue } from "../../platform/background/index.ts"
import { freezeSlice } from "../audience/freezeSlice.ts"
import type { BroadcastId } from "../Ids.ts"
import { failByItself } from "./moveByItself.ts"

/** Puts the next part of the audience on the list, as the owner of the account. */
const freezeNext = Effect.fnUntraced(function* (id: BroadcastId, lane: LaneLease) {
  const isDone = yield* freezeSlice(id)
  yield* (yield* LaneQueue).hold(lane)
  return isDone
}, transact)

const fail = (id: BroadcastId, error: { readonly message: string }) =>
  failByItself(id, { code: "audience_invalid", detail: error.message })

/**
 * Puts the audience of a broadcast on its list, part by part, beside the sending; `onPart` hears of each part. One whose audience cannot be
 * worked out any more has failed. Whatever else goes wrong is logged, and tried again by whoever looks next.
 */
export const freezeAudience = (id: BroadcastId, lane: LaneLease, onPart: Effect.Effect<void>) =>
  Effect.repeat(Effect.tap(freezeNext(id, lane), onPart), { until: (isDone) => isDone }).pipe(
    Effect.asVoid,
    Effect.catchTags({
      PermissionDenied: (error) => fail(id, error),
      ValidationFailed: (error) => fail(id, error),
      NotFound: (error) => fail(id, error),
      UnsupportedByChannel: (error) => fail(id, error),
      LeaseLost: () => Effect.void
    }),
    Effect.catchCauseIf(
      (cause) => !Cause.hasInterrupts(cause),
      (cause) => Effect.logError(`The audience of ${id} could not be frozen; it is tried again`, cause)
    )
  )
