import { DateTime, Effect } from "effect"
import { CurrentActor, transact, useCase } from "../../kernel/index.ts"
import type { BroadcastId } from "../Ids.ts"
import { awaitStop } from "../sending/awaitStop.ts"
import { changeStatus } from "../sending/changeStatus.ts"

/** Pauses a broadcast: calls under way end, and no call starts once this has answered. */
export const pauseBroadcast = useCase(
  "broadcasts.pause",
  { access: { permission: "broadcasts.send" }, actsThrough: "nothing" },
  Effect.fnUntraced(function* (id: BroadcastId) {
    const actor = yield* CurrentActor
    const by = actor.kind === "user" ? actor.userId : null
    const pause = { reason: "user", at: yield* DateTime.now, by } as const
    const paused = yield* changeStatus(id, "pause", {
      action: "broadcast.paused",
      change: { pause },
      reason: "user"
    })
    yield* awaitStop(id)
    return paused
  }, transact)
)
