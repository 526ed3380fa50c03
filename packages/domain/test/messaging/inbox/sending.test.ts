import { assert, describe } from "@effect/vitest"
import { Ids, transact, UnitOfWork } from "@parley/domain/kernel"
import { FileId, Files, LaneQueue, type Organization, runLanes, Shards } from "@parley/domain/platform"
import { createContact, getContact, updateContact } from "@parley/domain/crm"
import {
  ChannelInDoubt,
  ChannelUnreachable,
  type ChatAccount,
  ChatAccounts,
  Conversation,
  Conversations,
  createMessageTemplate,
  Media,
  MediaId,
  MediaLibrary,
  type Message,
  Messages,
  type Remedy,
  retryMessage,
  SendQueue,
  sendTask,
  submitMessageTemplate,
  TemplateFileId,
  TemplateSyncs
} from "@parley/domain/messaging"
import { layerBulkSender } from "@parley/domain/campaigns"
import { type Ports, sendDueMessages } from "@parley/domain/composition"
import { applyReportedEvents, asOperatorOf, givenContact, givenOrganization, MemoryChat } from "@parley/testkit"
import { DateTime, Deferred, Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import {
  alone,
  eventsIn,
  givenChatAccount,
  givenConversation,
  givenQueued,
  givenTalk,
  readMessage,
  test
} from "./given.ts"
import { crashAt, runOut } from "./crashing.ts"

const given = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const account = yield* givenChatAccount(organization)
  return { organization, account, ...(yield* givenTalk(organization, account)) }
})

const script = MemoryChat.ChatScript

const sentReferences = Effect.map(
  Effect.flatMap(script, ({ sent }) => sent),
  (sent) => sent.map(({ message }) => message.reference)
)

const refuse = (remedy: Remedy, code = 1, to?: string) =>
  Effect.flatMap(script, ({ next }) => next({ kind: "refused", code, remedy }, to))

/** Senders that look again and again, for so long. */
const sendFor = Effect.fnUntraced(function* (seconds: number) {
  for (let second = 0; second < seconds; second += 1) {
    yield* sendDueMessages
    yield* TestClock.adjust("1 second")
  }
})

const changesOf = (organization: Organization, { id }: Message) =>
  Effect.map(eventsIn(organization), (events) =>
    events.flatMap((event) =>
      event.type === "message.status_changed" && event.messageId === id ? [`${event.from} ${event.to}`] : []
    )
  )

const megabyte = 1024 * 1024

