import { DateTime, Effect } from "effect"
import { record } from "../../audit/index.ts"
import { CurrentActor, nextId, transact, useCase } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { auditedBroadcast } from "../auditedBroadcast.ts"
import { draftOf, type NewBroadcast } from "../Broadcast.ts"
import { Broadcasts } from "../Broadcasts.ts"
import { checkDefinition } from "../checks/checkDefinition.ts"
import { requireRightsToSay } from "../checks/requireRightsToSay.ts"
import { BroadcastId } from "../Ids.ts"

/** Drafts a broadcast. A draft may leave out what sending needs; what is given must be right. */
export const createBroadcast = useCase(
  "broadcasts.create",
  { access: { permission: "broadcasts.manage" } },
  Effect.fnUntraced(function* (said: NewBroadcast) {
    const id = yield* nextId(BroadcastId)
    const broadcast = draftOf(id, said, yield* DateTime.now, yield* CurrentActor)
    yield* requireRightsToSay(null, broadcast)
    yield* checkDefinition(broadcast, said)
    yield* (yield* Broadcasts).insert(broadcast)
    yield* record("broadcast.created", { kind: "broadcast", id }, { after: auditedBroadcast(broadcast) })
    yield* appendEvent({ type: "broadcast.created", broadcastId: id })
    return broadcast
  }, transact)
)
