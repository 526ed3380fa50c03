import { Context, type Effect } from "effect"
import type { NotFound, Slice, TenantScoped, Transaction, VersionConflict } from "../../kernel/index.ts"
import type { ConversationId, NoteId } from "./Ids.ts"
import type { Note } from "./Note.ts"

/** The notes on the organization's conversations. */
export class Notes extends Context.Service<
  Notes,
  TenantScoped<{
    readonly get: (conversationId: ConversationId, id: NoteId) => Effect.Effect<Note, NotFound>
    /** Newest first; the key of a row is its id. */
    readonly list: (conversationId: ConversationId, slice: Slice) => Effect.Effect<ReadonlyArray<Note>>
    readonly insert: (note: Note) => Effect.Effect<void, never, Transaction>
    /** Stores text and mentions with the version raised by one, if the stored version is still the expected one. */
    readonly save: (note: Note, expected: number | null) => Effect.Effect<Note, NotFound | VersionConflict, Transaction>
    readonly remove: (
      conversationId: ConversationId,
      id: NoteId,
      expected: number | null
    ) => Effect.Effect<void, NotFound | VersionConflict, Transaction>
  }>
>()("@parley/domain/messaging/inbox/Notes") {}
