import { DateTime, Effect } from "effect"
import { transact } from "../../kernel/index.ts"
import { Broadcast } from "../Broadcast.ts"
import { Broadcasts } from "../Broadcasts.ts"
import { hasRecipientsLeft } from "./changeStatus.ts"
import { endPending } from "./endPending.ts"
import { moveByItself } from "./moveByItself.ts"
import type { Step } from "./nextStep.ts"
import { startWhenDue } from "./startBroadcast.ts"

/** Stops sending to pending recipients. The broadcast completes when the other recipients are settled. */
const endSending = Effect.fnUntraced(
  function* ({ id }: Broadcast) {
    const broadcasts = yield* Broadcasts
    const locked = yield* broadcasts.lock(id)
    if (locked.status !== "sending") return
    yield* endPending(locked)
    const ended = new Broadcast({ ...locked, endReason: "end_by", waiting: null, updatedAt: yield* DateTime.now })
    yield* broadcasts.save(ended, null)
  },
  transact,
  (effect) => Effect.catchTags(effect, { NotFound: () => Effect.void, VersionConflict: Effect.die })
)

const complete = Effect.fnUntraced(function* ({ id }: Broadcast) {
  // A concurrent change of the list either holds the lock or is visible here.
  const locked = yield* (yield* Broadcasts).lock(id)
  if (!hasRecipientsLeft(locked)) yield* moveByItself(id, "complete", { reason: locked.endReason })
}, transact)

/** Does with a broadcast what the service does by itself. */
export const takeStep = (broadcast: Broadcast, step: Step) => {
  const { id, status } = broadcast
  switch (step) {
    case "start":
      return startWhenDue(broadcast)
    case "expire":
      return moveByItself(id, "expire", { change: { endReason: "not_after" }, reason: "not_after" })
    case "end_by":
      return status === "paused"
        ? moveByItself(id, "cancel", { change: { endReason: "end_by" }, reason: "end_by" })
        : endSending(broadcast)
    case "give_up_pause":
      return moveByItself(id, "cancel", { change: { endReason: "paused_too_long" }, reason: "paused_too_long" })
    case "complete":
      return Effect.catchTag(complete(broadcast), "NotFound", () => Effect.void)
  }
}
