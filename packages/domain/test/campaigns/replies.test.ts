import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { getContact, updateContact } from "@parley/domain/crm"
import {
  type InboundContent,
  listMessages,
  MessageId,
  Messages,
  type TemplateComponents
} from "@parley/domain/messaging"
import {
  type Broadcast,
  Broadcasts,
  CampaignEvent,
  getBroadcast,
  readBroadcastReport,
  recipientIdAt,
  RecipientLedger,
  type RecipientOutcome,
  recipientPrefix,
  RecipientReplies,
  updateBroadcastSettings
} from "@parley/domain/campaigns"
import { applyReportedEvents, asOperatorOf, givenContact, givenOrganization, type ReportedEvent } from "@parley/testkit"
import { newBroadcast } from "@parley/testkit/contracts"
import { DateTime, Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { givenTemplate } from "./given.ts"
import { eventsIn, givenChatAccount, test } from "../messaging/inbox/given.ts"

const isCampaignEvent = Schema.is(CampaignEvent)

const phone = "+491701234561"
const dawn = DateTime.makeUnsafe("2026-03-01T06:00:00Z")
const at = (seconds: number) => DateTime.add(dawn, { seconds })

/** Broadcasts that a contact has got, one after the other, a minute apart. */
const given = Effect.fnUntraced(function* (
  count = 1,
  overrides: Partial<Broadcast> = {},
  outcomeOf: (index: number) => RecipientOutcome = (index) => ({ kind: "sent", providerMessageId: `wamid.b${index}` }),
  components: Partial<TemplateComponents> = {}
) {
  yield* TestClock.setTime(DateTime.toEpochMillis(at(10 * 86_400)))
  const organization = yield* givenOrganization({ plan: "scale" })
  const account = yield* givenChatAccount(organization)
  const template = yield* givenTemplate(organization, account, {
    components: { body: { text: "Hello {{1}}!", examples: { "1": "Ada" } }, ...components }
  })
  const { id: contactId } = yield* givenContact(organization, { phone })
  const ledger = yield* RecipientLedger
  const broadcasts = yield* Effect.forEach(
    Array.from({ length: count }, (_, index) => index),
    Effect.fnUntraced(function* (index) {
      const broadcast = newBroadcast({
        status: "sending",
        chatAccountId: account.id,
        templateId: template.id,
        startedAt: dawn,
        ...overrides
      })
      const { id } = broadcast
      const window = {
        id: SecureRandom.uuidV7Unsafe(),
        broadcastId: id,
        fence: 1,
        claimedAt: at(60 * index),
        calls: [{ seq: 1, contactId, values: { "body.1": "Ana" } }]
      }
      const outcome = outcomeOf(index)
      yield* Effect.gen(function* () {
        yield* (yield* Broadcasts).insert(broadcast)
        const address = { kind: "phone", value: phone } as const
        yield* ledger.list(id, [{ contactId, address, variant: null, dueAt: null, left: null }])
        yield* ledger.begin({ revision: 0, mark: 1, window, excluded: [], postponed: [] })
        yield* ledger.settle(id, [{ windowId: window.id, seq: 1, at: at(60 * index), outcome }])
      }).pipe(transact, asOperatorOf(organization))
      return { id, messageId: recipientIdAt(recipientPrefix(id), 1) }
    })
  )
  const within = asOperatorOf(organization)
  let result = 0
  const write = (seconds: number, content: InboundContent, replyTo: string | null = null) => {
    const event: ReportedEvent = {
      kind: "message",
      phoneId: account.externalPhoneId,
      id: `wamid.${(result += 1)}`,
      at: at(seconds),
      from: { phone, chatUser: null, name: null },
      content,
      replyTo,
      fromAdvertisement: false
    }
    return within(applyReportedEvents([event]))
  }
  const tell = (...events: ReadonlyArray<ReportedEvent>) => within(applyReportedEvents(events))
  const answers = Effect.map(
    within(Effect.flatMap(RecipientReplies, (port) => transact(port.lock(account.id, [contactId])))),
    (rows) =>
      broadcasts.map(({ id }) => {
        const row = rows.find(({ broadcastId }) => broadcastId === id)
        return {
          repliedAt: row?.repliedAt ?? null,
          optedOutAt: row?.optedOutAt ?? null,
          conversationId: row?.conversationId
        }
      })
  )
  const events = Effect.map(eventsIn(organization), (all) =>
    all.filter(isCampaignEvent).filter(({ type }) => type === "broadcast.replied" || type === "broadcast.opted_out")
  )
  return { account, answers, broadcasts, contactId, events, organization, tell, within, write }
})

const text = (text: string): InboundContent => ({ kind: "text", text: text })

test("a reply counts that comes while its message is in hand, and what came of the call is stored later", () =>
  Effect.gen(function* () {
    const { answers, broadcasts, contactId, events, within, write } = yield* given(1, {}, () => ({
      kind: "pending",
      dueAt: dawn,
      counts: false
    }))
    const [{ id: broadcastId } = assert.fail()] = broadcasts
    const ledger = yield* RecipientLedger
    const calls = [{ seq: 1, contactId, values: {} }]
    const window = { id: SecureRandom.uuidV7Unsafe(), broadcastId, fence: 1, claimedAt: at(100), calls }
    yield* within(transact(ledger.begin({ revision: 0, mark: 1, window, excluded: [], postponed: [] })))
    yield* write(100, text("Yes"))
    assert.strictEqual((yield* events).length, 1)
    const outcome = { kind: "sent", providerMessageId: "wamid.b0" } as const
    yield* within(transact(ledger.settle(broadcastId, [{ windowId: window.id, seq: 1, at: at(101), outcome }])))
    assert.deepStrictEqual(yield* answers, [{ repliedAt: at(100), optedOutAt: null, conversationId: null }])
    const { funnel } = yield* within(readBroadcastReport({ id: broadcastId }))
    assert.deepStrictEqual([funnel.accepted, funnel.replied], [1, 1])
    yield* write(200, text("And more"))
    assert.strictEqual((yield* events).length, 1)
  }))

test("the first message after it is the reply, and the conversation has the broadcast's message before it", () =>
  Effect.gen(function* () {
    const { account, answers, broadcasts, contactId, events, organization, tell, within, write } = yield* given()
    const [{ id, messageId } = assert.fail()] = broadcasts
    yield* write(60, { kind: "interactive", id: "yes", title: "Yes, please" })
    yield* write(70, text("And one more thing"))
    const [answer] = yield* answers
    assert.deepStrictEqual([answer?.repliedAt, answer?.optedOutAt], [at(60), null])
    const replied = yield* events
    assert.deepStrictEqual(
      replied.map((event) => ({ ...event, messageId: null })),
      [{ type: "broadcast.replied", broadcastId: id, contactId, messageId: null }]
    )
    const conversationId = answer?.conversationId ?? assert.fail()
    const list = within(Effect.orDie(listMessages({ id: conversationId, page: { limit: 10, cursor: null } })))
    const { data } = yield* list
    assert.deepStrictEqual(
      data.map(({ author, status, text: input }) => [author.kind, status, input !== null]),
      [
        ["contact", "received", true],
        ["contact", "received", true],
        ["broadcast", "sent", true]
      ]
    )
    assert.deepStrictEqual(String(data.at(-1)?.id), messageId)
    assert.deepStrictEqual({ ...data.at(-1)?.template?.values }, { "body.1": "Ana" })
    yield* tell({
      kind: "receipt",
      phoneId: account.externalPhoneId,
      id: "wamid.b0",
      at: at(65),
      status: "read",
      to: { phone, chatUser: null },
      reference: messageId,
      error: null
    })
    assert.strictEqual((yield* list).data.at(-1)?.status, "read")
    assert.notInclude(
      (yield* eventsIn(organization)).map(({ type }) => type),
      "message.status_changed"
    )
  }))

test("a message answers the broadcast that it quotes, else the last one, while that is not too long ago", () =>
  Effect.gen(function* () {
    const { answers, write } = yield* given(2, { replyHours: 1 })
    yield* write(59, text("Before the last one"))
    assert.deepStrictEqual(
      (yield* answers).map(({ repliedAt }) => repliedAt),
      [at(59), null]
    )
    yield* write(60 + 3_600, text("Too late"))
    assert.deepStrictEqual(
      (yield* answers).map(({ repliedAt }) => repliedAt),
      [at(59), null]
    )
    yield* write(7_200, text("About this one"), "wamid.b1")
    assert.deepStrictEqual(
      (yield* answers).map(({ repliedAt }) => repliedAt),
      [at(59), at(7_200)]
    )
    // The earlier message that arrives later is the first reply.
    yield* write(90, text("In time"))
    assert.deepStrictEqual(
      (yield* answers).map(({ repliedAt }) => repliedAt),
      [at(59), at(90)]
    )
  }))

test("opt-outs and reactions are no replies", () =>
  Effect.gen(function* () {
    const { answers, broadcasts, contactId, events, write } = yield* given(2)
    yield* write(70, { kind: "reaction", to: "wamid.b1", emoji: "👍" })
    yield* write(80, text("stop"))
    assert.deepStrictEqual(
      (yield* answers).map(({ optedOutAt, repliedAt }) => [repliedAt, optedOutAt]),
      [
        [null, null],
        [null, at(80)]
      ]
    )
    assert.deepStrictEqual(
      (yield* events).map((event) => ({ ...event, messageId: null })),
      [{ type: "broadcast.opted_out", broadcastId: broadcasts[1]?.id ?? assert.fail(), contactId, messageId: null }]
    )
  }))

test("nothing is joined where the contact was sent no broadcast", () =>
  Effect.gen(function* () {
    const { account, organization, tell } = yield* given(0)
    yield* tell({
      kind: "message",
      phoneId: account.externalPhoneId,
      id: "wamid.x",
      at: at(1),
      from: { phone, chatUser: null, name: null },
      content: text("Hello"),
      replyTo: null,
      fromAdvertisement: false
    })
    const query = { words: [], conversationId: null, contactId: null, direction: null, from: null, to: null }
    const found = Effect.flatMap(Messages, (messages) => messages.search(query, { limit: 9, after: null }))
    assert.lengthOf((yield* found.pipe(asOperatorOf(organization))).rows, 1)
  }))

test("a reply to a message in doubt counts, and only a receipt settles it", () =>
  Effect.gen(function* () {
    const { account, answers, broadcasts, tell, within, write } = yield* given(1, {}, () => ({ kind: "in_doubt" }))
    const [{ id, messageId } = assert.fail()] = broadcasts
    yield* write(60, text("Yes, please"))
    const [answer] = yield* answers
    assert.deepStrictEqual(answer?.repliedAt, at(60))
    const conversationId = answer?.conversationId ?? assert.fail()
    const first = Effect.map(
      within(Effect.orDie(listMessages({ id: conversationId, page: { limit: 10, cursor: null } }))),
      ({ data }) => data.at(-1)
    )
    const stats = Effect.map(within(Effect.orDie(getBroadcast({ id }))), (broadcast) => broadcast.stats)
    const before = yield* first
    assert.deepStrictEqual([before?.author.kind, before?.status, before?.sentAt], ["broadcast", "in_doubt", null])
    assert.strictEqual((yield* stats).inDoubt, 1)
    yield* tell({
      kind: "receipt",
      phoneId: account.externalPhoneId,
      id: "wamid.late",
      at: at(65),
      status: "delivered",
      to: { phone, chatUser: null },
      reference: messageId,
      error: null
    })
    assert.strictEqual((yield* first)?.status, "delivered")
    assert.deepStrictEqual([(yield* stats).inDoubt, (yield* stats).delivered], [0, 1])
  }))

test("an opt-out gets one confirmation in the contact's language, else in the organization's", () =>
  Effect.gen(function* () {
    const { contactId, organization, within, write } = yield* given()
    const optOutReply = { de: "Abgemeldet.", [organization.locale]: "You get no more of these." }
    yield* updateBroadcastSettings({ optOutReply, ifVersion: null }).pipe(within)
    const replies = Effect.gen(function* () {
      const query = { words: [], conversationId: null, contactId, direction: "outbound", from: null, to: null } as const
      const { rows } = yield* (yield* Messages).search(query, { limit: 9, after: null })
      return rows.flatMap(({ message: { author, status, text } }) =>
        author.kind === "automation" ? [[text, status]] : []
      )
    }).pipe(within)
    // The window of a day ends now.
    const later = (hours: number) => 10 * 86_400 - 3_600 * hours
    yield* write(later(5), text("stop"))
    yield* write(later(4), text("STOP!"))
    assert.deepStrictEqual(yield* replies, [["You get no more of these.", "queued"]])
    yield* write(later(3), text("start"))
    yield* updateContact({ id: contactId, locale: "de-AT", ifVersion: null }).pipe(within)
    yield* write(later(2), text("stop"))
    assert.sameDeepMembers(
      (yield* replies).map(([input]) => input),
      ["You get no more of these.", "Abgemeldet."]
    )
  }))

test("a receipt reports an opt-out at the provider once", () =>
  Effect.gen(function* () {
    const { account, answers, broadcasts, contactId, events, tell, within } = yield* given()
    const [{ id, messageId } = assert.fail()] = broadcasts
    const receipt: ReportedEvent = {
      kind: "receipt",
      phoneId: account.externalPhoneId,
      id: "wamid.b0",
      at: at(65),
      status: "failed",
      to: { phone, chatUser: null },
      reference: messageId,
      error: { code: 131_050, reason: "No more marketing", remedy: "opt_out" }
    }
    yield* tell(receipt)
    yield* tell(receipt)
    assert.deepStrictEqual(
      (yield* answers).map(({ optedOutAt }) => optedOutAt),
      [at(65)]
    )
    assert.deepStrictEqual(yield* events, [
      { type: "broadcast.opted_out", broadcastId: id, contactId, messageId: MessageId.make(messageId) }
    ])
    const { consent } = yield* getContact({ id: contactId }).pipe(within)
    assert.deepStrictEqual([consent.marketing, consent.source], ["unsubscribed", "chat_refusal"])
    assert.strictEqual((yield* readBroadcastReport({ id }).pipe(within)).funnel.optedOut, 1)
  }))

test("a tap on a button of the broadcast counts, and no other tap", () =>
  Effect.gen(function* () {
    const { broadcasts, within, write } = yield* given(1, {}, undefined, {
      buttons: [
        { type: "quick_reply", text: "Show me" },
        { type: "quick_reply", text: "Stop" }
      ]
    })
    const [{ id } = assert.fail()] = broadcasts
    const tap = (title: string): InboundContent => ({ kind: "interactive", id: title, title })
    yield* write(60, tap("Show me"), "wamid.b0")
    yield* write(61, tap("Show me"), "wamid.b0")
    yield* write(62, tap("Stop"), "wamid.b0")
    yield* write(63, tap("Something else"), "wamid.b0")
    yield* write(64, tap("Show me"), "wamid.of.another.message")
    yield* write(65, text("Show me"), "wamid.b0")
    const { taps, variants } = yield* within(Effect.orDie(readBroadcastReport({ id })))
    assert.deepStrictEqual({ ...taps }, { "Show me": 2, Stop: 1 })
    assert.isNull(variants)
  }))
