import { DateTime, Effect } from "effect"
import { CurrentActor, nextId, transact, useCase } from "../../kernel/index.ts"
import { addDraft } from "../addDraft.ts"
import { draftOf, type NewBroadcast } from "../Broadcast.ts"
import { checkDefinition } from "../checks/checkDefinition.ts"
import { requireAudienceReach } from "../checks/requireAudienceReach.ts"
import { requireRightsToSay } from "../checks/requireRightsToSay.ts"
import { BroadcastId } from "../Ids.ts"

/** Drafts a broadcast. A draft may leave out what sending needs; what is given must be right. */
export const createBroadcast = useCase(
  "broadcasts.create",
  { access: { permission: "broadcasts.manage" }, actsThrough: "broadcast" },
  Effect.fnUntraced(function* (said: NewBroadcast) {
    const id = yield* nextId(BroadcastId)
    const broadcast = draftOf(id, said, yield* DateTime.now, yield* CurrentActor)
    yield* requireRightsToSay(null, broadcast)
    yield* requireAudienceReach(broadcast)
    yield* checkDefinition(broadcast, said)
    yield* addDraft(broadcast)
    return broadcast
  }, transact)
)
