import { DateTime, Effect } from "effect"
import { transact } from "../../kernel/index.ts"
import type { Broadcast } from "../Broadcast.ts"
import { reserveAudience } from "../audience/reserveAudience.ts"
import { requireReady } from "../checks/requireReady.ts"
import { changeStatus, failBroadcast } from "./changeStatus.ts"

/** Starts a broadcast that is ready: from now on its audience is frozen, and sent to. `action` is what a person did. */
export const startBroadcast = Effect.fnUntraced(function* (broadcast: Broadcast, action: string | null) {
  yield* requireReady(broadcast, { startsNow: true })
  if (broadcast.frozenAt === null) yield* reserveAudience(broadcast, yield* DateTime.now)
  return yield* changeStatus(broadcast.id, "send", {
    action,
    change: {
      schedule: broadcast.schedule,
      audienceSnapshotId: broadcast.audienceSnapshotId,
      startedAt: yield* DateTime.now
    }
  })
})

const failureOf = (error: { readonly _tag: string; readonly message: string }) => ({
  code: error._tag.replace(/(?<=[a-z])(?=[A-Z])/gu, "_").toLowerCase(),
  detail: error.message
})

/** It was scheduled, and cannot be sent as it is by now. */
const failAtStart = Effect.fnUntraced(function* (
  { id }: Broadcast,
  error: { readonly _tag: string; readonly message: string }
) {
  yield* changeStatus(id, "send", { change: { startedAt: yield* DateTime.now } })
  yield* failBroadcast(id, failureOf(error))
}, transact)

/** Starts a broadcast whose time has come. One that is not ready any more has failed, and one that somebody has changed meanwhile stays. */
export const startWhenDue = (broadcast: Broadcast) =>
  transact(startBroadcast(broadcast, null)).pipe(
    Effect.asVoid,
    Effect.catchTags({
      PermissionDenied: (error) => failAtStart(broadcast, error),
      ValidationFailed: (error) => failAtStart(broadcast, error),
      TemplateNotApproved: (error) => failAtStart(broadcast, error),
      ChatAccountDisconnected: (error) => failAtStart(broadcast, error),
      PlanLimitReached: (error) => failAtStart(broadcast, error),
      AudienceEmpty: (error) => failAtStart(broadcast, error),
      UnsupportedByChannel: (error) => failAtStart(broadcast, error)
    }),
    Effect.catchTags({ BroadcastTransitionInvalid: () => Effect.void, NotFound: () => Effect.void })
  )
