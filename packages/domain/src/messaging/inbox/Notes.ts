import { Context, DateTime, Effect, Schema } from "effect"
import {
  ActorRef,
  CurrentActor,
  type NotFound,
  toActorRef,
  type Slice,
  type TenantScoped,
  Timestamp,
  type Transaction,
  UserId,
  type VersionConflict,
  objectShownWith
} from "../../kernel/index.ts"
import { NoteText } from "./Conversation.ts"
import { ConversationId, NoteId } from "./Message.ts"
import { requireReader } from "./assignees.ts"

/** Mentioned users, without duplicates. */
const Mentions = Schema.Array(UserId).check(
  Schema.isMaxLength(20, { message: "Expected at most 20 members" }),
  Schema.isUnique({ message: "Expected each member once" })
)

/** Note of the team on a conversation. It never leaves the organization. */
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
  objectShownWith("conversations.read")
) {}

export const NewNote = Schema.Struct({ text: NoteText, mentions: Schema.optionalKey(Mentions) }).annotate({
  identifier: "NewNote"
})
export type NewNote = typeof NewNote.Type

/** Changes of a note by its author. */
export const NotePatch = Schema.Struct({
  text: Schema.optionalKey(NoteText),
  mentions: Schema.optionalKey(Mentions)
}).annotate({ identifier: "NotePatch" })
export type NotePatch = typeof NotePatch.Type

export class Notes extends Context.Service<
  Notes,
  TenantScoped<{
    readonly get: (conversationId: ConversationId, id: NoteId) => Effect.Effect<Note, NotFound>
    /** Newest first; the key of a row is its id. */
    readonly list: (conversationId: ConversationId, slice: Slice) => Effect.Effect<ReadonlyArray<Note>>
    readonly insert: (note: Note) => Effect.Effect<void, never, Transaction>
    /** Stores text and mentions with the version raised by one, if the stored version equals the expected one. */
    readonly save: (note: Note, expected: number | null) => Effect.Effect<Note, NotFound | VersionConflict, Transaction>
    readonly remove: (
      conversationId: ConversationId,
      id: NoteId,
      expected: number | null
    ) => Effect.Effect<void, NotFound | VersionConflict, Transaction>
  }>
>()("@parley/domain/messaging/inbox/Notes") {}

/** Audited fields of a note. The text is excluded, because it may be about a person. */
export const noteAuditFields = ({ conversationId, editedAt, mentions }: Note) => ({
  conversationId,
  mentions: [...mentions],
  editedAt: editedAt === null ? null : DateTime.formatIso(editedAt)
})

/** Whether the current actor is the author. */
export const isAuthor = ({ author }: Note) =>
  Effect.map(CurrentActor, (actor) => {
    const { id, kind } = toActorRef(actor)
    return kind === author.kind && id === author.id
  })

/** Fails unless every mentioned user is a member. */
export const checkMentions = (mentions: ReadonlyArray<UserId>) =>
  Effect.forEach(mentions, (id, index) => requireReader(id, `/mentions/${index}`), { discard: true })
