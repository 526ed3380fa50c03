import { assert, describe, it, layer } from "@effect/vitest"
import { CurrentOrganization, transact } from "@parley/domain/kernel"
import { LaneQueue, removeMember } from "@parley/domain/platform"
import type { ContactId } from "@parley/domain/crm"
import {
  assignConversation,
  changeConversations,
  ChatAccountId,
  Conversation,
  ConversationId,
  type ConversationQuery,
  Conversations,
  type ConversationWithContact,
  Message,
  MessageId,
  Messages,
  reopenConversation,
  resolveConversation,
  QueuedSends,
  sendTaskName
} from "@parley/domain/messaging"
import { layerAreas } from "@parley/domain/composition"
import * as Postgres from "@parley/postgres-adapter"
import { layerServer } from "@parley/postgres-adapter/testing"
import {
  asOperatorOf,
  givenContact,
  givenConversation,
  givenMember,
  givenOrganization,
  TestKit,
  TestSecurity,
  queuedMessages
} from "@parley/testkit"
import { DateTime, Effect, Fiber, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { givenNodes, onAll } from "./support/nodes.ts"

const slow = 60_000
const start = DateTime.makeUnsafe("2026-03-01T08:00:00Z")
const fresh = <Id>(kind: { readonly make: (value: string) => Id }): Id => kind.make(SecureRandom.uuidV7Unsafe())

const conversationOf = (
  contactId: ContactId,
  chatAccountId: ChatAccountId,
  overrides: Partial<Conversation> = {}
): Conversation =>
  new Conversation({
    id: fresh(ConversationId),
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
    resolvedAt: null,
    lastActivityAt: start,
    createdAt: start,
    updatedAt: start,
    version: 1,
    ...overrides
  })

const textOf = ({ contactId, id: conversationId }: Conversation, text: string): Message =>
  new Message({
    id: fresh(MessageId),
    conversationId,
    direction: "inbound",
    kind: "text",
    text,
    media: null,
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
    at: start,
    sentAt: null,
    deliveredAt: null,
    readAt: null,
    failedAt: null,
    createdAt: start
  })

const everything: ConversationQuery = {
  statuses: null,
  assignee: null,
  unread: null,
  awaitingReply: null,
  priorities: null,
  labels: null,
  chatAccountId: null,
  contactId: null,
  words: null,
  sort: "-lastActivityAt"
}

/** Number of conversations: more than a search for a page scans. */
const many = 6_000

const every =
  (step: number, from = 0) =>
  (_: unknown, n: number) =>
    n % step === from

/** The oldest of many conversations has the lowest number. The numbers determine their texts and states. */
const givenMany = Effect.gen(function* () {
  const organization = yield* givenOrganization()
  const { id: contactId } = yield* givenContact(organization)
  const accounts = Array.from({ length: many }, () => fresh(ChatAccountId))
  const conversations = accounts.map((chatAccountId, n) =>
    conversationOf(contactId, chatAccountId, {
      lastActivityAt: DateTime.add(start, { seconds: n }),
      createdAt: DateTime.add(start, { seconds: n }),
      labels: [...(n % 1_000 === 0 ? ["rare"] : []), ...(n % 5 === 1 ? [] : ["common"])],
      priority: n < 50 ? "urgent" : "none"
    })
  )
  const texts = (n: number) => [
    "hello bread",
    ...(n % 1_500 === 0 ? ["seldom said"] : []),
    ...(n < 4_500 ? ["formerly said"] : [])
  ]
  yield* transact(
    Effect.gen(function* () {
      yield* (yield* Conversations).insert(conversations)
      const account = fresh(ChatAccountId)
      const messages = conversations.flatMap((conversation, n) => texts(n).map((text) => textOf(conversation, text)))
      yield* (yield* Messages).insert(account, messages)
    })
  ).pipe(asOperatorOf(organization), Effect.orDie)
  return { organization, conversations }
})

/** The pages of a list, and how often it stopped on the way. */
const read = Effect.fnUntraced(function* (query: Partial<ConversationQuery>, limit: number) {
  const port = yield* Conversations
  const rows: Array<ConversationWithContact> = []
  let stops = 0
  let after: ReadonlyArray<string> | null = null
  do {
    const page: Effect.Success<ReturnType<typeof port.list>> = yield* port.list(
      { ...everything, ...query },
      { limit: limit - rows.length, after }
    )
    rows.push(...page.rows)
    after = page.resume
    if (after !== null) stops += 1
  } while (after !== null && rows.length < limit)
  return { ids: rows.map(({ conversation }) => conversation.id), stops }
})

describe("an inbox with many conversations", () => {
  layer(
    Layer.provideMerge(layerAreas, Layer.merge(TestSecurity.layer, TestKit.layerProviders)).pipe(
      Layer.provideMerge(Postgres.layer),
      Layer.provideMerge(layerServer)
    ),
    { timeout: "60 seconds" }
  )("lists", (it) => {
    it.effect(
      "common terms by walking, and rare ones by the index",
      () =>
        Effect.gen(function* () {
          const { conversations, organization } = yield* givenMany
          const newest = conversations.toReversed().map(({ id }) => id)
          const numbered = (which: (id: ConversationId, n: number) => boolean) =>
            newest.filter((id, place) => which(id, many - 1 - place))
          yield* Effect.gen(function* () {
            assert.deepStrictEqual(yield* read({}, 30), { ids: newest.slice(0, 30), stops: 0 })
            assert.deepStrictEqual(yield* read({ words: ["bre"] }, 30), { ids: newest.slice(0, 30), stops: 0 })
            assert.deepStrictEqual(yield* read({ words: ["said", "sel"] }, 30), {
              ids: numbered(every(1_500)),
              stops: 0
            })
            assert.deepStrictEqual(yield* read({ labels: ["rare"] }, 30), { ids: numbered(every(1_000)), stops: 0 })
            assert.deepStrictEqual(yield* read({ labels: ["rare"], words: ["seldom"] }, 30), {
              ids: numbered(every(3_000)),
              stops: 0
            })
            assert.deepStrictEqual(yield* read({ words: ["nothing"] }, 30), { ids: [], stops: 0 })
            assert.deepStrictEqual(yield* read({ words: ["seldom"], sort: "createdAt" }, 2), {
              ids: numbered(every(1_500)).toReversed().slice(0, 2),
              stops: 0
            })
          }).pipe(asOperatorOf(organization))
        }),
      slow
    )

    it.effect(
      "results beyond one walk on from its last place",
      () =>
        Effect.gen(function* () {
          const { conversations, organization } = yield* givenMany
          const oldest = conversations.map(({ id }) => id)
          const newest = oldest.toReversed()
          yield* Effect.gen(function* () {
            assert.deepStrictEqual(yield* read({ priorities: ["urgent"] }, 50), {
              ids: newest.slice(-50),
              stops: 1
            })
            assert.deepStrictEqual(yield* read({ words: ["formerly"] }, 10), {
              ids: newest.slice(many - 4_500, many - 4_490),
              stops: 0
            })
            assert.deepStrictEqual(
              (yield* read({ labels: ["common"] }, many)).ids,
              newest.filter((_, place) => (many - 1 - place) % 5 !== 1)
            )
            assert.deepStrictEqual(
              (yield* read({ words: ["formerly"], sort: "createdAt" }, many)).ids,
              oldest.slice(0, 4_500)
            )
          }).pipe(asOperatorOf(organization))
        }),
      slow
    )

    it.effect(
      "keeps the number of resolved ones in few rows, for any number of writers",
      () =>
        Effect.gen(function* () {
          const organization = yield* givenOrganization()
          const { id: contactId } = yield* givenContact(organization)
          const sql = yield* SqlClient.SqlClient
          const port = yield* Conversations
          const resolved = conversationOf(contactId, fresh(ChatAccountId), { status: "resolved", resolvedAt: start })
          const toggle = Effect.fnUntraced(function* (n: number) {
            const conversation = conversationOf(contactId, fresh(ChatAccountId))
            yield* transact(port.insert([conversation]))
            const after = new Conversation({ ...conversation, status: "resolved", resolvedAt: start })
            yield* transact(Effect.andThen(port.lock([conversation.id]), port.saveAll([after])))
            if (n % 3 === 0) {
              yield* transact(Effect.andThen(port.lock([conversation.id]), port.saveAll([conversation])))
            }
          })
          yield* Effect.gen(function* () {
            yield* transact(port.insert([resolved]))
            yield* Effect.forEach(
              Array.from({ length: 120 }, (_, n) => n),
              toggle,
              { concurrency: 20, discard: true }
            )
            const counts = yield* port.counts(null)
            assert.deepStrictEqual([counts.open, counts.resolved], [40, 81])
            const { id } = yield* CurrentOrganization
            const rows = yield* sql`SELECT resolved FROM conversation_counts WHERE organization_id = ${id}`
            assert.isAtMost(rows.length, 40)
          }).pipe(asOperatorOf(organization))
        }),
      slow
    )
  })
})

describe("many concurrent calls, on two processes", () => {
  it.effect(
    "open one conversation of a contact over a number",
    () =>
      Effect.gen(function* () {
        const nodes = yield* givenNodes(2)
        const [first = assert.fail()] = nodes
        const { contactId, organization } = yield* Effect.gen(function* () {
          const organization = yield* givenOrganization()
          return { organization, contactId: (yield* givenContact(organization)).id }
        }).pipe(Effect.provide(first))
        const pair = { contactId, chatAccountId: fresh(ChatAccountId) }
        const opened = yield* onAll(nodes, 200, () =>
          Effect.gen(function* () {
            const port = yield* Conversations
            const [latest] = yield* port.lockLatest([pair])
            if (latest !== undefined) return latest.id
            const conversation = conversationOf(pair.contactId, pair.chatAccountId)
            yield* port.insert([conversation])
            return conversation.id
          }).pipe(transact, asOperatorOf(organization), Effect.orDie)
        )
        assert.strictEqual(opened.length, 200)
        assert.strictEqual(new Set(opened).size, 1)
        const counts = yield* Effect.flatMap(Conversations, (port) => port.counts(null)).pipe(
          asOperatorOf(organization),
          Effect.provide(first)
        )
        assert.strictEqual(counts.open, 1)
      }),
    slow
  )

  it.effect(
    "take batches of pairs in any order without waiting in a circle",
    () =>
      Effect.gen(function* () {
        const nodes = yield* givenNodes(2)
        const [first = assert.fail()] = nodes
        const { organization, people } = yield* Effect.gen(function* () {
          const organization = yield* givenOrganization()
          return { organization, people: yield* Effect.replicateEffect(givenContact(organization), 8) }
        }).pipe(Effect.provide(first))
        const chatAccountId = fresh(ChatAccountId)
        const pairs = people.map(({ id: contactId }) => ({ contactId, chatAccountId }))
        yield* onAll(nodes, 60, (n) =>
          Effect.gen(function* () {
            const port = yield* Conversations
            const asked = [...pairs.slice(n % 8), ...pairs.slice(0, n % 8)]
            const there = yield* port.lockLatest(n % 2 === 0 ? asked : asked.toReversed())
            const known = new Set(there.map(({ contactId }) => contactId))
            const missing = asked.filter(({ contactId }) => !known.has(contactId))
            yield* port.insert(missing.map(({ contactId }) => conversationOf(contactId, chatAccountId)))
            yield* port.saveAll(there)
          }).pipe(transact, asOperatorOf(organization), Effect.orDie)
        )
        const counts = yield* Effect.flatMap(Conversations, (port) => port.counts(null)).pipe(
          asOperatorOf(organization),
          Effect.provide(first)
        )
        assert.strictEqual(counts.open, 8)
      }),
    slow
  )

  it.effect(
    "leave conversations unassigned that are assigned to a member during the removal",
    () =>
      Effect.gen(function* () {
        const nodes = yield* givenNodes(2, 10)
        const [first = assert.fail()] = nodes
        const { conversations, members, organization } = yield* Effect.gen(function* () {
          const organization = yield* givenOrganization({ plan: "scale" })
          const members = yield* Effect.replicateEffect(givenMember(organization, "agent"), 6)
          const conversations = yield* Effect.replicateEffect(givenConversation(organization), 12)
          return { conversations, members, organization }
        }).pipe(Effect.provide(first))
        const ids = conversations.map(({ id }) => id)
        const handed = yield* onAll(nodes, 150, (n) => {
          const { member, user } = members[n % 6] ?? assert.fail()
          const action = { type: "assign", assigneeId: user.id } as const
          const handOne = Effect.asVoid(assignConversation({ id: ids[n % 11] ?? assert.fail(), assigneeId: user.id }))
          const handAll = Effect.asVoid(changeConversations({ ids, action }))
          return Effect.gen(function* () {
            if (n % 15 === 7) return yield* removeMember({ id: member.id })
            yield* n % 3 === 0 ? handAll : handOne
          }).pipe(asOperatorOf(organization), Effect.match({ onFailure: (error) => error._tag, onSuccess: () => "ok" }))
        })
        assert.includeMembers(["NotFound", "ok"], [...new Set(handed)])
        yield* Effect.gen(function* () {
          for (const { member } of members) yield* Effect.ignore(removeMember({ id: member.id }))
          const port = yield* Conversations
          const assignees = yield* Effect.forEach(conversations, ({ id }) => port.get(id))
          assert.deepStrictEqual(new Set(assignees.map(({ conversation }) => conversation.assigneeId)), new Set([null]))
        }).pipe(asOperatorOf(organization), Effect.provide(first))
      }),
    slow
  )

  it.effect(
    "take resolved conversations up again: one stands, or another one is named",
    () =>
      Effect.gen(function* () {
        const nodes = yield* givenNodes(2, 10)
        const [first = assert.fail()] = nodes
        const { conversations, organization } = yield* Effect.gen(function* () {
          const organization = yield* givenOrganization()
          const { chatAccountId, contactId } = yield* givenConversation(organization, { status: "resolved" })
          const input = { chatAccountId, contactId, status: "resolved" } as const
          const conversations = yield* Effect.replicateEffect(givenConversation(organization, input), 4)
          return { conversations, organization }
        }).pipe(Effect.provide(first))
        const outcomes = yield* onAll(nodes, 400, (n) => {
          const { id } = conversations[n % 4] ?? assert.fail()
          const work = Math.floor(n / 4) % 2 === 0 ? reopenConversation({ id }) : resolveConversation({ id })
          return Effect.match(work.pipe(asOperatorOf(organization)), {
            onFailure: (error) => error._tag,
            onSuccess: () => "ok"
          })
        })
        assert.includeMembers(["ConversationExists", "ConversationTransitionInvalid", "ok"], [...new Set(outcomes)])
        const counts = yield* Effect.flatMap(Conversations, (port) => port.counts(null)).pipe(
          asOperatorOf(organization),
          Effect.provide(first)
        )
        assert.isAtMost(counts.open, 1)
      }),
    slow
  )

  it.effect(
    "reopen a resolved conversation whose blocker was resolved in that moment",
    () =>
      Effect.gen(function* () {
        const [node = assert.fail()] = yield* givenNodes(1)
        yield* Effect.gen(function* () {
          const organization = yield* givenOrganization()
          const { id } = yield* givenConversation(organization, { status: "resolved" })
          const sql = yield* SqlClient.SqlClient
          // Another one conflicts with the first attempt, and is deleted before it is read.
          yield* sql`CREATE SEQUENCE clashes`
          yield* sql`
            CREATE FUNCTION clash() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
              IF nextval('clashes') = 1 THEN
                RAISE unique_violation USING CONSTRAINT = 'conversations_unresolved_pair';
              END IF;
              RETURN NEW;
            END $$`
          yield* sql`CREATE TRIGGER clash BEFORE UPDATE ON conversations FOR EACH ROW EXECUTE FUNCTION clash()`
          const { status } = yield* reopenConversation({ id }).pipe(asOperatorOf(organization))
          assert.strictEqual(status, "open")
        }).pipe(Effect.provide(node))
      }),
    slow
  )

  it.effect(
    "wake a sender on another process when a message waits to be sent",
    () =>
      Effect.gen(function* () {
        const [here = assert.fail(), there = assert.fail()] = yield* givenNodes(2)
        const woken = yield* Effect.gen(function* () {
          const queue = yield* LaneQueue
          const found = Effect.andThen(queue.awaitNotification(sendTaskName), queuedMessages(start))
          return yield* Effect.forkChild(Effect.repeat(found, { until: (ids) => ids.length > 0 }))
        }).pipe(Effect.provide(there))
        const messageId = yield* Effect.gen(function* () {
          const organization = yield* givenOrganization()
          const { id: contactId } = yield* givenContact(organization)
          const conversation = conversationOf(contactId, fresh(ChatAccountId))
          const message = textOf(conversation, "Bread is ready.")
          const { chatAccountId } = conversation
          yield* transact(
            Effect.gen(function* () {
              yield* (yield* Conversations).insert([conversation])
              yield* (yield* Messages).insert(chatAccountId, [message])
              yield* (yield* QueuedSends).enqueue({
                chatAccountId,
                messages: [message],
                priority: "person",
                now: start
              })
            })
          ).pipe(asOperatorOf(organization))
          return message.id
        }).pipe(Effect.provide(here))
        assert.deepStrictEqual(yield* Fiber.join(woken), [messageId])
      }),
    slow
  )
})
