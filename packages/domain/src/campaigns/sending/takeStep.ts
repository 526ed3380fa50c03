import { Effect } from "effect"
import { transact } from "../../kernel/index.ts"
import type { Broadcast } from "../Broadcast.ts"
import { Broadcasts } from "../Broadcasts.ts"
import { endPending } from "./endPending.ts"
import { moveByItself } from "./moveByItself.ts"
import type { Step } from "./nextStep.ts"
import { startWhenDue } from "./startBroadcast.ts"

/** Of a broadcast that is sending, nobody who is pending is sent to any more; it is over when all others are settled. */
const endSending = Effect.fnUntraced(
  function* ({ id }: Broadcast) {
    const locked = yield* (yield* Broadcasts).lock(id)
    if (locked.status === "sending") yield* endPending(locked)
  },
  transact,
  (effect) => Effect.catchTag(effect, "NotFound", () => Effect.void)
)

const complete = Effect.fnUntraced(function* ({ id }: Broadcast) {
  // Whoever lists or gives back somebody meanwhile has locked it, or is seen here.
  const { frozenAt, stats } = yield* (yield* Broadcasts).lock(id)
  if (frozenAt !== null && stats.pending === 0 && stats.inFlight === 0) yield* moveByItself(id, "complete", {})
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
