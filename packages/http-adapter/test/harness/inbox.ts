import { nextId, transact } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import {
  createLibraryMessageTemplate,
  CannedReplies,
  CannedReply,
  CannedReplyId,
  type ChatAccount,
  type ChatAccountView,
  connectChatAccount,
  type Conversation,
  type InboundEvent,
  saveMedia,
  MessageTemplate,
  MessageTemplateId,
  MessageTemplates,
  Note,
  NoteId,
  Notes,
  receiveMedia
} from "@parley/domain/messaging"
import { processDueDeliveries } from "@parley/domain/composition"
import { asOperatorOf, givenConversation, givenMessage, givenNumber, MemoryChat, TestKit } from "@parley/testkit"
import { DateTime, Effect, Option, Redacted, Stream } from "effect"
import { noteSecret } from "./Evidence.ts"
import { call } from "./Http.ts"
import { freshText, inside, type Person } from "./tenants.ts"

export { givenConversation, givenMessage, givenNumber }

/** The provider's side of the chat, in a service that runs on the one in memory. */
export const provider = Effect.flatMap(
  Effect.serviceOption(MemoryChat.ChatScript),
  Option.match({
    onNone: () => Effect.die(new Error("This service does not run on the chat provider in memory.")),
    onSome: Effect.succeed
  })
)

/** A secret that must never be visible again. */
export const freshSecret = Effect.tap(freshText("secret"), (secret) => Effect.sync(() => noteSecret(secret)))

/** Input for a number that is not connected yet. */
export const newNumber = Effect.gen(function* () {
  return {
    displayName: "Corner Bakery",
    externalAccountId: yield* freshText("business"),
    externalPhoneId: yield* freshText("phone"),
    accessToken: yield* freshSecret,
    appSecret: yield* freshSecret
  }
})

/** Input for a number that is connected through the platform app, with a valid code. */
export const newSignup = Effect.gen(function* () {
  const code = yield* freshSecret
  yield* (yield* provider).addSignupCode(code, yield* freshSecret)
  return { code, externalAccountId: yield* freshText("business"), externalPhoneId: yield* freshText("phone") }
})

/** Verify token of a number from the fixtures. */
export const verifyTokenOf = ({ id }: Pick<ChatAccount, "id">) => `${id}: verify_token`
const appSecretOf = ({ id }: Pick<ChatAccount, "id">) => Redacted.make(`${id}: app_secret`)

/** Events as the owner of this secret delivers them. */
export const signedDelivery = Effect.fnUntraced(function* (
  events: ReadonlyArray<InboundEvent>,
  secret: Redacted.Redacted
) {
  const { body, headers } = (yield* provider).deliver(events, secret)
  return { text: new TextDecoder().decode(body), headers }
})

/** A delivery as the provider signs it: through the number's own app, or through the platform app. */
export const delivery = Effect.fnUntraced(function* (
  events: ReadonlyArray<InboundEvent>,
  from: Pick<ChatAccount, "id"> | "platform app"
) {
  const [platformSecret] = TestKit.testPlatformApp.appSecrets
  return yield* signedDelivery(events, from === "platform app" ? platformSecret : appSecretOf(from))
})

/** Delivers over HTTP what happened with the number, and works it through as a node does. */
export const deliver = Effect.fnUntraced(function* (
  { id }: Pick<Organization, "id">,
  account: Pick<ChatAccount, "id">,
  events: ReadonlyArray<InboundEvent>
) {
  const answer = yield* call("POST", `/webhooks/chat/${id}`, yield* delivery(events, account))
  yield* processDueDeliveries
  return answer
})

/** A text that a customer writes to the number. */
export const written = Effect.fnUntraced(function* (
  { externalPhoneId }: Pick<ChatAccount, "externalPhoneId">,
  text: string,
  from: { readonly phone?: string; readonly chatUser?: string; readonly name?: string } = {}
) {
  return {
    kind: "message",
    phoneId: externalPhoneId,
    id: yield* freshText("wamid"),
    at: yield* DateTime.now,
    from: { phone: from.phone ?? null, chatUser: from.chatUser ?? "chat-marie", name: from.name ?? "Marie" },
    content: { kind: "text", text },
    replyTo: null,
    fromAdvertisement: false
  } satisfies InboundEvent
})

