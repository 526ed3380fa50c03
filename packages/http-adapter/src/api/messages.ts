import { Page, textPatterns, Timestamp } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import {
  CannedReply,
  CannedReplyId,
  CannedReplyPatch,
  ConversationId,
  Direction,
  ExpandedMessage,
  FoundMessage,
  Message,
  MessageExpansion,
  MessageId,
  MessageRetry,
  NewCannedReply,
  NewMessage,
  NewNote,
  Note,
  NoteId,
  NotePatch
} from "@parley/domain/messaging"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { expandOf, idOf, IfMatch, PageQuery } from "./shapes.ts"

const conversation = idOf(ConversationId, "conversation")
const message = {
  ...conversation,
  messageId: MessageId.pipe(Schema.annotateKey({ description: "Id of the message." }))
}

const expand = expandOf(
  MessageExpansion,
  "`cost` needs the permission `analytics.read`; without it the field is absent."
)

const read = [Problems.PermissionDenied, Problems.NotFound] as const

const time = (description: string) => Schema.optionalKey(Timestamp).annotateKey({ description })

/** Which messages to look for. */
const MessagesQuery = {
  ...PageQuery,
  q: Schema.String.check(
    Schema.isBetweenCodePoints(1, 200, { message: "Expected 1 to 200 characters" }),
    Schema.isPattern(textPatterns.printable, { message: "Expected a text without control characters" })
  ).annotateKey({
    description: "Word prefixes in the message, ignoring case and accents."
  }),
  conversationId: Schema.optionalKey(ConversationId).annotateKey({
    description: "Only messages of this conversation."
  }),
  contactId: Schema.optionalKey(ContactId).annotateKey({ description: "Only messages exchanged with this contact." }),
  direction: Schema.optionalKey(Direction).annotateKey({ description: "Only incoming or outgoing messages." }),
  from: time("Only messages at this time or later."),
  to: time("Only messages before this time.")
}

/** Why a message is not even queued. */
const unsendable = [
  ...read,
  Problems.ServiceWindowClosed,
  Problems.ContactUnreachable,
  Problems.UnsupportedByChannel,
  Problems.RecipientReassigned,
  Problems.ChatAccountDisconnected,
  Problems.TemplateNotApproved
] as const