describe("sending", () => {
  test("passes a message to the provider once and stores its provider id", () =>
    Effect.gen(function* () {
      const { account, conversation, organization, phone } = yield* given
      const message = yield* givenQueued(organization, conversation)
      yield* sendDueMessages
      yield* sendDueMessages
      const sent = yield* (yield* script).sent
      assert.deepStrictEqual(
        sent.map(({ line, message }) => ({ phoneId: line.phoneId, ...message })),
        [
          {
            phoneId: account.externalPhoneId,
            to: { kind: "phone", value: phone },
            content: { kind: "text", text: "Hello" },
            replyTo: null,
            reference: message.id
          }
        ]
      )
      const after = yield* readMessage(organization, message)
      assert.deepStrictEqual([after.status, after.providerMessageId], ["sent", sent[0]?.providerMessageId])
      assert.deepStrictEqual(after.sentAt, yield* DateTime.now)
      assert.deepStrictEqual(yield* changesOf(organization, message), ["queued sent"])
    }))

  test("keeps the order of a conversation, also when one message waits", () =>
    Effect.gen(function* () {
      const { conversation, organization } = yield* given
      const first = yield* givenQueued(organization, conversation, { text: "1" })
      const second = yield* givenQueued(organization, conversation, { text: "2" })
      yield* (yield* script).next({ kind: "unreachable" })
      yield* sendDueMessages
      assert.deepStrictEqual(yield* sentReferences, [])
      yield* sendFor(5)
      assert.deepStrictEqual(yield* sentReferences, [first.id, second.id])
    }))

  test("lets other conversations continue", () =>
    Effect.gen(function* () {
      const { account, conversation, organization, phone } = yield* given
      const other = yield* givenTalk(organization, account)
      for (let time = 0; time < 3; time += 1) yield* refuse("delay_recipient", 131_056, phone)
      const slow = yield* givenQueued(organization, conversation)
      const quick = yield* givenQueued(organization, other.conversation)
      yield* sendDueMessages
      assert.deepStrictEqual(yield* sentReferences, [quick.id])
      // The delays are 1, 4 and 16 seconds, each with jitter.
      yield* sendFor(20)
      assert.deepStrictEqual(yield* sentReferences, [quick.id])
      yield* sendFor(15)
      assert.deepStrictEqual(yield* sentReferences, [quick.id, slow.id])
    }))

  test("shows the reason and the next attempt of a message that the provider delays, until it is sent", () =>
    Effect.gen(function* () {
      const { conversation, organization, phone } = yield* given
      yield* refuse("delay_recipient", 131_056, phone)
      const message = yield* givenQueued(organization, conversation)
      yield* sendDueMessages
      const { error, status } = yield* readMessage(organization, message)
      assert.deepStrictEqual([status, error?.code, error?.providerCode], ["queued", "recipient_busy", 131_056])
      const dueAt = DateTime.toEpochMillis(DateTime.makeUnsafe(error?.dueAt ?? ""))
      const wait = dueAt - DateTime.toEpochMillis(yield* DateTime.now)
      assert.isTrue(wait >= 1_000 && wait <= 1_500, String(wait))
      yield* sendFor(5)
      const after = yield* readMessage(organization, message)
      assert.deepStrictEqual([after.status, after.error], ["sent", null])
    }))

  test("sends a burst to one recipient, then holds the next one back without a call until the burst is repaid", () =>
    Effect.gen(function* () {
      const { account, conversation, organization } = yield* given
      const other = yield* givenTalk(organization, account)
      const { sending } = yield* MemoryChat.whole
      const sendLimited = sendDueMessages.pipe(
        MemoryChat.through({ sending: { ...sending, pairLimit: { burst: 3, intervalMillis: 6_000 } } })
      )
      const messages = yield* Effect.forEach([1, 2, 3, 4, 5], (text) =>
        givenQueued(organization, conversation, { text: String(text) })
      )
      const quick = yield* givenQueued(organization, other.conversation)
      yield* sendLimited
      const burst = messages.slice(0, 3).map(({ id }) => id)
      assert.sameMembers(yield* sentReferences, [...burst, quick.id])
      const [, , , fourth = assert.fail(), fifth = assert.fail()] = messages
      const { error, status } = yield* readMessage(organization, fourth)
      assert.deepStrictEqual([status, error?.code, error?.providerCode], ["queued", "recipient_busy", null])
      const until = DateTime.add(yield* DateTime.now, { seconds: 18 })
      assert.strictEqual(error?.dueAt, DateTime.formatIso(until))
      yield* TestClock.adjust("17 seconds")
      yield* sendLimited
      assert.lengthOf(yield* sentReferences, 4)
      yield* TestClock.adjust("1 second")
      yield* sendLimited
      assert.deepStrictEqual((yield* sentReferences).slice(4), [fourth.id, fifth.id])
      const after = yield* readMessage(organization, fourth)
      assert.deepStrictEqual([after.status, after.error], ["sent", null])
    }))

  test("tries five times what was certainly not sent, and then says that it has failed", () =>
    Effect.gen(function* () {
      const { conversation, organization } = yield* given
      const message = yield* givenQueued(organization, conversation)
      for (let time = 0; time < 5; time += 1) yield* refuse("retry", 131_000)
      yield* sendFor(60)
      const { error, providerMessageId, status } = yield* readMessage(organization, message)
      assert.deepStrictEqual([status, error?.code, error?.providerCode], ["failed", "provider_unavailable", 131_000])
      assert.isNull(providerMessageId)
      // All five were used up.
      const next = yield* givenQueued(organization, conversation)
      yield* sendDueMessages
      assert.deepStrictEqual(yield* sentReferences, [next.id])
    }))

  test("waits as long as the provider asks for", () =>
    Effect.gen(function* () {
      const { conversation, organization } = yield* given
      yield* givenQueued(organization, conversation)
      yield* (yield* script).next({ kind: "refused", code: 4, remedy: "slow_down", retryAfterMillis: 30_000 })
      yield* sendFor(30)
      assert.isEmpty(yield* sentReferences)
      yield* sendFor(20)
      assert.lengthOf(yield* sentReferences, 1)
    }))

  for (const [remedy, code] of [
    ["skip_recipient", "recipient_unreachable"],
    ["skip_for_now", "recipient_limit_reached"],
    ["needs_template", "service_window_closed"],
    ["refresh_template", "template_mismatch"],
    ["give_up", "refused"]
  ] as const) {
    test(`fails at once where another try is of no use: ${remedy}`, () =>
      Effect.gen(function* () {
        const { account, conversation, organization } = yield* given
        const message = yield* givenQueued(organization, conversation)
        yield* refuse(remedy, 7)
        yield* sendFor(60)
        const { error, failedAt, status } = yield* readMessage(organization, message)
        assert.deepStrictEqual({ ...error }, { code, providerCode: 7, reason: "This was asked for." })
        assert.strictEqual(status, "failed")
        assert.isNotNull(failedAt)
        assert.isEmpty(yield* sentReferences)
        const { status: standing } = yield* (yield* ChatAccounts).get(account.id).pipe(asOperatorOf(organization))
        assert.strictEqual(standing, "connected")
      }))
  }

  for (const [remedy, standing, code] of [
    ["stop_account", "degraded", "chat_account_stopped"],
    ["reauthorize", "disconnected", "chat_account_unauthorized"]
  ] as const) {
    test(`marks the account where the provider refuses all of it: ${remedy}`, () =>
      Effect.gen(function* () {
        const { account, conversation, organization } = yield* given
        const message = yield* givenQueued(organization, conversation)
        yield* refuse(remedy, 42)
        yield* sendDueMessages
        assert.strictEqual((yield* readMessage(organization, message)).error?.code, code)
        const after = yield* (yield* ChatAccounts).get(account.id).pipe(asOperatorOf(organization))
        assert.deepStrictEqual(
          [after.status, { ...after.lastError }],
          [standing, { code: 42, reason: "This was asked for." }]
        )
      }))
  }

  test("fetches the templates again after a template mismatch", () =>
    Effect.gen(function* () {
      const { account, conversation, organization } = yield* given
      yield* givenQueued(organization, conversation)
      yield* refuse("refresh_template", 132_001)
      yield* sendDueMessages
      const due = (yield* TemplateSyncs).nextDue(account.id).pipe(asOperatorOf(organization))
      assert.deepStrictEqual(yield* due, DateTime.add(yield* DateTime.now, { seconds: 5 }))
    }))

  test("unsubscribes recipients without marketing consent at the provider", () =>
    Effect.gen(function* () {
      const { contact, conversation, organization } = yield* given
      yield* givenQueued(organization, conversation)
      yield* refuse("opt_out", 131_050)
      yield* sendDueMessages
      const { consent } = yield* getContact({ id: contact.id }).pipe(asOperatorOf(organization))
      assert.deepStrictEqual([consent.marketing, consent.source], ["unsubscribed", "chat_refusal"])
    }))

  test("does not know the result of a call without an answer, and does not repeat it", () =>
    Effect.gen(function* () {
      for (const taken of [true, false]) {
        const { conversation, organization } = yield* given
        const message = yield* givenQueued(organization, conversation)
        yield* (yield* script).next({ kind: "in_doubt", taken })
        yield* sendFor(30)
        assert.strictEqual((yield* readMessage(organization, message)).status, "in_doubt")
        const mine = (yield* sentReferences).filter((reference) => reference === message.id)
        assert.lengthOf(mine, taken ? 1 : 0)
      }
    }))

  test("applies receipts that were quicker than the answer", () =>
    Effect.gen(function* () {
      const { account, conversation, organization } = yield* given
      const message = yield* givenQueued(organization, conversation)
      const at = yield* DateTime.now
      // The provider counts, so its next id is known.
      const probe = yield* givenTalk(organization, account)
      yield* givenQueued(organization, probe.conversation)
      yield* refuse("retry", 1, probe.phone)
      const channel = yield* MemoryChat.whole
      const early: MemoryChat.WholeChannel["sending"]["send"] = (line, outgoing) =>
        Effect.tap(channel.sending.send(line, outgoing), ({ providerMessageId }) =>
          transact(
            Effect.flatMap(Messages, (messages) =>
              messages.storeEarly(account.id, [{ providerMessageId, status: "delivered", at, error: null }], at)
            )
          ).pipe(asOperatorOf(organization), Effect.provideContext(outside))
        )
      const outside = yield* Effect.context<Messages | UnitOfWork>()
      yield* sendDueMessages.pipe(MemoryChat.through({ sending: { ...channel.sending, send: early } }))
      const after = yield* readMessage(organization, message)
      assert.deepStrictEqual([after.status, after.deliveredAt], ["delivered", at])
    }))

  test("has no state before its creation, regardless of the provider's clock", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 2, 1, 8, 0, 0, 700))
      const { account, conversation, organization } = yield* given
      const second = DateTime.makeUnsafe(Date.UTC(2026, 2, 1, 8))
      for (const [status, key] of [
        ["sent", "sentAt"],
        ["delivered", "deliveredAt"],
        ["read", "readAt"],
        ["failed", "failedAt"]
      ] as const) {
        const message = yield* givenQueued(organization, conversation)
        const receipt = {
          kind: "receipt",
          phoneId: account.externalPhoneId,
          id: `wamid.${status}`,
          at: second,
          status,
          to: { phone: null, chatUser: null },
          reference: message.id,
          error: null
        } as const
        yield* applyReportedEvents([receipt]).pipe(asOperatorOf(organization))
        assert.deepStrictEqual((yield* readMessage(organization, message))[key], message.createdAt)
      }
    }))

  test("is not told by a late receipt of an earlier sending that this one has failed", () =>
    Effect.gen(function* () {
      const { account, conversation, organization } = yield* given
      const message = yield* givenQueued(organization, conversation)
      const at = yield* DateTime.now
      const channel = yield* MemoryChat.whole
      const outside = yield* Effect.context<Ports>()
      const late: typeof channel.sending.send = (line, outgoing) =>
        Effect.tap(channel.sending.send(line, outgoing), () =>
          applyReportedEvents([
            {
              kind: "receipt",
              phoneId: account.externalPhoneId,
              id: "wamid.earlier",
              at,
              status: "failed",
              to: { phone: null, chatUser: null },
              reference: message.id,
              error: { code: 1, reason: "Not then.", remedy: "skip_recipient" }
            }
          ]).pipe(asOperatorOf(organization), Effect.orDie, Effect.provideContext(outside))
        )
      yield* sendDueMessages.pipe(MemoryChat.through({ sending: { ...channel.sending, send: late } }))
      const after = yield* readMessage(organization, message)
      assert.deepStrictEqual([after.status, after.error, after.failedAt], ["sent", null, null])
    }))

  test("retries a failed message despite late reports of the first attempt, unless it arrived", () =>
    Effect.gen(function* () {
      for (const late of ["sent", "failed", "delivered"] as const) {
        const { account, conversation: closed, organization } = yield* given
        const at = yield* DateTime.now
        const conversation = new Conversation({ ...closed, windowExpiresAt: DateTime.add(at, { hours: 1 }) })
        yield* transact(Effect.flatMap(Conversations, (all) => all.saveAll([conversation]))).pipe(
          asOperatorOf(organization)
        )
        const message = yield* givenQueued(organization, conversation, {
          status: "failed",
          providerMessageId: "wamid.earlier",
          failedAt: at,
          error: { code: "recipient_unreachable", providerCode: 1, reason: "Not then." }
        })
        // It was put into the queue as all are; the earlier sending took it out.
        yield* sendDueMessages
        yield* retryMessage({ id: conversation.id, messageId: message.id }).pipe(asOperatorOf(organization))
        yield* refuse("slow_down")
        yield* sendDueMessages
        const event = {
          kind: "receipt",
          phoneId: account.externalPhoneId,
          id: "wamid.earlier",
          at,
          status: late,
          to: { phone: null, chatUser: null },
          reference: message.id,
          error: late === "failed" ? ({ code: 1, reason: "Not then.", remedy: "skip_recipient" } as const) : null
        } as const
        yield* applyReportedEvents([event]).pipe(asOperatorOf(organization))
        yield* sendFor(10)
        const mine = (yield* sentReferences).filter((reference) => reference === message.id)
        const { status } = yield* readMessage(organization, message)
        assert.deepStrictEqual([late, status, mine.length], late === "delivered" ? [late, late, 0] : [late, "sent", 1])
      }
    }))

  test("keeps reports about a retried message that arrive before the provider's answer", () =>
    Effect.gen(function* () {
      const { account, conversation, organization } = yield* given
      const at = yield* DateTime.now
      const message = yield* givenQueued(organization, conversation, { providerMessageId: "wamid.earlier" })
      const channel = yield* MemoryChat.whole
      const outside = yield* Effect.context<Ports>()
      const quick: typeof channel.sending.send = (line, outgoing) =>
        Effect.tap(channel.sending.send(line, outgoing), ({ providerMessageId: id }) =>
          applyReportedEvents([
            {
              kind: "receipt",
              phoneId: account.externalPhoneId,
              id,
              at,
              status: "failed",
              to: { phone: null, chatUser: null },
              reference: message.id,
              error: { code: 7, reason: "Not now either.", remedy: "skip_recipient" }
            }
          ]).pipe(asOperatorOf(organization), Effect.orDie, Effect.provideContext(outside))
        )
      yield* sendDueMessages.pipe(MemoryChat.through({ sending: { ...channel.sending, send: quick } }))
      const { error, providerMessageId, status } = yield* readMessage(organization, message)
      const [sent] = yield* (yield* script).sent
      assert.deepStrictEqual([status, error?.providerCode, providerMessageId], ["failed", 7, sent?.providerMessageId])
    }))

  test("sends neither messages with a receipt nor expired messages", () =>
    Effect.gen(function* () {
      const { account, contact, conversation, organization } = yield* given
      const result = yield* givenQueued(organization, conversation, {
        status: "delivered",
        providerMessageId: "wamid.x"
      })
      yield* sendDueMessages
      assert.strictEqual((yield* readMessage(organization, result)).status, "delivered")
      const blocked = yield* givenQueued(organization, conversation)
      yield* updateContact({ id: contact.id, blocked: true, ifVersion: null }).pipe(asOperatorOf(organization))
      yield* sendDueMessages
      assert.strictEqual((yield* readMessage(organization, blocked)).error?.code, "contact_blocked")
      const nobody = yield* createContact({ name: "Nobody" }).pipe(asOperatorOf(organization))
      const silent = yield* givenConversation(organization, nobody, account)
      const unreachable = yield* givenQueued(organization, silent)
      yield* sendDueMessages
      assert.strictEqual((yield* readMessage(organization, unreachable)).error?.code, "contact_unreachable")
      assert.isEmpty(yield* sentReferences)
    }))

  test("sends to the provider's id without a phone number, and quotes the answered message", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const contact = yield* givenContact(organization, { identities: [{ kind: "chat_user", value: "DE.77" }] })
      const conversation = yield* givenConversation(organization, contact, account)
      const asked = yield* givenQueued(organization, conversation, {
        status: "delivered",
        providerMessageId: "wamid.q"
      })
      yield* sendDueMessages
      yield* givenQueued(organization, conversation, { replyToId: asked.id })
      yield* givenQueued(organization, conversation, { replyToId: asked.id, kind: "reaction", text: "👍" })
      yield* sendDueMessages
      const sent = (yield* (yield* script).sent).map(({ message: { content, replyTo, to } }) => ({
        content,
        replyTo,
        to
      }))
      const to = { kind: "chat_user" as const, value: "DE.77" }
      assert.deepStrictEqual(sent, [
        { to, replyTo: "wamid.q", content: { kind: "text", text: "Hello" } },
        { to, replyTo: null, content: { kind: "reaction", to: "wamid.q", emoji: "👍" } }
      ])
    }))

  test("has few large files in memory for any number of messages", () =>
    Effect.gen(function* () {
      const { account, conversation, organization } = yield* given
      const id = MediaId.make(yield* (yield* Ids).next)
      const fileId = FileId.make(yield* (yield* Ids).next)
      const about = { id, mimeType: "application/pdf", filename: "a.pdf" }
      const size = 60 * megabyte
      const createdAt = yield* DateTime.now
      const file = new Media({ ...about, kind: "document", size, state: "stored", fileId, remote: null, createdAt })
      yield* (yield* Files).write(fileId, Stream.succeed(new Uint8Array(3))).pipe(asOperatorOf(organization))
      yield* transact(Effect.flatMap(MediaLibrary, (library) => library.insert([file]))).pipe(
        asOperatorOf(organization)
      )
      const document = { kind: "document", text: null, media: about } as const
      yield* givenQueued(organization, conversation, document)
      for (let count = 1; count < 8; count += 1) {
        const other = yield* givenTalk(organization, account)
        yield* givenQueued(organization, other.conversation, document)
      }
      const channel = yield* MemoryChat.whole
      let held = 0
      let most = 0
      const uploadMedia = () =>
        Effect.acquireUseRelease(
          Effect.sync(() => {
            held += 1
            most = Math.max(most, held)
          }),
          () => Effect.as(Effect.yieldNow, "4711"),
          () => Effect.sync(() => (held -= 1))
        )
      yield* sendDueMessages.pipe(MemoryChat.through({ media: { ...channel.media, upload: uploadMedia } }))
      assert.lengthOf(yield* sentReferences, 8)
      assert.isAtMost(most, 3)
    }))

  test("hands a file to the provider before the message that carries it, and again if that was in vain", () =>
    Effect.gen(function* () {
      const { conversation, organization } = yield* given
      const bytes = new Uint8Array([1, 2, 3])
      const id = MediaId.make(yield* (yield* Ids).next)
      const fileId = FileId.make(yield* (yield* Ids).next)
      const about = { id, mimeType: "image/png", filename: "a.png" }
      const file = new Media({
        ...about,
        kind: "image",
        size: 3,
        state: "stored",
        fileId,
        remote: null,
        createdAt: yield* DateTime.now
      })
      yield* (yield* Files).write(fileId, Stream.succeed(bytes)).pipe(asOperatorOf(organization))
      yield* transact(Effect.flatMap(MediaLibrary, (library) => library.insert([file]))).pipe(
        asOperatorOf(organization)
      )
      const message = yield* givenQueued(organization, conversation, { kind: "image", text: "Look", media: about })
      const channel = yield* MemoryChat.whole
      const uploaded: Array<ReadonlyArray<number>> = []
      const uploadMedia: typeof channel.media.upload = (_, { bytes }) =>
        Effect.suspend(() => {
          uploaded.push([...bytes])
          return uploaded.length === 1 ? Effect.fail(new ChannelUnreachable()) : Effect.succeed("4711")
        })
      yield* sendFor(10).pipe(MemoryChat.through({ media: { ...channel.media, upload: uploadMedia } }))
      assert.deepStrictEqual(uploaded, [
        [1, 2, 3],
        [1, 2, 3]
      ])
      const [sent] = yield* (yield* script).sent
      assert.deepStrictEqual(sent?.message.content, {
        kind: "image",
        mediaId: "4711",
        caption: "Look",
        filename: "a.png"
      })
      assert.strictEqual((yield* readMessage(organization, message)).status, "sent")
      const lost = yield* givenQueued(organization, conversation, {
        kind: "image",
        media: { ...about, id: MediaId.make(yield* (yield* Ids).next) }
      })
      yield* sendDueMessages
      assert.strictEqual((yield* readMessage(organization, lost)).error?.code, "media_missing")
    }))

  test("gives the file in the header of a template the name that it has here", () =>
    Effect.gen(function* () {
      const { account, conversation, organization } = yield* given
      const inside = asOperatorOf(organization)
      const id = MediaId.make(yield* (yield* Ids).next)
      const fileId = FileId.make(yield* (yield* Ids).next)
      const file = new Media({
        id,
        kind: "document",
        mimeType: "application/pdf",
        filename: "invoice.pdf",
        size: 3,
        state: "stored",
        fileId,
        remote: null,
        createdAt: yield* DateTime.now
      })
      yield* (yield* Files).write(fileId, Stream.succeed(new Uint8Array(3))).pipe(inside)
      yield* transact(Effect.flatMap(MediaLibrary, (library) => library.insert([file]))).pipe(inside)
      const sample = TemplateFileId.make(id)
      const components = { header: { format: "document", mediaId: sample }, body: { text: "Your invoice." } } as const
      const draft = yield* createMessageTemplate({
        chatAccountId: account.id,
        name: "invoice",
        language: "en",
        category: "utility",
        components
      }).pipe(inside)
      const { language, name } = draft
      yield* submitMessageTemplate({ id: draft.id }).pipe(inside)
      yield* (yield* script).decide(name, language, "approved")
      yield* givenQueued(organization, conversation, {
        kind: "template",
        template: { id: draft.id, name, language, values: { header: id } }
      })
      yield* sendDueMessages
      const [sent] = yield* (yield* script).sent
      const content = sent?.message.content
      const header = content?.kind === "template" ? content.template.header : null
      assert.include(header, { kind: "media", media: "document", filename: "invoice.pdf" })
    }))

  test("uses only one sender", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const messages = yield* Effect.forEach(Array.from({ length: 30 }), () =>
        Effect.flatMap(givenTalk(organization, account), ({ conversation }) => givenQueued(organization, conversation))
      )
      yield* Effect.all([sendDueMessages, sendDueMessages, sendDueMessages, sendDueMessages], {
        concurrency: "unbounded"
      })
      const ids = messages.map(({ id }): string => id)
      assert.deepStrictEqual((yield* sentReferences).toSorted(), ids.toSorted())
    }))

  test("hears the provider out when the process is stopped", () =>
    Effect.gen(function* () {
      const { conversation, organization } = yield* given
      const message = yield* givenQueued(organization, conversation)
      const channel = yield* MemoryChat.whole
      const begun = yield* Deferred.make<void>()
      const send: typeof channel.sending.send = (line, outgoing) =>
        Effect.andThen(
          Deferred.succeed(begun, undefined),
          Effect.delay(channel.sending.send(line, outgoing), "3 seconds")
        )
      const fiber = yield* Effect.forkChild(
        sendDueMessages.pipe(MemoryChat.through({ sending: { ...channel.sending, send } }))
      )
      yield* Deferred.await(begun)
      yield* runOut(Fiber.interrupt(fiber), 1)
      assert.strictEqual((yield* readMessage(organization, message)).status, "sent")
    }))

  test("tries again when it could not be said that a call begins, since none was made then", () =>
    Effect.gen(function* () {
      const { conversation, organization } = yield* given
      const message = yield* givenQueued(organization, conversation)
      const queue = yield* SendQueue
      let isCutOff = true
      const beginAll: typeof queue.beginAll = (leases) =>
        Effect.tap(queue.beginAll(leases), () => {
          if (!isCutOff) return Effect.void
          isCutOff = false
          return Effect.die(new Error("The connection ended after the commit, and before the answer."))
        })
      yield* Effect.provideService(sendFor(30), SendQueue, { ...queue, beginAll })
      assert.deepStrictEqual(yield* sentReferences, [message.id])
      assert.deepStrictEqual(yield* changesOf(organization, message), ["queued sent"])
    }))

  test("keeps its account for as long as a call takes, also when another process comes", () =>
    Effect.gen(function* () {
      const { conversation, organization } = yield* given
      const message = yield* givenQueued(organization, conversation)
      const channel = yield* MemoryChat.whole
      const send: typeof channel.sending.send = (line, outgoing) =>
        Effect.delay(channel.sending.send(line, outgoing), "1 minute")
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* senders("slow").pipe(MemoryChat.through({ sending: { ...channel.sending, send } }))
          yield* pass(5)
          yield* senders("another")
          yield* pass(70)
        })
      )
      assert.deepStrictEqual(yield* sentReferences, [message.id])
      assert.deepStrictEqual(yield* changesOf(organization, message), ["queued sent"])
    }))
})

