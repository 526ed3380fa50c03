import { Effect } from "effect"
import { transact, useCase } from "../../kernel/index.ts"
import { addDraft } from "../addDraft.ts"
import { Broadcasts } from "../Broadcasts.ts"
import { requireAudienceReach } from "../checks/requireAudienceReach.ts"
import { copyOf, type Naming } from "../copyOf.ts"
import type { BroadcastId } from "../Ids.ts"

/** Drafts a broadcast that says what this one says, whatever became of it. */
export const duplicateBroadcast = useCase(
  "broadcasts.duplicate",
  { access: { permission: "broadcasts.manage" }, actsThrough: "broadcast" },
  Effect.fnUntraced(function* (id: BroadcastId, naming: Naming) {
    const draft = yield* copyOf(yield* (yield* Broadcasts).get(id), "duplicate", naming)
    yield* requireAudienceReach(draft)
    yield* addDraft(draft)
    return draft
  }, transact)
)
