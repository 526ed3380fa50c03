import { createContact } from "@parley/domain/crm"
import {
  assignConversation,
  changeConversations,
  type Conversation,
  countConversations,
  createCannedReply,
  createNote,
  deleteCannedReply,
  deleteNote,
  dropMedia,
  getConversation,
  getMessage,
  saveMedia,
  listCannedReplies,
  listConversations,
  listMessages,
  renderMessages,
  listNotes,
  type Message,
  openConversation,
  readConversation,
  unreadConversation,
  readMedia,
  receiveMedia,
  reopenConversation,
  resolveConversation,
  retryMessage,
  searchMessages,
  sendMessage,
  showPresence,
  snoozeConversation,
  updateCannedReply,
  updateConversation,
  updateNote,
  uploadMedia
} from "@parley/domain/messaging"
import { givenConversation, givenMessage, givenNumber } from "@parley/testkit"
import { DateTime, Effect, Stream } from "effect"
import {
  asOwner,
  attempt,
  firstPage,
  type Prepare,
  reads,
  type Trace,
  type Values,
  type World
} from "../../attempting.ts"

const given = ({ organization }: World, said: Partial<Conversation> = {}) => givenConversation(organization, said)

const onConversation = (
  { id }: Pick<Conversation, "id">,
  before: Values,
  after: Values,
  event: Trace["event"]
): Trace => ({ action: "conversation.updated", target: { kind: "conversation", id }, before, after, event })

const moved = (conversation: Conversation, to: Conversation["status"], bulk: { readonly bulk?: true } = {}) =>
  onConversation(
    conversation,
    { status: conversation.status },
    { status: to },
    {
      type: "conversation.status_changed",
      conversationId: conversation.id,
      from: conversation.status,
      to,
      chatAccountId: conversation.chatAccountId,
      ...bulk
    }
  )

const givenReply = (world: World) => asOwner(world, createCannedReply({ shortcut: "hello", text: "Before" }))

const givenNote = (world: World) =>
  Effect.flatMap(given(world), ({ id }) => asOwner(world, createNote({ id, text: "Before" })))

const onNote = (
  { conversationId, id: noteId }: Effect.Success<ReturnType<typeof givenNote>>,
  type: "note.created" | "note.updated" | "note.deleted",
  before: Values | null,
  after: Values | null
): Trace => ({
  action: type,
  target: { kind: "note", id: noteId },
  before,
  after,
  event: { type, conversationId, noteId }
})

/** The record contains its author and its time. */
const untold = (event: Trace["event"]): Trace => ({
  action: null,
  target: { kind: "", id: "" },
  before: null,
  after: null,
  event
})

const text = new TextEncoder().encode("Bread: 2")

const said = { filename: "list.txt", mimeType: "text/plain" }

const kept = ({ id }: { readonly id: string }): Trace => ({
  action: "media.uploaded",
  target: { kind: "media", id },
  before: null,
  after: { kind: "document", mimeType: "text/plain", size: text.length },
  event: null
})

const receive = Effect.suspend(() => receiveMedia({ ...said, bytes: Stream.make(text) }))

const upload = Effect.suspend(() => uploadMedia({ ...said, bytes: Stream.make(text) }))

