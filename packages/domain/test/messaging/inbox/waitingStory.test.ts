import { assert, describe } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import { updateContact } from "@parley/domain/crm"
import {
  type ConversationId,
  getConversation,
  listConversations,
  reopenConversation,
  resolveConversation,
  sendMessage,
  unreadConversation,
  Waits
} from "@parley/domain/messaging"
import { sendDueMessages } from "@parley/domain/composition"
import { applyReportedEvents, asOperatorOf, givenOrganization, MemoryChat, type ReportedEvent } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { eventsIn, givenChatAccount, test } from "./given.ts"

const phone = "+491701234561"

const given = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const { externalPhoneId: phoneId } = yield* givenChatAccount(organization)
  let count = 0
  const tell = (...events: ReadonlyArray<ReportedEvent>) => applyReportedEvents(events).pipe(asOperatorOf(organization))
  const hear = Effect.fnUntraced(function* (text: string) {
    count += 1
    yield* tell({
      kind: "message",
      phoneId,
      id: `wamid.in.${count}`,
      at: yield* DateTime.now,
      from: { phone, chatUser: null, name: "Ada" },
      content: { kind: "text", text },
      replyTo: null,
      fromAdvertisement: false
    })
  })
  const fail = Effect.fnUntraced(function* (reference: string) {
    const sent = yield* (yield* MemoryChat.ChatScript).sent
    const { providerMessageId: id = "" } = sent.find(({ message }) => message.reference === reference) ?? {}
    yield* tell({
      kind: "receipt",
      phoneId,
      id,
      at: yield* DateTime.now,
      status: "failed",
      to: { phone, chatUser: null },
      reference,
      error: { code: 131_026, reason: "Undeliverable", remedy: "skip_recipient" }
    })
  })
  yield* hear("Do you have bread?")
  const { data } = yield* listConversations({ page: { limit: 5, cursor: null } }).pipe(asOperatorOf(organization))
  const id = data[0]?.id ?? assert.fail()
  return { organization, hear, fail, id, contactId: data[0]?.contact.id ?? assert.fail() }
})

const shown = (organization: Organization, id: ConversationId) =>
  Effect.map(getConversation({ id }).pipe(asOperatorOf(organization)), (conversation) => {
    const { firstRepliedAt, status, unreadCount, version, waitingSince } = conversation
    return { firstRepliedAt, status, unreadCount, version, waitingSince }
  })

const answer = (organization: Organization, id: ConversationId) =>
  sendMessage({ id, kind: "text", text: "We do." }).pipe(asOperatorOf(organization))

const minute = TestClock.adjust("1 minute")

describe("a contact who has written", () => {
  test("waits until an answer is accepted, and again where that answer fails", () =>
    Effect.gen(function* () {
      const { fail, hear, id, organization } = yield* given
      const since = yield* DateTime.now
      yield* minute
      yield* hear("Rye, please.")
      assert.deepInclude(yield* shown(organization, id), { waitingSince: since, firstRepliedAt: null, unreadCount: 2 })
      yield* minute
      const first = yield* answer(organization, id)
      const written = yield* shown(organization, id)
      assert.deepInclude(written, { waitingSince: since, firstRepliedAt: null, unreadCount: 0 })
      yield* minute
      yield* sendDueMessages
      const accepted = yield* DateTime.now
      assert.deepStrictEqual(yield* shown(organization, id), {
        ...written,
        waitingSince: null,
        firstRepliedAt: accepted
      })
      const second = yield* answer(organization, id)
      yield* minute
      yield* sendDueMessages
      const later = yield* DateTime.now
      yield* minute
      yield* fail(first.id)
      assert.deepInclude(yield* shown(organization, id), { waitingSince: null, firstRepliedAt: later })
      yield* fail(second.id)
      assert.deepInclude(yield* shown(organization, id), { waitingSince: since, firstRepliedAt: null })
      const result = (yield* eventsIn(organization)).filter(
        (event) => event.type === "conversation.updated" && JSON.stringify(event).includes('"waitingSince"')
      )
      assert.strictEqual(result.length, 3)
    }))

  test("does not wait after the conversation is resolved or the contact blocked", () =>
    Effect.gen(function* () {
      const { contactId, fail, hear, id, organization } = yield* given
      const opened = yield* DateTime.now
      const first = yield* answer(organization, id)
      yield* sendDueMessages
      yield* minute
      yield* resolveConversation({ id }).pipe(asOperatorOf(organization))
      const resolved = yield* DateTime.now
      yield* fail(first.id)
      assert.deepInclude(yield* shown(organization, id), {
        status: "resolved",
        waitingSince: null,
        firstRepliedAt: null
      })
      yield* minute
      yield* reopenConversation({ id }).pipe(asOperatorOf(organization))
      const reopened = yield* DateTime.now
      assert.deepInclude(yield* shown(organization, id), { status: "open", waitingSince: null })
      yield* hear("Hello?")
      assert.deepInclude(yield* shown(organization, id), { waitingSince: reopened })
      const waiting = listConversations({
        awaitingReply: true,
        sort: "waitingSince",
        page: { limit: 5, cursor: null }
      }).pipe(
        asOperatorOf(organization),
        Effect.map(({ data }) => data.map((each) => each.id))
      )
      assert.deepStrictEqual(yield* waiting, [id])
      yield* updateContact({ id: contactId, blocked: true, ifVersion: null }).pipe(asOperatorOf(organization))
      assert.deepInclude(yield* shown(organization, id), { status: "open", waitingSince: null })
      yield* hear("Anybody?")
      assert.deepStrictEqual(yield* waiting, [])
      const episodes = yield* transact(Effect.flatMap(Waits, (waits) => waits.episodes(id))).pipe(
        asOperatorOf(organization)
      )
      assert.deepStrictEqual(
        episodes.map(({ number, resolvedAt, resolvedBy, startedAt }) => [
          number,
          startedAt,
          resolvedAt,
          resolvedBy?.kind ?? null
        ]),
        [
          [1, opened, resolved, "operator"],
          [2, reopened, null, null]
        ]
      )
    }))

  test("is read after an answer, and unread on request", () =>
    Effect.gen(function* () {
      const { id, organization } = yield* given
      const unread = Effect.map(shown(organization, id), ({ unreadCount }) => unreadCount)
      assert.strictEqual(yield* unread, 1)
      yield* unreadConversation({ id }).pipe(asOperatorOf(organization))
      assert.strictEqual(yield* unread, 1)
      yield* answer(organization, id)
      assert.strictEqual(yield* unread, 0)
      yield* unreadConversation({ id }).pipe(asOperatorOf(organization))
      assert.strictEqual(yield* unread, 1)
    }))
})
