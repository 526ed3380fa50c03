import { assert, describe, it } from "@effect/vitest"
import { deleteContact, mergeContacts, updateContact } from "@parley/domain/crm"
import {
  Conversations,
  Messages,
  readConversation,
  reopenConversation,
  resolveConversation,
  sendMessage,
  wakeSnoozed
} from "@parley/domain/messaging"
import {
  applyReportedEvents,
  asOperatorOf,
  givenContact,
  givenConversation,
  givenNumber,
  givenOrganization,
  type ReportedEvent
} from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { givenNodes, onAll } from "./support/nodes.ts"

const slow = 60_000

const people = 12

/** Number of inbound messages, each delivered twice. */
const reported = 100

const phoneOf = (person: number) => `+49170123${4_500 + person}`

const given = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const number = yield* givenNumber(organization)
  const now = yield* DateTime.now
  const talks = yield* Effect.forEach(
    Array.from({ length: people }, (_, person) => person),
    Effect.fnUntraced(function* (person) {
      const contact = yield* givenContact(organization, { phone: phoneOf(person) })
      const isSnoozed = person % 3 === 0
      const conversation = yield* givenConversation(organization, {
        contactId: contact.id,
        chatAccountId: number.id,
        inboundCount: 0,
        ...(isSnoozed && { status: "snoozed" as const, snoozedUntil: now })
      })
      return { contact, conversation }
    })
  )
  return { number, organization, talks }
})

const everything = {
  statuses: null,
  assignee: null,
  unread: null,
  awaitingReply: null,
  priorities: null,
  labels: null,
  chatAccountId: null,
  contactId: null,
  words: null,
  sort: "createdAt"
} as const

describe("receiving on two processes", () => {
  it.effect(
    "causes no deadlock, loses nothing and counts right while the team works on the same people",
    () =>
      Effect.gen(function* () {
        const nodes = yield* givenNodes(2, 20)
        const [first = assert.fail()] = nodes
        const { number, organization, talks } = yield* given.pipe(Effect.provide(first))
        const at = yield* DateTime.now
        const event = (n: number): ReportedEvent => ({
          kind: "message",
          phoneId: number.externalPhoneId,
          id: `wamid.${n}`,
          at,
          from: { phone: phoneOf(n % people), chatUser: null, name: null },
          content: { kind: "text", text: "Hello" },
          replyTo: n >= people ? `wamid.${n - people}` : null,
          fromAdvertisement: false
        })
        const receive = (n: number) => {
          // Batches meet the same people in different orders.
          const batch = [event(n), event((n * 7) % reported), event((n * 11) % reported)]
          return applyReportedEvents(n % 2 === 0 ? batch : batch.toReversed())
        }
        const work = (n: number) => {
          const { contact, conversation } = talks[n % people] ?? assert.fail()
          const other = talks[(n + 1) % people] ?? assert.fail()
          return Effect.gen(function* () {
            switch (n % 8) {
              case 0:
                return yield* wakeSnoozed
              case 1:
                return yield* sendMessage({ id: conversation.id, kind: "text", text: "We have" })
              case 2:
                return yield* resolveConversation({ id: conversation.id })
              case 3:
                return yield* readConversation({ id: conversation.id })
              case 4:
                return yield* reopenConversation({ id: conversation.id })
              case 5:
                return yield* updateContact({ id: contact.id, name: `Somebody ${n}`, ifVersion: null })
              case 6:
                return yield* mergeContacts({ id: contact.id, contactId: other.contact.id, ifVersion: null })
              default:
                return n === 7 ? yield* deleteContact({ id: contact.id, ifVersion: null }) : yield* wakeSnoozed
            }
          })
        }
        const results = yield* onAll(
          nodes,
          2 * reported + 120,
          Effect.fnUntraced(function* (n) {
            if (n >= 2 * reported)
              return yield* Effect.exit(Effect.ignore(work(n - 2 * reported)).pipe(asOperatorOf(organization)))
            // A call that lost a race is retried, as the delivery workers do.
            const received = receive(n % reported).pipe(Effect.sandbox, Effect.retry({ times: 20 }))
            return yield* Effect.exit(asOperatorOf(organization)(received))
          })
        )
        assert.deepStrictEqual(
          results.filter(({ _tag }) => _tag === "Failure"),
          []
        )
        yield* Effect.gen(function* () {
          const conversations = yield* Conversations
          const messages = yield* Messages
          // The deleted contact has written again.
          yield* applyReportedEvents(Array.from({ length: reported }, (_, n) => event(n)))
          const { rows } = yield* conversations.list(everything, { limit: 1_000, after: null })
          const seen: Array<string | null> = []
          for (const { conversation } of rows) {
            const written = yield* messages.list(conversation.id, { limit: 1_000, after: null })
            const inbound = written.filter(({ direction }) => direction === "inbound")
            seen.push(...inbound.map(({ providerMessageId }) => providerMessageId))
            assert.strictEqual(conversation.inboundCount, inbound.length)
            assert.isAtMost(conversation.readCount, conversation.inboundCount)
            const ids = new Map(inbound.map(({ id, providerMessageId }) => [providerMessageId, id]))
            for (const { providerMessageId, replyToId } of inbound) {
              const n = Number(providerMessageId?.slice("wamid.".length))
              assert.strictEqual(replyToId, ids.get(`wamid.${n - people}`) ?? null)
            }
          }
          assert.sameMembers(
            seen,
            Array.from({ length: reported }, (_, n) => `wamid.${n}`)
          )
          const sql = yield* SqlClient.SqlClient
          const [row] = yield* sql<{ readonly deadlocks: string }>`
            SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`
          assert.strictEqual(Number(row?.deadlocks), 0)
        }).pipe(asOperatorOf(organization), Effect.provide(first))
      }),
    slow
  )
})
