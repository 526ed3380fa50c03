import { Schema } from "effect"
import { ActorRef, Timestamp, UserId, wholeShownWith } from "../../kernel/index.ts"
import { NoteText } from "./Conversation.ts"
import { ConversationId, NoteId } from "./Ids.ts"

/** Those whom a note calls, each once. */
const Mentions = Schema.Array(UserId).check(
  Schema.isMaxLength(20, { message: "Expected at most 20 members" }),
  Schema.isUnique({ message: "Expected each member once" })
)

/** Words of the team on a conversation. They never leave the organization. */
export class Note extends Schema.Class<Note>("Note")(
  {
    id: NoteId,
    conversationId: ConversationId,
    author: ActorRef,
    text: NoteText,
    mentions: Mentions,
    createdAt: Timestamp,
    editedAt: Schema.NullOr(Timestamp),
    version: Schema.Int
  },
  wholeShownWith("conversations.read")
) {}

/** What is said of a new note. */
export const NewNote = Schema.Struct({ text: NoteText, mentions: Schema.optionalKey(Mentions) }).annotate({
  identifier: "NewNote"
})
export type NewNote = typeof NewNote.Type

/** What may be changed of a note, by who wrote it. */
export const NotePatch = Schema.Struct({
  text: Schema.optionalKey(NoteText),
  mentions: Schema.optionalKey(Mentions)
}).annotate({ identifier: "NotePatch" })
export type NotePatch = typeof NotePatch.Type
