import { assert, describe, layer } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { LaneQueue, runDueLanes } from "@parley/domain/platform"
import {
  type ContactId,
  contactReindex,
  contactReindexLane,
  Contacts,
  anyContact,
  normalizeName,
  parseContactSearch
} from "@parley/domain/crm"
import {
  type ConversationId,
  Conversations,
  messageReindex,
  messageReindexLane,
  Messages,
  querySearchTokens
} from "@parley/domain/messaging"
import { layerAreas } from "@parley/domain/composition"
import * as Postgres from "@parley/postgres-adapter"
import { layerServer } from "@parley/postgres-adapter/testing"
import {
  asOperatorOf,
  givenContact,
  givenConversation,
  givenMessage,
  givenOrganization,
  type Of,
  TestKit,
  TestSecurity
} from "@parley/testkit"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

const contactsFound = (q: string) =>
  Effect.map(
    Effect.flatMap(Contacts, (contacts) =>
      contacts.list(
        { filter: anyContact, search: parseContactSearch(q), sort: "createdAt" },
        { limit: 10, after: null }
      )
    ),
    ({ rows }): ReadonlyArray<ContactId> => rows.map(({ id }) => id)
  )

const conversationsFound = (q: string) =>
  Effect.map(
    Effect.flatMap(Conversations, (conversations) =>
      conversations.list(
        {
          statuses: null,
          assignee: null,
          unread: null,
          awaitingReply: null,
          priorities: null,
          labels: null,
          chatAccountId: null,
          contactId: null,
          words: querySearchTokens(q),
          sort: "createdAt"
        },
        { limit: 10, after: null }
      )
    ),
    ({ rows }): ReadonlyArray<ConversationId> => rows.map(({ conversation }) => conversation.id)
  )

/** Stores the contact's name as it was stored before texts were folded. */
const asBefore = Effect.fnUntraced(function* (organization: Of, name: string) {
  const sql = yield* SqlClient.SqlClient
  const { id } = yield* givenContact(organization, { name })
  const words = normalizeName(name).split(/[^\p{L}\p{M}]+/u)
  yield* sql`UPDATE contacts SET search = ${normalizeName(name)} WHERE organization_id = ${organization.id} AND id = ${id}`
  yield* sql`DELETE FROM contact_search_words WHERE organization_id = ${organization.id} AND word = ANY(${words}::text[])`
  yield* sql`
    INSERT INTO contact_search_words (organization_id, word)
    SELECT ${organization.id}, word FROM unnest(${words}::text[]) AS word ON CONFLICT DO NOTHING`
  return id
})

const begin = (organization: Of, kind: "contacts" | "messages") =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const queue = yield* LaneQueue
    const lane = kind === "contacts" ? contactReindexLane(organization.id) : messageReindexLane(organization.id)
    yield* sql`INSERT INTO search_reindexes (organization_id, kind) VALUES (${organization.id}, ${kind})`
    yield* transact(queue.openAll([{ ...lane, priority: "bulk", dueAt: yield* DateTime.now }]))
  })

const left = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT kind FROM search_reindexes`)

describe("values stored before normalization", () => {
  layer(
    Layer.provideMerge(layerAreas, Layer.merge(TestSecurity.layer, TestKit.layerProviders)).pipe(
      Layer.provideMerge(Postgres.layer),
      Layer.provideMerge(layerServer)
    ),
    { timeout: "60 seconds" }
  )("is found without accents", (it) => {
    it.effect("of contacts, batch by batch, and forgets the words of before", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const sql = yield* SqlClient.SqlClient
        const jose = yield* asBefore(organization, "José Ørsted")
        const tanaka = yield* asBefore(organization, "田中 太郎")
        const plain = yield* givenContact(organization, { name: "Josephine" })
        yield* begin(organization, "contacts")
        yield* Effect.gen(function* () {
          const contacts = yield* Contacts
          assert.deepStrictEqual(yield* contactsFound("jose"), [plain.id])
          assert.isTrue(yield* transact(contacts.refold(1)))
          assert.deepStrictEqual(yield* contactsFound("jose"), [jose, plain.id])
          assert.deepStrictEqual(yield* contactsFound("田中"), [])
        }).pipe(asOperatorOf(organization))
        yield* runDueLanes(contactReindex)
        yield* Effect.gen(function* () {
          const contacts = yield* Contacts
          assert.deepStrictEqual(yield* contactsFound("JOSÉ orsted"), [jose])
          assert.deepStrictEqual(yield* contactsFound("田中"), [tanaka])
          assert.isFalse(yield* transact(contacts.refold(1)))
          assert.include(yield* contacts.wordsLike("orstet"), "orsted")
        }).pipe(asOperatorOf(organization))
        assert.deepStrictEqual(yield* left, [])
        assert.deepStrictEqual(
          yield* sql`SELECT word FROM contact_search_words WHERE organization_id = ${organization.id} AND word = ANY('{josé,ørsted}')`,
          []
        )
      })
    )

    it.effect("of messages, batch by batch", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const sql = yield* SqlClient.SqlClient
        const conversation = yield* givenConversation(organization)
        yield* givenMessage(organization, conversation, { text: "Zwei Käsebrote" })
        yield* givenMessage(organization, conversation, { text: "我想订购面包" })
        yield* sql`UPDATE messages SET words = array_to_tsvector(string_to_array(lower(text), ' '))
          WHERE organization_id = ${organization.id}`
        yield* begin(organization, "messages")
        yield* Effect.gen(function* () {
          const messages = yield* Messages
          assert.deepStrictEqual(yield* conversationsFound("kasebrot"), [])
          assert.isTrue(yield* transact(messages.refold(1)))
          assert.deepStrictEqual(yield* conversationsFound("kasebrot"), [conversation.id])
        }).pipe(asOperatorOf(organization))
        yield* runDueLanes(messageReindex)
        yield* Effect.gen(function* () {
          for (const q of ["kasebrot", "KÄSE zwei", "订购", "面包", "面"]) {
            assert.deepStrictEqual(yield* conversationsFound(q), [conversation.id], q)
          }
          for (const q of ["订面", "brote"]) assert.deepStrictEqual(yield* conversationsFound(q), [], q)
        }).pipe(asOperatorOf(organization))
        assert.deepStrictEqual(yield* left, [])
      })
    )
  })
})
