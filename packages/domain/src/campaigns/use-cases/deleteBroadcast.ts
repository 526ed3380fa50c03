import { Effect } from "effect"
import { record } from "../../platform/audit/index.ts"
import { transact, useCase } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { auditedBroadcast } from "../auditedBroadcast.ts"
import { Broadcasts } from "../Broadcasts.ts"
import { BroadcastNotEditable } from "../Errors.ts"
import type { BroadcastId } from "../Ids.ts"

/** Deletes a draft. What was sent stays to be read. */
export const deleteBroadcast = useCase(
  "broadcasts.delete",
  { access: { permission: "broadcasts.manage" }, actsThrough: "nothing" },
  Effect.fnUntraced(function* (id: BroadcastId, expectedVersion: number | null) {
    const broadcasts = yield* Broadcasts
    const before = yield* broadcasts.lock(id)
    const { status } = before
    if (status !== "draft") return yield* new BroadcastNotEditable({ status, allowed: ["draft"] })
    yield* broadcasts.remove(id, expectedVersion)
    yield* record("broadcast.deleted", { kind: "broadcast", id }, { before: auditedBroadcast(before) })
    yield* appendEvent({ type: "broadcast.deleted", broadcastId: id })
  }, transact)
)
