import { Effect } from "effect"
import { transact, useCase } from "../../kernel/index.ts"
import type { BroadcastId } from "../Ids.ts"
import { awaitStop } from "../sending/awaitStop.ts"
import { changeStatus } from "../sending/changeStatus.ts"

/** Ends a broadcast: calls under way end, and nobody who is pending is sent to once this has answered. */
export const cancelBroadcast = useCase(
  "broadcasts.cancel",
  { access: { permission: "broadcasts.send" }, actsThrough: "nothing" },
  Effect.fnUntraced(function* (id: BroadcastId) {
    const cancelled = yield* changeStatus(id, "cancel", {
      action: "broadcast.cancelled",
      change: { endReason: "user" },
      reason: "user"
    })
    yield* awaitStop(id)
    return cancelled
  }, transact)
)