/** A valid attempt at every use case of the inbox, by the name of the use case. */
export const attempts: Readonly<Record<string, Prepare>> = {
  "cannedReplies.create": () =>
    Effect.succeed(
      attempt(createCannedReply({ shortcut: "hello", text: "Hi" }), ({ id }) => ({
        action: "canned_reply.created",
        target: { kind: "canned_reply", id },
        before: null,
        after: { shortcut: "hello", text: "Hi" },
        event: { type: "canned_reply.created", cannedReplyId: id }
      }))
    ),
  "cannedReplies.delete": (world) =>
    Effect.map(givenReply(world), ({ id }) =>
      attempt(deleteCannedReply({ id, ifVersion: 1 }), () => ({
        action: "canned_reply.deleted",
        target: { kind: "canned_reply", id },
        before: { shortcut: "hello", text: "Before" },
        after: null,
        event: { type: "canned_reply.deleted", cannedReplyId: id }
      }))
    ),
  "cannedReplies.list": reads(() => listCannedReplies({ page: firstPage })),
  "cannedReplies.update": (world) =>
    Effect.map(givenReply(world), ({ id }) =>
      attempt(updateCannedReply({ id, text: "After", ifVersion: 1 }), () => ({
        action: "canned_reply.updated",
        target: { kind: "canned_reply", id },
        before: { text: "Before" },
        after: { text: "After" },
        event: { type: "canned_reply.updated", cannedReplyId: id }
      }))
    ),
  "conversations.assign": (world) =>
    Effect.map(given(world), (conversation) =>
      attempt(assignConversation({ id: conversation.id, assigneeId: world.owner.user.id }), () =>
        onConversation(
          conversation,
          { assigneeId: null },
          { assigneeId: world.owner.user.id },
          {
            type: "conversation.assigned",
            conversationId: conversation.id,
            assigneeId: world.owner.user.id
          }
        )
      )
    ),
  "conversations.change": (world) =>
    Effect.map(given(world), (conversation) =>
      attempt(changeConversations({ ids: [conversation.id], action: { type: "resolve" } }), () =>
        moved(conversation, "resolved", { bulk: true })
      )
    ),
  "conversations.count": reads(() => countConversations()),
  "conversations.get": (world) => Effect.map(given(world), ({ id }) => attempt(getConversation({ id }))),
  "conversations.list": reads(() => listConversations({ page: firstPage })),
  "conversations.open": (world) =>
    Effect.gen(function* () {
      const { id: contactId } = yield* asOwner(world, createContact({ name: "Ada" }))
      const { id: chatAccountId } = yield* givenNumber(world.organization)
      return attempt(openConversation({ contactId, chatAccountId }), ({ id }) => ({
        action: "conversation.opened",
        target: { kind: "conversation", id },
        before: null,
        after: {
          contactId,
          chatAccountId,
          status: "open",
          priority: "none",
          assigneeId: null,
          snoozedUntil: null,
          labels: [],
          recipient: null
        },
        event: { type: "conversation.opened", conversationId: id, contactId, chatAccountId, status: "open" }
      }))
    }),
  "conversations.read": (world) =>
    Effect.map(given(world), ({ id }) =>
      attempt(readConversation({ id }), () => untold({ type: "conversation.read", conversationId: id }))
    ),
  "conversations.showPresence": (world) =>
    Effect.map(given(world), ({ id }) => attempt(showPresence({ id, state: "typing", showToContact: false }))),
  "conversations.reopen": (world) =>
    Effect.map(given(world, { status: "resolved" }), (conversation) =>
      attempt(reopenConversation({ id: conversation.id }), () => moved(conversation, "open"))
    ),
  "conversations.resolve": (world) =>
    Effect.map(given(world), (conversation) =>
      attempt(resolveConversation({ id: conversation.id }), () => moved(conversation, "resolved"))
    ),
  "conversations.snooze": (world) =>
    Effect.gen(function* () {
      const conversation = yield* given(world)
      const until = DateTime.add(yield* DateTime.now, { days: 1 })
      return attempt(snoozeConversation({ id: conversation.id, until }), () => ({
        ...moved(conversation, "snoozed"),
        before: { status: "open", snoozedUntil: null },
        after: { status: "snoozed", snoozedUntil: DateTime.formatIso(until) }
      }))
    }),
  "conversations.unread": (world) =>
    Effect.map(given(world, { readCount: 1 }), ({ id }) =>
      attempt(unreadConversation({ id }), () => untold({ type: "conversation.unread", conversationId: id }))
    ),
  "conversations.update": (world) =>
    Effect.map(given(world), (conversation) =>
      attempt(updateConversation({ id: conversation.id, priority: "high", labels: ["vip"], ifVersion: 1 }), () =>
        onConversation(
          conversation,
          { priority: "none", labels: [] },
          { priority: "high", labels: ["vip"] },
          {
            type: "conversation.updated",
            conversationId: conversation.id,
            fields: ["priority", "labels"]
          }
        )
      )
    ),
  "media.drop": (world) => Effect.map(asOwner(world, receive), (media) => attempt(dropMedia(media))),
  "media.keep": (world) => Effect.map(asOwner(world, receive), (media) => attempt(saveMedia(media), kept)),
  "media.read": (world) => Effect.map(asOwner(world, upload), ({ id }) => attempt(readMedia({ id }))),
  "media.receive": () => Effect.succeed(attempt(receive)),
  "media.upload": () => Effect.succeed(attempt(upload, kept)),
  "messages.get": (world) =>
    Effect.gen(function* () {
      const conversation = yield* given(world)
      const { id } = yield* givenMessage(world.organization, conversation)
      return attempt(getMessage({ id: conversation.id, messageId: id }))
    }),
  "messages.render": (world) => Effect.map(given(world), ({ id }) => attempt(renderMessages({ id, page: firstPage }))),
  "messages.list": (world) => Effect.map(given(world), ({ id }) => attempt(listMessages({ id, page: firstPage }))),
  "messages.search": reads(() => searchMessages({ q: "bread", page: firstPage })),
  "messages.retry": (world) =>
    Effect.gen(function* () {
      const conversation = yield* given(world)
      const { id } = yield* givenMessage(world.organization, conversation, { direction: "outbound", status: "failed" })
      return attempt(retryMessage({ id: conversation.id, messageId: id }), () => ({
        action: "message.retried",
        target: { kind: "message", id },
        before: { status: "failed" },
        after: { conversationId: conversation.id, status: "queued", allowDuplicate: false },
        event: {
          type: "message.status_changed",
          conversationId: conversation.id,
          messageId: id,
          from: "failed",
          to: "queued"
        }
      }))
    }),
  "messages.send": (world) =>
    Effect.map(given(world, { readCount: 1 }), ({ id: conversationId }) =>
      attempt(sendMessage({ id: conversationId, kind: "text", text: "Hello" }), ({ id }: Message) => ({
        action: "message.sent",
        target: { kind: "message", id },
        before: null,
        after: { conversationId, kind: "text" },
        event: { type: "message.queued", conversationId, messageId: id, kind: "text" }
      }))
    ),
  "notes.create": (world) =>
    Effect.map(given(world), ({ id: conversationId }) =>
      attempt(createNote({ id: conversationId, text: "A note" }), (note) =>
        onNote(note, "note.created", null, { conversationId, mentions: [], editedAt: null })
      )
    ),
  "notes.delete": (world) =>
    Effect.map(givenNote(world), (note) =>
      attempt(deleteNote({ id: note.conversationId, noteId: note.id, ifVersion: 1 }), () =>
        onNote(note, "note.deleted", { conversationId: note.conversationId, mentions: [], editedAt: null }, null)
      )
    ),
  "notes.list": (world) => Effect.map(given(world), ({ id }) => attempt(listNotes({ id, page: firstPage }))),
  "notes.update": (world) =>
    Effect.map(givenNote(world), (note) =>
      attempt(updateNote({ id: note.conversationId, noteId: note.id, text: "After", ifVersion: 1 }), ({ editedAt }) =>
        onNote(
          note,
          "note.updated",
          { editedAt: null },
          { editedAt: editedAt === null ? null : DateTime.formatIso(editedAt) }
        )
      )
    )
}
