import { Ids, nextId, transact, Vault } from "@parley/domain/kernel"
import { EventLog, type Organization } from "@parley/domain/platform"
import type { Contact } from "@parley/domain/crm"
import {
  ChatAccount,
  ChatAccountId,
  ChatAccounts,
  Conversation,
  ConversationId,
  Conversations,
  Message,
  MessageId,
  Messages,
  scheduleWakeUps,
  QueuedSends
} from "@parley/domain/messaging"
import { eventPermissions, type Ports } from "@parley/domain/composition"
import { asOperatorOf, givenContact, MemoryChat, TestKit } from "@parley/testkit"
import { it } from "@effect/vitest"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { createHmac } from "node:crypto"

/** Each test has a separate store and provider, because workers serve all organizations. */
export const test = <A, E>(name: string, body: () => Effect.Effect<A, E, Ports | MemoryChat.ChatScript>) =>
  it.effect(name, () => alone(body()))

/** Runs on a separate store and provider. */
export const alone = <A, E>(effect: Effect.Effect<A, E, Ports | MemoryChat.ChatScript>) =>
  Effect.provide(effect, Layer.provideMerge(MemoryChat.layer, TestKit.layer), { local: true })

/** The secret that the app of every account here signs with. */
export const appSecret = Redacted.make("app-secret")

/** Signature of the provider. */
export const signed = (bytes: Uint8Array, secret: Redacted.Redacted = appSecret) =>
  `sha256=${createHmac("sha256", Redacted.value(secret)).update(bytes).digest("hex")}`

/** A number that the organization connected through its own app. */
export const givenChatAccount = Effect.fnUntraced(function* (
  organization: Organization,
  fields: Partial<ChatAccount> = {}
) {
  const vault = yield* Vault
  const now = yield* DateTime.now
  const id = yield* nextId(ChatAccountId)
  const seal = (name: string, secret: Redacted.Redacted) =>
    vault.seal(`chat_account/${organization.id}/${id}/${name}`, secret)
  const account = new ChatAccount({
    id,
    provider: "whatsapp",
    mode: "own_app",
    displayName: "Shop",
    phone: "+15550100001",
    externalAccountId: "business-1",
    externalPhoneId: `phone-${yield* (yield* Ids).next}`,
    url: null,
    status: "connected",
    qualityRating: "green",
    messagingLimit: null,
    throughputPerSecond: null,
    lastCheckedAt: null,
    lastError: null,
    createdAt: now,
    updatedAt: now,
    version: 1,
    ...fields
  })
  const secrets = {
    accessToken: yield* seal("access_token", Redacted.make(`token of ${id}`)),
    appSecret: yield* seal("app_secret", appSecret),
    formerAppSecret: null,
    verifyToken: yield* seal("verify_token", Redacted.make(`verify ${id}`)),
    pin: null,
    pendingPin: null
  }
  yield* transact(Effect.flatMap(ChatAccounts, (accounts) => accounts.insert(account, secrets))).pipe(
    asOperatorOf(organization),
    Effect.orDie
  )
  return account
})

/** A conversation that is open, with this contact over this number. */
export const givenConversation = Effect.fnUntraced(function* (
  organization: Organization,
  contact: Contact,
  account: ChatAccount,
  fields: Partial<Conversation> = {}
) {
  const now = yield* DateTime.now
  const conversation = new Conversation({
    id: yield* nextId(ConversationId),
    contactId: contact.id,
    chatAccountId: account.id,
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
    resolvedAt: null,
    lastActivityAt: now,
    createdAt: now,
    updatedAt: now,
    version: 1,
    ...fields
  })
  const insert = Effect.gen(function* () {
    yield* (yield* Conversations).insert([conversation])
    yield* scheduleWakeUps([{ before: { snoozedUntil: null }, after: conversation }])
  })
  yield* transact(insert).pipe(asOperatorOf(organization), Effect.orDie)
  return conversation
})

/** A message that waits to be sent. */
export const givenQueued = Effect.fnUntraced(function* (
  organization: Organization,
  { chatAccountId, id: conversationId }: Conversation,
  fields: Partial<Message> = {}
) {
  const now = yield* DateTime.now
  const message = new Message({
    id: yield* nextId(MessageId),
    conversationId,
    direction: "outbound",
    kind: "text",
    text: "Hello",
    media: null,
    template: null,
    interactive: null,
    location: null,
    contacts: null,
    replyToId: null,
    recipient: null,
    author: { kind: "user", id: "somebody" },
    status: "queued",
    error: null,
    providerMessageId: null,
    at: now,
    sentAt: null,
    deliveredAt: null,
    readAt: null,
    failedAt: null,
    createdAt: now,
    ...fields
  })
  const write = Effect.gen(function* () {
    yield* (yield* Messages).insert(chatAccountId, [message])
    yield* (yield* QueuedSends).enqueue({
      chatAccountId,
      messages: [message],
      priority: "person",
      now
    })
  })
  yield* transact(write).pipe(asOperatorOf(organization))
  return message
})

let people = 0

/** A contact with a unique phone number and an open conversation. */
export const givenTalk = Effect.fnUntraced(function* (organization: Organization, account: ChatAccount) {
  people += 1
  const phone = `+4917${String(10_000_000 + people)}`
  const contact = yield* givenContact(organization, { phone })
  return { contact, phone, conversation: yield* givenConversation(organization, contact, account) }
})

/** The message as it is now. */
export const readMessage = (organization: Organization, { conversationId, id }: Message) =>
  Effect.flatMap(Messages, (messages) => messages.get(conversationId, id)).pipe(
    asOperatorOf(organization),
    Effect.orDie
  )

/** Events of the organization, in order. */
export const eventsIn = (organization: Organization) =>
  Effect.flatMap(EventLog, (log) => log.list(Object.keys(eventPermissions), { limit: 10_000, after: null })).pipe(
    asOperatorOf(organization),
    Effect.map((events) => events.map(({ event }) => event))
  )