describe("an account whose calls get no answer", () => {
  /** A number of queued messages, each in a separate conversation. */
  const givenWaiting = (organization: Organization, account: ChatAccount, count: number) =>
    Effect.forEach(Array.from({ length: count }), () =>
      Effect.flatMap(givenTalk(organization, account), ({ conversation }) => givenQueued(organization, conversation))
    )

  /** A provider that answers nothing, until it does; and how often it was called. */
  const silentProvider = Effect.map(MemoryChat.whole, (channel) => {
    let isSilent = true
    const calls: Array<string> = []
    const send: typeof channel.sending.send = (line, outgoing) =>
      Effect.suspend(() => {
        calls.push(outgoing.reference)
        return isSilent ? Effect.fail(new ChannelInDoubt({ reason: "timeout" })) : channel.sending.send(line, outgoing)
      })
    return { calls, channel: { sending: { ...channel.sending, send } }, speak: () => (isSilent = false) }
  })

  const statusesOf = Effect.fnUntraced(function* (organization: Organization, messages: ReadonlyArray<Message>) {
    const after = yield* Effect.forEach(messages, (message) => readMessage(organization, message))
    return after.map(({ status }) => status)
  })

  test("rests, so that few messages are in doubt, and sends the others once it is well", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const messages = yield* givenWaiting(organization, account, 40)
      const provider = yield* silentProvider
      const patiently = sendFor(30).pipe(MemoryChat.through(provider.channel))
      yield* patiently
      // One hand full, and then one at a time after 5 and after 10 seconds or more.
      assert.isAtMost(provider.calls.length, 20)
      provider.speak()
      yield* sendFor(60).pipe(MemoryChat.through(provider.channel))
      assert.lengthOf(new Set(provider.calls), 40)
      assert.lengthOf(provider.calls, 40)
      const statuses = yield* statusesOf(organization, messages)
      assert.lengthOf(
        statuses.filter((status) => status === "sent"),
        (yield* sentReferences).length
      )
      assert.notInclude(statuses, "queued")
    }))

  test("continues if unanswered calls are followed by answers, for any number", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const messages = yield* givenWaiting(organization, account, 16)
      const channel = yield* MemoryChat.whole
      let calls = 0
      const send: typeof channel.sending.send = (line, outgoing) =>
        Effect.suspend(() => {
          calls += 1
          // In sequence: each result is stored before the next report.
          const result = Effect.delay(channel.sending.send(line, outgoing), `${calls} seconds`)
          return calls % 2 === 0
            ? result
            : Effect.andThen(result, Effect.fail(new ChannelInDoubt({ reason: "timeout" })))
        })
      const sending = yield* Effect.forkChild(
        sendDueMessages.pipe(MemoryChat.through({ sending: { ...channel.sending, send } }))
      )
      while (sending.pollUnsafe() === undefined) yield* TestClock.adjust("100 millis")
      const standing = Effect.flatMap(SendQueue, (queue) => queue.standing(account.id))
      const { failures, restsUntil } = yield* standing.pipe(asOperatorOf(organization))
      assert.strictEqual(calls, messages.length)
      assert.deepStrictEqual([failures, restsUntil], [0, null])
    }))

  test("keeps no other account from sending", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      yield* givenWaiting(organization, account, 20)
      const provider = yield* silentProvider
      yield* sendFor(1).pipe(MemoryChat.through(provider.channel))
      provider.speak()
      const other = yield* givenChatAccount(organization)
      const [message] = yield* givenWaiting(organization, other, 1)
      yield* sendDueMessages.pipe(MemoryChat.through(provider.channel))
      assert.deepStrictEqual(yield* sentReferences, [message?.id ?? ""])
    }))

  test("sends one probe after its back-off, for any number of owners", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      yield* givenWaiting(organization, account, 30)
      const provider = yield* silentProvider
      yield* sendDueMessages.pipe(MemoryChat.through(provider.channel))
      const before = provider.calls.length
      yield* TestClock.adjust("8 seconds")
      yield* sendDueMessages.pipe(MemoryChat.through(provider.channel))
      yield* sendDueMessages.pipe(MemoryChat.through(provider.channel))
      assert.strictEqual(provider.calls.length, before + 1)
    }))

  test("slows down as a whole when its number is too fast, and uses up no attempts of the others", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const [first] = yield* givenWaiting(organization, account, 1)
      yield* refuse("slow_down", 130_429)
      yield* sendDueMessages
      const [second] = yield* givenWaiting(organization, account, 1)
      yield* sendFor(2)
      assert.isEmpty(yield* sentReferences)
      yield* sendFor(3)
      assert.deepStrictEqual((yield* sentReferences).toSorted(), [first?.id ?? "", second?.id ?? ""].toSorted())
    }))
})

