import { DateTime, Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { requireVersion, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { CannedReplies } from "../CannedReplies.ts"
import { CannedReply, type CannedReplyPatch } from "../CannedReply.ts"
import type { CannedReplyId } from "../Ids.ts"

/** Changes a canned reply. */
export const updateCannedReply = useCase(
  "cannedReplies.update",
  { access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* (id: CannedReplyId, patch: CannedReplyPatch, expectedVersion: number | null) {
    const replies = yield* CannedReplies
    const before = yield* replies.get(id)
    yield* requireVersion(before, expectedVersion)
    const { text = before.text, shortcut = before.shortcut } = patch
    if (text === before.text && shortcut === before.shortcut) return before
    // What was read is what is changed: somebody who was quicker is not overwritten.
    const after = yield* replies.save(
      new CannedReply({ ...before, text, shortcut, updatedAt: yield* DateTime.now }),
      before.version
    )
    yield* record(
      "canned_reply.updated",
      { kind: "canned_reply", id },
      { before: { shortcut: before.shortcut, text: before.text }, after: { shortcut, text } }
    )
    yield* appendEvent({ type: "canned_reply.updated", cannedReplyId: id })
    return after
  }, transact)
)
