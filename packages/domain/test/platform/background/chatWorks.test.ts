import { assert, it } from "@effect/vitest"
import { nextId, transact } from "@parley/domain/kernel"
import {
  InboundDeliveryId,
  InboundDeliveryQueue,
  sharedLane,
  listInboundDeliveries,
  type Organization
} from "@parley/domain/platform"
import {
  ChatAccountId,
  Conversation,
  ConversationId,
  Conversations,
  Message,
  MessageId,
  Messages,
  scheduleWakeUps,
  QueuedSends
} from "@parley/domain/messaging"
import { layerWorkers, type Ports } from "@parley/domain/composition"
import { asOperatorOf, givenContact, givenOrganization, MemoryChat, TestKit } from "@parley/testkit"
import { DateTime, Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"

const test = <A, E>(name: string, body: Effect.Effect<A, E, Ports | Scope.Scope>) =>
  it.effect(name, () =>
    body.pipe(Effect.scoped, Effect.provide(Layer.provideMerge(MemoryChat.layer, TestKit.layer), { local: true }))
  )

const givenConversation = Effect.fnUntraced(function* (organization: Organization, snoozedUntil: DateTime.Utc | null) {
  const now = yield* DateTime.now
  const { id: contactId } = yield* givenContact(organization, { phone: "+491701234567" })
  const conversation = new Conversation({
    id: yield* nextId(ConversationId),
    contactId,
    chatAccountId: yield* nextId(ChatAccountId),
    status: snoozedUntil === null ? "open" : "snoozed",
    priority: "none",
    assigneeId: null,
    snoozedUntil,
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
    version: 1
  })
  const insert = Effect.gen(function* () {
    yield* (yield* Conversations).insert([conversation])
    yield* scheduleWakeUps([{ before: { snoozedUntil: null }, after: conversation }])
  })
  yield* transact(insert).pipe(asOperatorOf(organization))
  const read = Effect.flatMap(Conversations, (port) => port.get(conversation.id)).pipe(asOperatorOf(organization))
  return { ...conversation, statusNow: Effect.map(read, ({ conversation: { status } }) => status) }
})

/** A message that cannot be sent because its account is deleted: its state shows the attempt of a worker. */
const givenHopeless = Effect.fnUntraced(function* (
  organization: Organization,
  { chatAccountId, id: conversationId }: Pick<Conversation, "chatAccountId" | "id">
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
    createdAt: now
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
  const read = Effect.flatMap(Messages, (port) => port.get(conversationId, message.id)).pipe(asOperatorOf(organization))
  return { statusNow: Effect.map(read, ({ status }) => status) }
})

const givenDelivery = Effect.fnUntraced(function* (organization: Organization) {
  const id = yield* nextId(InboundDeliveryId)
  const body = new TextEncoder().encode("none of the provider's")
  const receivedAt = yield* DateTime.now
  yield* (yield* InboundDeliveryQueue).store([
    {
      organizationId: organization.id,
      id,
      lane: sharedLane,
      source: "chat",
      provider: "whatsapp",
      digest: id,
      body,
      receivedAt
    }
  ])
  const read = listInboundDeliveries({ page: { limit: 10, cursor: null } }).pipe(asOperatorOf(organization))
  return { stateNow: Effect.map(read, ({ data }) => data.find((delivery) => delivery.id === id)?.state) }
})

test(
  "a node sends, reads and wakes waiting and later work within two seconds",
  Effect.gen(function* () {
    const organization = yield* givenOrganization()
    const snoozed = yield* givenConversation(organization, DateTime.add(yield* DateTime.now, { seconds: 90 }))
    yield* Layer.build(layerWorkers())
    for (let round = 0; round < 2; round += 1) {
      yield* TestClock.adjust("30 seconds")
      const [message, delivery] = [yield* givenHopeless(organization, snoozed), yield* givenDelivery(organization)]
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual([yield* message.statusNow, yield* delivery.stateNow], ["failed", "parked"])
    }
    assert.strictEqual(yield* snoozed.statusNow, "snoozed")
    yield* TestClock.adjust("30 seconds")
    assert.strictEqual(yield* snoozed.statusNow, "open")
  })
)

test(
  "a node that is stopped does nothing any more",
  Effect.gen(function* () {
    const organization = yield* givenOrganization()
    const conversation = yield* givenConversation(organization, null)
    const scope = yield* Scope.make()
    yield* Layer.buildWithScope(layerWorkers(), scope)
    yield* TestClock.adjust("5 seconds")
    yield* Scope.close(scope, Exit.void)
    const [message, delivery] = [yield* givenHopeless(organization, conversation), yield* givenDelivery(organization)]
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual([yield* message.statusNow, yield* delivery.stateNow], ["queued", "waiting"])
  })
)
