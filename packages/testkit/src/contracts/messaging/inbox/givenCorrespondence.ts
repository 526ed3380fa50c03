import { transact } from "@parley/domain/kernel"
import { FileId, Files } from "@parley/domain/platform"
import type { Contact } from "@parley/domain/crm"
import {
  ChatAccount,
  ChatAccountId,
  ChatAccounts,
  Conversation,
  ConversationId,
  Conversations,
  Media,
  MediaId,
  MediaLibrary,
  Message,
  MessageId,
  Messages,
  Note,
  NoteId,
  Notes,
  QueuedSends,
  initialOnboarding
} from "@parley/domain/messaging"
import { Effect, Stream } from "effect"
import { morning } from "../../crm/given.ts"
import { freshId } from "../../given.ts"

export const givenNumber = Effect.gen(function* () {
  const id = freshId(ChatAccountId)
  const account = new ChatAccount({
    id,
    provider: "whatsapp",
    mode: "own_app",
    displayName: "Bakery",
    phone: null,
    externalAccountId: "business",
    externalPhoneId: `phone-${id}`,
    messagingAccountId: null,
    url: null,
    status: "connected",
    qualityRating: "unknown",
    messagingLimit: null,
    throughputPerSecond: null,
    number: null,
    onboarding: initialOnboarding,
    lastCheckedAt: null,
    lastError: null,
    createdAt: morning,
    updatedAt: morning,
    version: 1
  })
  const secrets = {
    accessToken: "sealed",
    appSecret: "sealed",
    formerAppSecret: null,
    verifyToken: "sealed",
    pin: null,
    pendingPin: null
  }
  yield* transact(Effect.flatMap(ChatAccounts, (accounts) => accounts.insert(account, secrets)))
  return id
})

export const givenConversation = Effect.fnUntraced(function* (
  { id: contactId }: Pick<Contact, "id">,
  chatAccountId: ChatAccountId,
  overrides: Partial<Conversation> = {}
) {
  const conversation = new Conversation({
    id: freshId(ConversationId),
    contactId,
    chatAccountId,
    status: "open",
    priority: "none",
    assigneeId: null,
    snoozedUntil: null,
    labels: [],
    inboundCount: 0,
    readCount: 0,
    lastMessage: null,
    lastInboundAt: null,
    recipient: null,
    recipientAt: null,
    windowExpiresAt: null,
    otherWindows: [],
    resolvedAt: overrides.status === "resolved" ? morning : null,
    lastActivityAt: morning,
    createdAt: morning,
    updatedAt: morning,
    version: 1,
    ...overrides
  })
  yield* transact(Effect.flatMap(Conversations, (conversations) => conversations.insert([conversation])))
  return conversation
})

export const givenMessage = Effect.fnUntraced(function* (
  { chatAccountId, contactId, id: conversationId }: Conversation,
  media: Message["media"] = null
) {
  const message = new Message({
    id: freshId(MessageId),
    conversationId,
    direction: "inbound",
    kind: media === null ? "text" : "image",
    text: "Bread?",
    media,
    template: null,
    interactive: null,
    location: null,
    contacts: null,
    replyToId: null,
    recipient: null,
    author: { kind: "contact", id: contactId },
    status: "received",
    error: null,
    providerMessageId: null,
    at: morning,
    sentAt: null,
    deliveredAt: null,
    readAt: null,
    failedAt: null,
    createdAt: morning
  })
  yield* transact(Effect.flatMap(Messages, (messages) => messages.insert(chatAccountId, [message])))
  return message
})

export const givenFile = Effect.fnUntraced(function* (isStored = true) {
  const fileId = freshId(FileId)
  if (isStored) yield* (yield* Files).write(fileId, Stream.make(Uint8Array.of(1)))
  const media = new Media({
    id: freshId(MediaId),
    kind: "image",
    mimeType: "image/png",
    filename: null,
    size: isStored ? 1 : null,
    state: isStored ? "stored" : "lost",
    fileId: isStored ? fileId : null,
    remote: null,
    createdAt: morning
  })
  yield* transact(Effect.flatMap(MediaLibrary, (library) => library.insert([media])))
  return { fileId, inMessage: { id: media.id, mimeType: media.mimeType, filename: null } }
})

export const givenNote = Effect.fnUntraced(function* ({ id: conversationId }: Conversation) {
  const note = new Note({
    id: freshId(NoteId),
    conversationId,
    author: { kind: "operator", id: "test" },
    text: "A note",
    mentions: [],
    createdAt: morning,
    editedAt: null,
    version: 1
  })
  yield* transact(Effect.flatMap(Notes, (notes) => notes.insert(note)))
})

export const enqueue = ({ chatAccountId }: Conversation, message: Message) =>
  transact(
    Effect.flatMap(QueuedSends, (sends) =>
      sends.enqueue({ chatAccountId, messages: [message], priority: "person", now: morning })
    )
  )
