import { DateTime, Effect } from "effect"
import { nextId, paged, type PageRequest, requireVersion, transact, useCase } from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { CannedReplies, CannedReply, type CannedReplyPatch, type NewCannedReply } from "../CannedReplies.ts"
import { CannedReplyId } from "../Message.ts"
import { appendEvent } from "../events.ts"

/** Adds a canned reply. */
export const createCannedReply = useCase(
  {
    name: "cannedReplies.create",
    access: { permission: "conversations.manage" },
    audit: "canned_reply.created",
    emits: ["canned_reply.created"]
  },
  Effect.fnUntraced(function* ({ text, shortcut }: NewCannedReply) {
    const now = yield* DateTime.now
    const id = yield* nextId(CannedReplyId)
    const reply = new CannedReply({ id, shortcut, text, createdAt: now, updatedAt: now, version: 1 })
    yield* (yield* CannedReplies).insert(reply)
    yield* recordAudit("canned_reply.created", { kind: "canned_reply", id }, { after: { shortcut, text } })
    yield* appendEvent({ type: "canned_reply.created", cannedReplyId: id })
    return reply
  }, transact)
)

/** Lists the canned replies whose shortcuts have this prefix, by shortcut. */
export const listCannedReplies = useCase(
  { name: "cannedReplies.list", access: { permission: "conversations.read" } },
  Effect.fnUntraced(function* ({ q: beginning = "", page }: { readonly q?: string; readonly page: PageRequest }) {
    const replies = yield* CannedReplies
    return yield* paged(
      "canned_replies",
      page,
      (slice) => replies.list(beginning.toLowerCase(), slice),
      ({ shortcut }) => [shortcut]
    )
  })
)

/** Changes a canned reply. */
export const updateCannedReply = useCase(
  {
    name: "cannedReplies.update",
    access: { permission: "conversations.manage" },
    audit: "canned_reply.updated",
    emits: ["canned_reply.updated"]
  },
  Effect.fnUntraced(function* ({
    id,
    ifVersion,
    ...patch
  }: { readonly id: CannedReplyId; readonly ifVersion: number | null } & CannedReplyPatch) {
    const replies = yield* CannedReplies
    const before = yield* replies.get(id)
    yield* requireVersion(before, ifVersion)
    const { text = before.text, shortcut = before.shortcut } = patch
    if (text === before.text && shortcut === before.shortcut) return before
    // The save expects the version that was read, to prevent overwriting a concurrent change.
    const after = yield* replies.save(
      new CannedReply({ ...before, text, shortcut, updatedAt: yield* DateTime.now }),
      before.version
    )
    yield* recordAudit(
      "canned_reply.updated",
      { kind: "canned_reply", id },
      { before: { shortcut: before.shortcut, text: before.text }, after: { shortcut, text } }
    )
    yield* appendEvent({ type: "canned_reply.updated", cannedReplyId: id })
    return after
  }, transact)
)

/** Deletes a canned reply. */
export const deleteCannedReply = useCase(
  {
    name: "cannedReplies.delete",
    access: { permission: "conversations.manage" },
    audit: "canned_reply.deleted",
    emits: ["canned_reply.deleted"]
  },
  Effect.fnUntraced(function* ({ id, ifVersion }: { readonly id: CannedReplyId; readonly ifVersion: number | null }) {
    const replies = yield* CannedReplies
    const { text, shortcut } = yield* replies.get(id)
    yield* replies.remove(id, ifVersion)
    yield* recordAudit("canned_reply.deleted", { kind: "canned_reply", id }, { before: { shortcut, text } })
    yield* appendEvent({ type: "canned_reply.deleted", cannedReplyId: id })
  }, transact)
)
