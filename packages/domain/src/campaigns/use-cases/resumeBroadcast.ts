import { Effect } from "effect"
import { transact, useCase } from "../../kernel/index.ts"
import { Broadcasts } from "../Broadcasts.ts"
import { requireAudienceReach } from "../checks/requireAudienceReach.ts"
import { requireReady } from "../checks/requireReady.ts"
import type { BroadcastId } from "../Ids.ts"
import { changeStatus } from "../sending/changeStatus.ts"
import { after } from "../transitions.ts"

/** Goes on with a broadcast that is paused: whoever is left gets it, and nobody twice. */
export const resumeBroadcast = useCase(
  "broadcasts.resume",
  { access: { permission: "broadcasts.send" }, actsThrough: "broadcast" },
  Effect.fnUntraced(function* (id: BroadcastId) {
    const before = yield* (yield* Broadcasts).lock(id)
    yield* after(before.status, "resume")
    yield* requireAudienceReach(before)
    yield* requireReady(before, { startsNow: true })
    return yield* changeStatus(id, "resume", { action: "broadcast.resumed" })
  }, transact)
)