describe("an account that was silent and is too fast now", () => {
  test("slows down all the same", () =>
    Effect.gen(function* () {
      const { account, conversation, organization } = yield* given
      const first = yield* givenQueued(organization, conversation)
      yield* (yield* script).next({ kind: "unreachable" })
      yield* sendDueMessages
      yield* refuse("slow_down", 130_429)
      yield* sendFor(3)
      const { conversation: other } = yield* givenTalk(organization, account)
      const second = yield* givenQueued(organization, other)
      yield* sendDueMessages
      assert.isEmpty(yield* sentReferences)
      yield* sendFor(8)
      assert.deepStrictEqual((yield* sentReferences).toSorted(), [first.id, second.id].toSorted())
    }))
})

describe("a sender with a call that takes long", () => {
  test("sends other messages, including new ones", () =>
    Effect.gen(function* () {
      const { account, conversation, organization } = yield* given
      const slow = yield* givenQueued(organization, conversation)
      const channel = yield* MemoryChat.whole
      const called = yield* Deferred.make<void>()
      const answer = yield* Deferred.make<void>()
      const send: typeof channel.sending.send = (line, outgoing) =>
        outgoing.reference === slow.id
          ? Deferred.succeed(called, undefined).pipe(
              Effect.andThen(Deferred.await(answer)),
              Effect.andThen(channel.sending.send(line, outgoing))
            )
          : channel.sending.send(line, outgoing)
      const sending = yield* Effect.forkChild(
        sendDueMessages.pipe(MemoryChat.through({ sending: { ...channel.sending, send } }))
      )
      yield* Deferred.await(called)
      const { conversation: other } = yield* givenTalk(organization, account)
      const quick = yield* givenQueued(organization, other)
      while ((yield* sentReferences).length === 0) yield* TestClock.adjust("100 millis")
      yield* Deferred.succeed(answer, undefined)
      yield* Fiber.join(sending)
      assert.deepStrictEqual(yield* sentReferences, [quick.id, slow.id])
    }))
})

