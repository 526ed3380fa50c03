import {
  CannedReply,
  CannedReplyId,
  ChatAccountId,
  ChatAccountView,
  ConversationId,
  ConversationView,
  MediaId,
  MediaView,
  Message,
  MessageId,
  MessageTemplate,
  MessageTemplateId,
  Note,
  NoteId
} from "@parley/domain/messaging"
import { DateTime } from "effect"
import { ada, at, contact, grace, organization } from "./samples.ts"

export const chatAccount = new ChatAccountView({
  id: ChatAccountId.make("01934bc0-1a2b-7111-8a01-0a1b2c3d4e5f"),
  provider: "whatsapp",
  mode: "own_app",
  displayName: "Blue Bakery",
  phone: "+4930901820",
  externalAccountId: "102290129340398",
  externalPhoneId: "106540352242922",
  url: null,
  status: "connected",
  qualityRating: "green",
  messagingLimit: "TIER_2K",
  throughputPerSecond: 80,
  lastCheckedAt: at("13:00:00.000"),
  lastError: null,
  createdAt: at("13:00:00.000"),
  updatedAt: at("13:00:00.000"),
  version: 1,
  webhookUrl: `https://parley.example/webhooks/chat/${organization.id}`,
  verifyToken: "v5Yw2mXe4Rt6Uz8Io0Pa1Sd3Fg5Hj7Kl9Yx2Cv4Bn6M",
  signingSecret: null,
  registrationPin: null
})

export const messageTemplate = new MessageTemplate({
  id: MessageTemplateId.make("01934bc2-2b3c-7222-8b12-1b2c3d4e5f60"),
  chatAccountId: chatAccount.id,
  name: "order_ready",
  language: "en",
  category: "utility",
  components: {
    body: {
      text: "Hello {{first_name}}, your order {{order}} is ready.",
      examples: { first_name: "Marie", order: "1867" }
    },
    footer: { text: "Blue Bakery" },
    buttons: [{ type: "url", text: "See the order", url: "https://bluebakery.example/orders" }]
  },
  variables: [
    { key: "body.first_name", in: "body", kind: "text" },
    { key: "body.order", in: "body", kind: "text" },
    { key: "buttons.0", in: "buttons", kind: "url_suffix" }
  ],
  status: "approved",
  rejectionReason: null,
  quality: "green",
  externalId: "594425479261596",
  createdAt: at("13:05:00.000"),
  updatedAt: at("13:20:00.000"),
  version: 3
})

const conversationId = ConversationId.make("01934bd0-3c4d-7333-8c23-2c3d4e5f6071")

export const received = new Message({
  id: MessageId.make("01934bd0-3c4e-7444-8d34-3d4e5f607182"),
  conversationId,
  direction: "inbound",
  kind: "text",
  text: "Do you still have rye bread today?",
  media: null,
  template: null,
  interactive: null,
  location: null,
  contacts: null,
  replyToId: null,
  recipient: null,
  author: { kind: "contact", id: contact.id },
  status: "received",
  error: null,
  providerMessageId: "wamid.HBgNNDkxNzAxMjM0NTY3FQIAEhgUM0EwMkY=",
  at: at("14:05:00.000"),
  sentAt: null,
  deliveredAt: null,
  readAt: null,
  failedAt: null,
  createdAt: at("14:05:00.412")
})

export const queued = new Message({
  ...received,
  id: MessageId.make("01934bd3-4d5e-7555-8e45-4e5f60718293"),
  direction: "outbound",
  text: "We do. Shall we put one aside for you?",
  replyToId: received.id,
  recipient: { kind: "phone", value: "+491701234567" },
  author: { kind: "user", id: grace.id },
  status: "queued",
  providerMessageId: null,
  at: at("14:08:30.000"),
  createdAt: at("14:08:30.000")
})

export const conversation = new ConversationView({
  id: conversationId,
  contact: { id: contact.id, name: contact.name, phone: contact.phone },
  chatAccountId: chatAccount.id,
  recipient: { kind: "phone", value: "+491701234567" },
  status: "open",
  priority: "none",
  assigneeId: null,
  snoozedUntil: null,
  unreadCount: 1,
  lastMessage: {
    id: received.id,
    direction: received.direction,
    kind: received.kind,
    text: received.text,
    at: received.at
  },
  lastInboundAt: received.at,
  lastActivityAt: received.at,
  waitingSince: received.at,
  firstRepliedAt: null,
  window: { open: true, expiresAt: DateTime.add(received.at, { hours: 24 }) },
  freeEntryPoint: null,
  labels: [],
  createdAt: received.createdAt,
  updatedAt: received.createdAt,
  version: 1
})

export const note = new Note({
  id: NoteId.make("01934bd4-5e6f-7666-8f56-5f6071829304"),
  conversationId,
  author: { kind: "user", id: grace.id },
  text: "She asks every Friday. Can we set one aside each week?",
  mentions: [ada.id],
  createdAt: at("14:09:00.000"),
  editedAt: null,
  version: 1
})

export const cannedReply = new CannedReply({
  id: CannedReplyId.make("01934bd5-6f70-7777-9067-607182930415"),
  shortcut: "hours",
  text: "We are open from 7 to 18 o'clock, Mondays excepted.",
  createdAt: at("14:10:00.000"),
  updatedAt: at("14:10:00.000"),
  version: 1
})

export const media = new MediaView({
  id: MediaId.make("01934bd6-7081-7888-9178-718293041526"),
  kind: "document",
  mimeType: "application/pdf",
  filename: "price-list.pdf",
  size: 48_213,
  createdAt: at("14:11:00.000")
})