/** A template draft without variables; by default on its own number. */
export const givenTemplate = Effect.fnUntraced(function* (
  organization: Organization,
  overrides: Partial<MessageTemplate> = {}
) {
  const now = yield* DateTime.now
  const id = yield* nextId(MessageTemplateId)
  const template = new MessageTemplate({
    id,
    chatAccountId: overrides.chatAccountId ?? (yield* givenNumber(organization)).id,
    name: `greeting_${id.replaceAll("-", "")}`,
    language: "en",
    category: "utility",
    components: { body: { text: "Your order is ready." } },
    variables: [],
    status: "draft",
    rejectionReason: null,
    quality: "unknown",
    externalId: null,
    createdAt: now,
    updatedAt: now,
    version: 1,
    ...overrides
  })
  yield* transact(Effect.flatMap(MessageTemplates, (templates) => templates.insert(template))).pipe(
    inside(organization)
  )
  return template
}, Effect.orDie)

const libraryName = "delivery_update_1"

/** A template that the provider has, approved or in another status here. */
export const givenSubmitted = Effect.fnUntraced(function* (
  organization: Organization,
  status: MessageTemplate["status"] = "approved"
) {
  const { id: chatAccountId } = yield* givenNumber(organization)
  const name = `delivery_${(yield* nextId(MessageTemplateId)).replaceAll("-", "")}`
  const template = yield* createLibraryMessageTemplate({
    chatAccountId,
    libraryName,
    name,
    language: "en",
    category: "utility"
  }).pipe(inside(organization))
  if (status === "approved") return template
  return yield* transact(
    Effect.flatMap(MessageTemplates, (templates) =>
      templates.save(new MessageTemplate({ ...template, status }), template.version)
    )
  ).pipe(inside(organization))
}, Effect.orDie)

/** A message that could not be sent. */
export const givenFailed = Effect.fnUntraced(function* (organization: Organization, conversation: Conversation) {
  return yield* givenMessage(organization, conversation, {
    direction: "outbound",
    author: { kind: "operator", id: "test" },
    status: "failed",
    error: { code: "provider_refused", providerCode: 131_000, reason: "Something went wrong." },
    providerMessageId: null,
    failedAt: yield* DateTime.now
  })
})

/** A note that this person has written. */
export const givenNoteOf = Effect.fnUntraced(function* (
  organization: Organization,
  conversation: Pick<Conversation, "id">,
  { user }: Person
) {
  const note = new Note({
    id: yield* nextId(NoteId),
    conversationId: conversation.id,
    author: { kind: "user", id: user.id },
    text: "Ask Mary.",
    mentions: [],
    createdAt: yield* DateTime.now,
    editedAt: null,
    version: 1
  })
  yield* transact(Effect.flatMap(Notes, (notes) => notes.insert(note))).pipe(inside(organization))
  return note
})

/** A canned reply with its own shortcut. */
export const givenReply = Effect.fnUntraced(function* (
  organization: Organization,
  overrides: Partial<CannedReply> = {}
) {
  const now = yield* DateTime.now
  const id = yield* nextId(CannedReplyId)
  const reply = new CannedReply({
    id,
    shortcut: id,
    text: "Hello, how can we help?",
    createdAt: now,
    updatedAt: now,
    version: 1,
    ...overrides
  })
  yield* transact(Effect.flatMap(CannedReplies, (replies) => replies.insert(reply))).pipe(inside(organization))
  return reply
}, Effect.orDie)

/** A file that was uploaded. */
export const givenFile = Effect.fnUntraced(function* (organization: Organization) {
  const bytes = new TextEncoder().encode("Rye bread: 4.20")
  return yield* receiveMedia({ filename: "prices.txt", mimeType: "text/plain", bytes: Stream.make(bytes) }).pipe(
    Effect.flatMap(saveMedia),
    inside(organization)
  )
}, Effect.orDie)

const endpoints = new WeakMap<Organization, ChatAccountView>()

/** An account with its own address. Each organization has one account, because the secret identifies its owner. */
export const givenEndpoint = Effect.fnUntraced(function* (organization: Organization) {
  const known = endpoints.get(organization)
  if (known !== undefined) return known
  const made = yield* connectChatAccount({
    provider: "webhook",
    displayName: "Shop chat",
    url: "https://chat.shop.example/parley"
  }).pipe(asOperatorOf(organization), Effect.orDie)
  endpoints.set(organization, made)
  return made
})