/** A process that sends until the scope ends. */
const senders = (name: string) => Effect.provide(runLanes([sendTask], { name, lookMillis: 1_000 }), layerBulkSender)

/** Advances time by some seconds, in steps that let all fibers continue. */
const pass = Effect.fnUntraced(function* (seconds: number) {
  for (let step = 0; step < seconds * 5; step += 1) yield* TestClock.adjust("200 millis")
})

/** Advances time until the message has a result. */
const untilSettled = Effect.fnUntraced(function* (organization: Organization, message: Message) {
  while ((yield* readMessage(organization, message)).status === "queued") yield* pass(1)
})

/** Sends in a process that dies at that point, then in others. Returns whether it reached the point. */
const dieAt = (point: number, answer: "taken" | "unreachable" | "refused") =>
  alone(
    Effect.gen(function* () {
      const { conversation, organization } = yield* given
      const message = yield* givenQueued(organization, conversation)
      if (answer === "unreachable") yield* (yield* script).next({ kind: "unreachable" })
      if (answer === "refused") yield* refuse("give_up")
      const crash = crashAt(point)
      const dying = sendDueMessages.pipe(
        Effect.provideService(SendQueue, crash.through(yield* SendQueue)),
        Effect.provideService(Messages, crash.through(yield* Messages)),
        Effect.provideService(ChatAccounts, crash.through(yield* ChatAccounts)),
        MemoryChat.through({ sending: crash.through((yield* MemoryChat.whole).sending) }),
        Effect.provideService(LaneQueue, crash.through(yield* LaneQueue)),
        Effect.provideService(Shards, crash.through(yield* Shards)),
        Effect.provideService(UnitOfWork, crash.through(yield* UnitOfWork))
      )
      yield* runOut(dying, 1)
      yield* senders("another")
      yield* pass(10)
      yield* untilSettled(organization, message)
      const sent = yield* sentReferences
      const { status } = yield* readMessage(organization, message)
      const input = `${answer}, dead at ${point}: ${status}, sent ${sent.length} times`
      assert.isAtMost(sent.length, 1, input)
      assert.notStrictEqual(status, "queued", input)
      if (status === "sent") assert.lengthOf(sent, 1, input)
      if (status === "failed") assert.isEmpty(sent, input)
      // Its result does not matter: the later ones get their turn.
      const next = yield* givenQueued(organization, conversation)
      yield* untilSettled(organization, next)
      assert.notStrictEqual((yield* readMessage(organization, next)).status, "queued", input)
      return { hasCrashed: crash.hasCrashed(), status }
    }).pipe(Effect.scoped)
  )

describe("a sender that dies", () => {
  for (const answer of ["taken", "unreachable", "refused"] as const) {
    test(`at any step sends nothing twice and loses nothing, when the message is ${answer}`, () =>
      Effect.gen(function* () {
        const statuses = new Set<string>()
        let point = 0
        while (true) {
          const { hasCrashed, status } = yield* dieAt(point, answer)
          statuses.add(status)
          if (!hasCrashed) break
          point += 1
        }
        assert.isAtLeast(point, 10)
        assert.include([...statuses], "in_doubt")
      }))
  }
})
