import { type DateTime, Effect } from "effect"
import type { ContactId, Move, UndoneMerge } from "../../crm/index.ts"
import { Files } from "../../platform/files/index.ts"
import type { Slice } from "../../kernel/index.ts"
import { ContactConversations, type JoinedConversation } from "./ContactConversations.ts"
import { announceJoins } from "./joins/announceJoins.ts"
import type { Media } from "./Media.ts"
import { Waits } from "./waiting/Waits.ts"
import { waitsChanged } from "./waiting/moves.ts"
import { appendEvent } from "./appendEvent.ts"

/** A file, and where its bytes are read. */
const linked = ({ createdAt, filename, id, kind, mimeType, size }: Media) => ({
  id,
  kind,
  mimeType,
  filename,
  size,
  createdAt,
  url: `/api/v1/media/${id}`
})

const joinedText =
  (changes: ReadonlyArray<JoinedConversation>) =>
  ({ after: { chatAccountId, id, status } }: JoinedConversation) => {
    const beside = changes.find(({ after }) => after.chatAccountId === chatAccountId && after.id !== id)?.after.id
    return status === "resolved"
      ? `The contacts were merged: this goes on in the conversation ${beside}.`
      : `The contacts were merged: the conversation ${beside} was joined to this one.`
  }

const partedText = () => "The merge of the contacts was undone: this conversation is on its own again."

/** What the inbox holds of contacts: everything that was written with them, and what the team has noted on it. */
export const conversationHolding = {
  permission: "conversations.read" as const,
  timeline: Effect.fnUntraced(function* (contactId: ContactId, slice: Slice) {
    return yield* (yield* ContactConversations).timeline(contactId, slice)
  }),
  export: Effect.fnUntraced(function* (contactId: ContactId, limit: number) {
    const { conversations, media, messages, notes } = yield* (yield* ContactConversations).correspondence(
      contactId,
      limit
    )
    return { conversations, messages, notes, media: media.map(linked) }
  }),
  nothing: { conversations: [], messages: [], notes: [], media: [] },
  move: Effect.fnUntraced(function* ({ from, mergeId, to }: Move, now: DateTime.Utc) {
    const changes = yield* (yield* ContactConversations).handOver(from, to, mergeId, now)
    yield* announceJoins(changes, joinedText(changes))
  }),
  moveBack: Effect.fnUntraced(function* (undone: UndoneMerge, now: DateTime.Utc) {
    yield* announceJoins(yield* (yield* ContactConversations).handBack(undone, now), partedText)
  }),
  block: Effect.fnUntraced(function* (contactId: ContactId) {
    for (const { chatAccountId, id } of yield* (yield* Waits).drop(contactId)) {
      yield* appendEvent(waitsChanged(id, { chatAccountId, awaits: "ends" }))
    }
  }),
  forget: Effect.fnUntraced(function* (contactIds: ReadonlyArray<ContactId>) {
    const files = yield* Files
    const left = yield* (yield* ContactConversations).forget(contactIds)
    yield* Effect.forEach(left, (id) => files.remove(id), { discard: true })
  })
}
