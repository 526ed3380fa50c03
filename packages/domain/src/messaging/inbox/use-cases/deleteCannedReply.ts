import { Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { CannedReplies } from "../CannedReplies.ts"
import type { CannedReplyId } from "../Ids.ts"

/** Deletes a canned reply. */
export const deleteCannedReply = useCase(
  "cannedReplies.delete",
  { access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* (id: CannedReplyId, expectedVersion: number | null) {
    const replies = yield* CannedReplies
    const { text, shortcut } = yield* replies.get(id)
    yield* replies.remove(id, expectedVersion)
    yield* record("canned_reply.deleted", { kind: "canned_reply", id }, { before: { shortcut, text } })
    yield* appendEvent({ type: "canned_reply.deleted", cannedReplyId: id })
  }, transact)
)
