import { DateTime, Effect, Equal } from "effect"
import { record } from "../../platform/audit/index.ts"
import { requireVersion, transact, useCase } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { auditedBroadcast } from "../auditedBroadcast.ts"
import { requireSnapshot } from "../audience/madeFrom.ts"
import { Broadcast, type BroadcastPatch } from "../Broadcast.ts"
import { Broadcasts } from "../Broadcasts.ts"
import { checkDefinition } from "../checks/checkDefinition.ts"
import { requireAudienceReach } from "../checks/requireAudienceReach.ts"
import { requireReady } from "../checks/requireReady.ts"
import { requireRightsToSay } from "../checks/requireRightsToSay.ts"
import { BroadcastNotEditable } from "../Errors.ts"
import type { BroadcastId } from "../Ids.ts"

const editable = ["draft", "scheduled"] as const

/** Changes what a broadcast says, before it starts. */
export const updateBroadcast = useCase(
  "broadcasts.update",
  { access: { permission: "broadcasts.manage" }, actsThrough: "broadcast" },
  Effect.fnUntraced(function* (id: BroadcastId, patch: BroadcastPatch, expectedVersion: number | null) {
    const broadcasts = yield* Broadcasts
    const before = yield* broadcasts.lock(id)
    yield* requireVersion(before, expectedVersion)
    const { status } = before
    if (status !== "draft" && status !== "scheduled") {
      return yield* new BroadcastNotEditable({ status, allowed: editable })
    }
    const changed = new Broadcast({ ...before, ...patch })
    yield* requireRightsToSay(before, changed)
    // A change of name does not affect the required permissions.
    if (Object.keys(patch).some((field) => field !== "name")) yield* requireAudienceReach(changed)
    yield* checkDefinition(changed, patch)
    if (status === "scheduled") yield* requireReady(changed, { startsNow: false })
    // What it says has to stay what its list of recipients was made from.
    if (changed.audienceSnapshotId !== null) yield* requireSnapshot(changed, changed.audienceSnapshotId)
    if (Equal.equals(auditedBroadcast(before), auditedBroadcast(changed))) return before
    const after = yield* broadcasts.save(new Broadcast({ ...changed, updatedAt: yield* DateTime.now }), expectedVersion)
    yield* record(
      "broadcast.updated",
      { kind: "broadcast", id },
      { before: auditedBroadcast(before), after: auditedBroadcast(after) }
    )
    yield* appendEvent({ type: "broadcast.updated", broadcastId: id })
    return after
  }, transact)
)
