import { Effect } from "effect"
import { transact, useCase } from "../../kernel/index.ts"
import { Broadcasts } from "../Broadcasts.ts"
import type { BroadcastId } from "../Ids.ts"
import { startBroadcast } from "../sending/startBroadcast.ts"
import { after } from "../transitions.ts"

/** Sends a broadcast now, whenever it was scheduled for; its window and its end hold. */
export const sendBroadcast = useCase(
  "broadcasts.send",
  { access: { permission: "broadcasts.send" } },
  Effect.fnUntraced(function* (id: BroadcastId) {
    const before = yield* (yield* Broadcasts).lock(id)
    yield* after(before.status, "send")
    return yield* startBroadcast(before, "broadcast.sent")
  }, transact)
)
