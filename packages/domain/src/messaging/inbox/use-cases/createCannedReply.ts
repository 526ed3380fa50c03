import { DateTime, Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { nextId, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { CannedReplies } from "../CannedReplies.ts"
import { CannedReply, type NewCannedReply } from "../CannedReply.ts"
import { CannedReplyId } from "../Ids.ts"

/** Adds a canned reply. */
export const createCannedReply = useCase(
  "cannedReplies.create",
  { access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* ({ text, shortcut }: NewCannedReply) {
    const now = yield* DateTime.now
    const id = yield* nextId(CannedReplyId)
    const reply = new CannedReply({ id, shortcut, text, createdAt: now, updatedAt: now, version: 1 })
    yield* (yield* CannedReplies).insert(reply)
    yield* record("canned_reply.created", { kind: "canned_reply", id }, { after: { shortcut, text } })
    yield* appendEvent({ type: "canned_reply.created", cannedReplyId: id })
    return reply
  }, transact)
)