/** Messages of conversations. */
export class MessagesApi extends HttpApiGroup.make("messages")
  .add(
    HttpApiEndpoint.get("list", "/conversations/:id/messages", {
      params: conversation,
      query: { ...PageQuery, expand },
      success: Page(ExpandedMessage),
      error: [...read, Problems.CursorInvalid]
    }).annotateMerge(describe("listMessages", "List the messages of a conversation", "Newest first.")),
    HttpApiEndpoint.get("search", "/messages", {
      query: MessagesQuery,
      success: Page(FoundMessage),
      error: [...read, Problems.CursorInvalid]
    }).annotateMerge(
      describe(
        "searchMessages",
        "Search messages",
        "Searches the messages of all conversations, newest first, each with its contact. `snippet.text` is plain text of at most 160 UTF-16 code units around the first match; `matches` contains the positions of the search terms in it. A page can be shorter than the limit, or empty, and have a `nextCursor`."
      )
    ),
    HttpApiEndpoint.post("send", "/conversations/:id/messages", {
      params: conversation,
      payload: NewMessage,
      success: Message.pipe(HttpApiSchema.status(202)),
      error: [...unsendable, Problems.ConversationExists]
    })
      .annotateMerge(
        describe(
          "sendMessage",
          "Send a message",
          "The message is queued and sent immediately after the answer. Its `status` and the event `message.status_changed` report the result. It goes to the conversation's `recipient`, or to another identity of the contact given as `recipient`; later messages then go there too. Free-form messages can be sent within 24 hours after a message of the recipient, templates at any time. Messages of a conversation are sent in order. A message opens a resolved conversation again. If the contact has another unresolved conversation over the same number, the answer is 409 `conversation_exists`, and `conversationId` is that conversation."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("get", "/conversations/:id/messages/:messageId", {
      params: message,
      query: { expand },
      success: ExpandedMessage,
      error: read
    }).annotateMerge(describe("getMessage", "Get a message")),
    HttpApiEndpoint.post("retry", "/conversations/:id/messages/:messageId/retry", {
      params: message,
      payload: [MessageRetry, Schema.Null],
      success: Message.pipe(HttpApiSchema.status(202)),
      error: [...unsendable, Problems.MessageNotRetryable, Problems.OneTimeCodeErased]
    })
      .annotateMerge(
        describe(
          "retryMessage",
          "Retry a message",
          "For failed messages. With `allowDuplicate`, which accepts that the contact can get the message twice, also for messages in doubt. The body is optional."
        )
      )
      .middleware(Idempotent)
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Messages", "Incoming and outgoing messages of a conversation.")) {}

const note = { ...conversation, noteId: NoteId.pipe(Schema.annotateKey({ description: "Id of the note." })) }
const changed = [...read, Problems.NotNoteAuthor, Problems.VersionConflict] as const

/** Notes: words of the team on a conversation. */
export class NotesApi extends HttpApiGroup.make("notes")
  .add(
    HttpApiEndpoint.get("list", "/conversations/:id/notes", {
      params: conversation,
      query: PageQuery,
      success: Page(Note),
      error: [...read, Problems.CursorInvalid]
    }).annotateMerge(describe("listNotes", "List the notes of a conversation", "Newest first.")),
    HttpApiEndpoint.post("create", "/conversations/:id/notes", {
      params: conversation,
      payload: NewNote,
      success: Note.pipe(HttpApiSchema.status(201)),
      error: read
    })
      .annotateMerge(describe("createNote", "Create a note", "Contacts never see notes. A note can mention members."))
      .middleware(Idempotent),
    HttpApiEndpoint.patch("update", "/conversations/:id/notes/:noteId", {
      params: note,
      headers: IfMatch,
      payload: NotePatch,
      success: Note,
      error: changed
    }).annotateMerge(describe("updateNote", "Update a note", "Only for its author.")),
    HttpApiEndpoint.delete("delete", "/conversations/:id/notes/:noteId", {
      params: note,
      headers: IfMatch,
      success: HttpApiSchema.NoContent,
      error: changed
    }).annotateMerge(describe("deleteNote", "Delete a note", "For its author, and for callers who manage members."))
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Notes", "Internal notes on a conversation. They never leave the organization.")) {}

const cannedReply = idOf(CannedReplyId, "canned reply")

const cannedRepliesChanged = [Problems.PermissionDenied, Problems.NotFound, Problems.VersionConflict] as const

/** Canned replies: answers that the team gives often. */
export class CannedRepliesApi extends HttpApiGroup.make("cannedReplies")
  .add(
    HttpApiEndpoint.get("list", "/canned_replies", {
      query: {
        ...PageQuery,
        q: Schema.optionalKey(
          Schema.String.check(
            Schema.isMaxCodePoints(40, { message: "Expected at most 40 characters" }),
            Schema.isPattern(textPatterns.printable, { message: "Expected a text without control characters" })
          )
        ).annotateKey({ description: "Prefix of the shortcut, ignoring case." })
      },
      success: Page(CannedReply),
      error: [Problems.PermissionDenied, Problems.CursorInvalid]
    }).annotateMerge(describe("listCannedReplies", "List canned replies", "By shortcut.")),
    HttpApiEndpoint.post("create", "/canned_replies", {
      payload: NewCannedReply,
      success: CannedReply.pipe(HttpApiSchema.status(201)),
      error: [Problems.PermissionDenied, Problems.NameTaken]
    })
      .annotateMerge(describe("createCannedReply", "Create a canned reply", "Shortcuts are unique."))
      .middleware(Idempotent),
    HttpApiEndpoint.patch("update", "/canned_replies/:id", {
      params: cannedReply,
      headers: IfMatch,
      payload: CannedReplyPatch,
      success: CannedReply,
      error: [...cannedRepliesChanged, Problems.NameTaken]
    }).annotateMerge(describe("updateCannedReply", "Update a canned reply")),
    HttpApiEndpoint.delete("delete", "/canned_replies/:id", {
      params: cannedReply,
      headers: IfMatch,
      success: HttpApiSchema.NoContent,
      error: cannedRepliesChanged
    }).annotateMerge(describe("deleteCannedReply", "Delete a canned reply"))
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Canned replies", "Prepared answers with a shortcut.")) {}
