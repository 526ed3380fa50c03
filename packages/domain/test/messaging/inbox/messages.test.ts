import { assert, layer } from "@effect/vitest"
import { nextId, transact } from "@parley/domain/kernel"
import { updateContact } from "@parley/domain/crm"
import {
  Conversation,
  Conversations,
  getConversation,
  getMessage,
  type Interactive,
  listMessages,
  MediaId,
  MediaSweep,
  MessageId,
  MessageTemplate,
  MessageTemplateId,
  MessageTemplates,
  type MessageStatus,
  type NewMessage,
  readMedia,
  resolveConversation,
  retryMessage,
  sendMessage,
  uploadMedia
} from "@parley/domain/messaging"
import {
  asOperatorOf,
  asPerson,
  givenContact,
  givenConversation,
  givenMember,
  givenMessage,
  givenNumber,
  givenOrganization,
  type Of,
  TestKit,
  queuedMessages
} from "@parley/testkit"
import { DateTime, Effect, Stream } from "effect"
import { TestClock } from "effect/testing"
import { traced } from "../../crm/traces.ts"
import { tagOf } from "../../tagOf.ts"
import { whyOf } from "./faults.ts"

const hello: NewMessage = { kind: "text", text: "Hello" }

const nobody = "01990000-0000-7000-8000-00000000dead"

/** Messages in the send queue of all organizations. */
const waiting = Effect.flatMap(DateTime.now, queuedMessages)

const saved = (organization: Of, change: (now: Conversation) => Conversation, { id }: Pick<Conversation, "id">) =>
  transact(
    Effect.gen(function* () {
      const conversations = yield* Conversations
      yield* conversations.saveAll((yield* conversations.lock([id])).map(change))
    })
  ).pipe(asOperatorOf(organization), Effect.orDie)

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])

const givenPicture = (organization: Of) =>
  uploadMedia({ filename: "bread.png", mimeType: "image/png", bytes: Stream.make(png) }).pipe(
    asOperatorOf(organization),
    Effect.orDie
  )

const givenTemplate = Effect.fnUntraced(function* (
  organization: Of,
  { chatAccountId }: Pick<Conversation, "chatAccountId">,
  overrides: Partial<MessageTemplate> = {}
) {
  const now = yield* DateTime.now
  const template = new MessageTemplate({
    id: yield* nextId(MessageTemplateId),
    chatAccountId,
    name: "order_ready",
    language: "en",
    category: "utility",
    components: { body: { text: "Dear {{1}}, your order is ready." } },
    variables: [{ key: "body.1", in: "body", kind: "text" }],
    status: "approved",
    rejectionReason: null,
    quality: "green",
    externalId: "17",
    createdAt: now,
    updatedAt: now,
    version: 1,
    ...overrides
  })
  yield* transact(Effect.flatMap(MessageTemplates, (templates) => templates.insert(template))).pipe(
    asOperatorOf(organization),
    Effect.orDie
  )
  return template
})

layer(TestKit.layer)("a message that the team writes", (it) => {
  it.effect("is queued and becomes the last message of its conversation", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const agent = yield* givenMember(organization, "agent")
      const conversation = yield* givenConversation(organization, { status: "pending" })
      yield* TestClock.adjust("1 minute")
      const now = yield* DateTime.now
      const { answer, audit, events } = yield* traced(
        organization,
        sendMessage({ id: conversation.id, ...hello })
      ).pipe(asPerson(organization, agent))
      const { id } = answer
      assert.deepStrictEqual(
        { ...answer },
        {
          id,
          conversationId: conversation.id,
          direction: "outbound",
          kind: "text",
          text: "Hello",
          media: null,
          template: null,
          interactive: null,
          location: null,
          contacts: null,
          order: null,
          referral: null,
          details: null,
          raw: null,
          pricing: null,
          editedAt: null,
          revokedAt: null,
          replyToId: null,
          author: { kind: "user", id: agent.user.id },
          recipient: (yield* getConversation({ id: conversation.id }).pipe(asOperatorOf(organization))).recipient,
          status: "queued",
          error: null,
          providerMessageId: null,
          at: now,
          sentAt: null,
          deliveredAt: null,
          readAt: null,
          playedAt: null,
          failedAt: null,
          createdAt: now
        }
      )
      assert.deepStrictEqual(
        events.filter(({ type }) => type !== "contact.created"),
        [
          { type: "conversation.read", conversationId: conversation.id },
          { type: "message.queued", conversationId: conversation.id, messageId: id, kind: "text" }
        ]
      )
      assert.deepStrictEqual(
        audit.filter(({ action }) => !action.startsWith("session.")).map(({ action, after }) => ({ action, after })),
        [{ action: "message.sent", after: { conversationId: conversation.id, kind: "text" } }]
      )
      assert.include(yield* waiting, id)
      const after = yield* getConversation({ id: conversation.id }).pipe(asOperatorOf(organization))
      assert.deepStrictEqual<unknown>(
        [after.status, after.lastActivityAt, after.lastMessage, after.unreadCount],
        ["pending", now, { id, direction: "outbound", kind: "text", text: "Hello", at: now }, 0]
      )
      assert.deepStrictEqual(
        yield* getMessage({ id: conversation.id, messageId: id }).pipe(asOperatorOf(organization)),
        answer
      )
    })
  )

  it.effect("takes a resolved conversation up again, unless there is a newer one", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const former = yield* givenConversation(organization, { status: "resolved" })
      const { events } = yield* traced(
        organization,
        sendMessage({ id: former.id, ...hello }).pipe(asOperatorOf(organization))
      )
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["conversation.status_changed", "conversation.read", "message.queued"]
      )
      const { status } = yield* getConversation({ id: former.id }).pipe(asOperatorOf(organization))
      assert.strictEqual(status, "open")
      yield* resolveConversation({ id: former.id }).pipe(asOperatorOf(organization))
      const { chatAccountId, contactId } = former
      const newer = yield* givenConversation(organization, { chatAccountId, contactId })
      const refused = yield* Effect.flip(sendMessage({ id: former.id, ...hello }).pipe(asOperatorOf(organization)))
      assert.strictEqual(refused._tag === "ConversationExists" ? refused.conversationId : refused._tag, newer.id)
      assert.lengthOf(
        (yield* listMessages({ id: former.id, page: { limit: 10, cursor: null } }).pipe(asOperatorOf(organization)))
          .data,
        1
      )
    })
  )

  it.effect("is refused without a reachable recipient", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const off = yield* givenNumber(organization, { status: "disconnected" })
      const limited = yield* givenNumber(organization, { status: "degraded" })
      const unknown = yield* givenContact(organization, { name: "Nameless" })
      const blocked = yield* givenContact(organization, { phone: "+491701234567" })
      yield* updateContact({ id: blocked.id, blocked: true, ifVersion: null }).pipe(asOperatorOf(organization))
      const closing = DateTime.add(yield* DateTime.now, { hours: 1 })
      const why = (input: Partial<Conversation>) =>
        Effect.flatMap(givenConversation(organization, input), ({ id }) =>
          whyOf(sendMessage({ id, ...hello }).pipe(asOperatorOf(organization)))
        )
      assert.deepStrictEqual(
        yield* Effect.all([
          why({ chatAccountId: off.id }),
          why({ chatAccountId: limited.id }),
          why({ contactId: unknown.id }),
          why({ contactId: blocked.id }),
          why({ windowExpiresAt: null })
        ]),
        [
          "ChatAccountDisconnected",
          "ok",
          "ContactUnreachable no_identity",
          "ContactUnreachable blocked",
          "ServiceWindowClosed"
        ]
      )
      const { id } = yield* givenConversation(organization, { windowExpiresAt: closing })
      yield* TestClock.adjust("59 minutes")
      assert.strictEqual(yield* tagOf(sendMessage({ id, ...hello }).pipe(asOperatorOf(organization))), "ok")
      yield* TestClock.adjust("1 minute")
      const closed = yield* Effect.flip(sendMessage({ id, ...hello }).pipe(asOperatorOf(organization)))
      assert.strictEqual(
        closed._tag === "ServiceWindowClosed" ? closed.expiredAt : closed._tag,
        DateTime.formatIso(closing)
      )
    })
  )

  it.effect("answers only messages of its conversation that the provider knows", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const conversation = yield* givenConversation(organization)
      const other = yield* givenConversation(organization)
      const known = yield* givenMessage(organization, conversation)
      const elsewhere = yield* givenMessage(organization, other)
      const queued = yield* sendMessage({ id: conversation.id, ...hello }).pipe(asOperatorOf(organization))
      const why = (replyToId: MessageId) =>
        whyOf(sendMessage({ id: conversation.id, ...hello, replyToId }).pipe(asOperatorOf(organization)))
      assert.deepStrictEqual(
        yield* Effect.all([why(known.id), why(elsewhere.id), why(queued.id), why(MessageId.make(nobody))]),
        ["ok", "NotFound /replyToId", "ValidationFailed /replyToId", "NotFound /replyToId"]
      )
      const reaction = yield* sendMessage({
        id: conversation.id,
        kind: "reaction",
        replyToId: known.id,
        emoji: "🥐"
      }).pipe(asOperatorOf(organization))
      assert.deepStrictEqual([reaction.kind, reaction.text, reaction.replyToId], ["reaction", "🥐", known.id])
    })
  )

  it.effect("carries files of its kind that are here", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const elsewhere = yield* givenOrganization()
      const { id } = yield* givenConversation(organization)
      const picture = yield* givenPicture(organization)
      const theirs = yield* givenPicture(elsewhere)
      const why = (input: NewMessage) => whyOf(sendMessage({ id, ...input }).pipe(asOperatorOf(organization)))
      assert.deepStrictEqual(
        yield* Effect.all([
          why({ kind: "document", mediaId: picture.id }),
          why({ kind: "sticker", mediaId: picture.id, caption: "no" }),
          why({ kind: "image", mediaId: theirs.id }),
          why({ kind: "image", mediaId: MediaId.make(nobody) })
        ]),
        ["ValidationFailed /mediaId", "ValidationFailed /caption", "NotFound /mediaId", "NotFound /mediaId"]
      )
      const sent = yield* sendMessage({ id, kind: "image", mediaId: picture.id, caption: "Bread" }).pipe(
        asOperatorOf(organization)
      )
      assert.deepStrictEqual(
        [sent.text, sent.media],
        ["Bread", { id: picture.id, mimeType: "image/png", filename: "bread.png" }]
      )
    })
  )

  it.effect("keeps its files; unused files are deleted after a week", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const conversation = yield* givenConversation(organization)
      const template = yield* givenTemplate(organization, conversation, {
        components: { header: { format: "image" }, body: { text: "Ready." } },
        variables: [{ key: "header", in: "header", kind: "image" }]
      })
      const send = (input: NewMessage) =>
        sendMessage({ id: conversation.id, ...input }).pipe(asOperatorOf(organization))
      const asHeader = (id: MediaId): NewMessage => ({
        kind: "template",
        template: { id: template.id, values: { header: id } }
      })
      const [sent, inTemplate, refused, unsent] = yield* Effect.all(
        Array.from({ length: 4 }, () => givenPicture(organization))
      )
      if (sent === undefined || inTemplate === undefined || refused === undefined || unsent === undefined) return
      yield* send({ kind: "image", mediaId: sent.id })
      yield* send(asHeader(inTemplate.id))
      assert.strictEqual(
        yield* whyOf(send({ kind: "image", mediaId: refused.id, replyToId: MessageId.make(nobody) })),
        "NotFound /replyToId"
      )
      yield* TestClock.adjust("7 days")
      yield* (yield* MediaSweep).sweep().pipe(asOperatorOf(organization))
      const why = (id: MediaId) => whyOf(readMedia({ id }).pipe(asOperatorOf(organization)))
      assert.deepStrictEqual(yield* Effect.forEach([sent, inTemplate, refused, unsent], ({ id }) => why(id)), [
        "ok",
        "ok",
        "NotFound",
        "NotFound"
      ])
      assert.strictEqual(yield* whyOf(send(asHeader(unsent.id))), "NotFound /template/values/header")
      assert.strictEqual(yield* whyOf(send(asHeader(sent.id))), "ok")
    })
  )

  it.effect("has nothing to tap that the provider would refuse", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { id } = yield* givenConversation(organization)
      const why = (interactive: Interactive) =>
        whyOf(sendMessage({ id, kind: "interactive", interactive }).pipe(asOperatorOf(organization)))
      const rows = (from: number, count: number) =>
        Array.from({ length: count }, (_, at) => ({ id: `row ${from + at}`, title: `Row ${from + at}` }))
      const list = { type: "list", body: "Which?", button: "Choose" } as const
      assert.deepStrictEqual(
        yield* Effect.all([
          why({
            type: "buttons",
            body: "Which?",
            buttons: [
              { id: "a", title: "A" },
              { id: "a", title: "A" }
            ]
          }),
          why({
            ...list,
            sections: [
              { title: "One", rows: rows(0, 6) },
              { title: "Two", rows: rows(6, 5) }
            ]
          }),
          why({
            ...list,
            sections: [
              { title: "One", rows: rows(0, 1) },
              { title: "Two", rows: rows(0, 1) }
            ]
          }),
          why({ ...list, sections: [{ title: "One", rows: rows(0, 10) }] })
        ]),
        [
          "ValidationFailed /interactive/buttons/1/id /interactive/buttons/1/title",
          "ValidationFailed /interactive/sections",
          "ValidationFailed /interactive/sections/1/rows/0/id",
          "ok"
        ]
      )
    })
  )

  it.effect("goes out as a template at any time, if that is approved and filled in", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const conversation = yield* givenConversation(organization, { windowExpiresAt: null })
      const template = yield* givenTemplate(organization, conversation)
      const draft = yield* givenTemplate(organization, conversation, { name: "draft", status: "draft" })
      const archived = yield* givenTemplate(organization, conversation, { name: "archived", status: "archived" })
      const other = yield* givenTemplate(organization, yield* givenConversation(organization))
      const send = (template: Extract<NewMessage, { kind: "template" }>["template"]) =>
        sendMessage({ id: conversation.id, kind: "template", template }).pipe(asOperatorOf(organization))
      const values = { "body.1": "Ada" }
      assert.deepStrictEqual(
        yield* Effect.forEach(
          [
            send({ id: template.id }),
            send({ id: template.id, values: { ...values, "body.2": "too many" } }),
            send({ id: draft.id, values }),
            send({ id: archived.id, values }),
            send({ id: other.id, values }),
            send({ name: "order_ready", language: "de", values })
          ],
          whyOf
        ),
        [
          "ValidationFailed /template/values/body.1",
          "ValidationFailed /template/values/body.2",
          "TemplateNotApproved",
          "TemplateNotApproved",
          "NotFound /template/id",
          "NotFound /template/name"
        ]
      )
      const refused = yield* Effect.flip(send({ id: archived.id, values }))
      assert.strictEqual(refused._tag === "TemplateNotApproved" && refused.status, "archived")
      const unknown = yield* Effect.flip(send({ name: "order_ready", language: "de", values }))
      assert.include(unknown.message, "with this name and language")
      const sent = yield* send({ name: "order_ready", language: "en", values })
      assert.deepStrictEqual(
        [sent.text, sent.template],
        ["Dear Ada, your order is ready.", { id: template.id, name: "order_ready", language: "en", values }]
      )
    })
  )

  it.effect("carries the file that its template asks for", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const conversation = yield* givenConversation(organization, { windowExpiresAt: null })
      const picture = yield* givenPicture(organization)
      const { id } = yield* givenTemplate(organization, conversation, {
        components: { header: { format: "image" }, body: { text: "Ready." } },
        variables: [{ key: "header", in: "header", kind: "image" }]
      })
      const video = yield* givenTemplate(organization, conversation, {
        name: "film",
        components: { header: { format: "video" }, body: { text: "Ready." } },
        variables: [{ key: "header", in: "header", kind: "video" }]
      })
      const why = (template: Extract<NewMessage, { kind: "template" }>["template"]) =>
        whyOf(sendMessage({ id: conversation.id, kind: "template", template }).pipe(asOperatorOf(organization)))
      assert.deepStrictEqual(
        yield* Effect.all([
          why({ id, values: { header: picture.id } }),
          why({ id, values: { header: nobody } }),
          why({ id: video.id, values: { header: picture.id } })
        ]),
        ["ok", "NotFound /template/values/header", "ValidationFailed /template/values/header"]
      )
    })
  )
})

layer(TestKit.layer)("a message that is tried again", (it) => {
  const outcomes: ReadonlyArray<readonly [MessageStatus, boolean, string]> = [
    ["failed", false, "ok"],
    ["in_doubt", false, "MessageNotRetryable"],
    ["in_doubt", true, "ok"],
    ["queued", true, "MessageNotRetryable"],
    ["sent", true, "MessageNotRetryable"],
    ["delivered", true, "MessageNotRetryable"],
    ["read", true, "MessageNotRetryable"],
    ["received", true, "MessageNotRetryable"]
  ]

  it.effect.each(outcomes)(
    "that is %s, with a double accepted: %s, results in: %s",
    ([status, allowDuplicate, expected]) =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const conversation = yield* givenConversation(organization)
        const now = yield* DateTime.now
        const error = { code: "refused", providerCode: 1, reason: "No." }
        const message = yield* givenMessage(organization, conversation, {
          direction: status === "received" ? "inbound" : "outbound",
          status,
          ...(status === "failed" && { failedAt: now, error, sentAt: now })
        })
        const { events, answer } = yield* traced(
          organization,
          whyOf(retryMessage({ id: conversation.id, messageId: message.id, allowDuplicate })).pipe(
            asOperatorOf(organization)
          )
        )
        assert.strictEqual(answer, expected)
        const after = yield* getMessage({ id: conversation.id, messageId: message.id }).pipe(asOperatorOf(organization))
        if (expected !== "ok") return assert.deepStrictEqual<unknown>([{ ...after }, events], [{ ...message }, []])
        const { recipient } = yield* getConversation({ id: conversation.id }).pipe(asOperatorOf(organization))
        assert.deepStrictEqual(
          { ...after },
          { ...message, recipient, status: "queued", error: null, failedAt: null, sentAt: null }
        )
        assert.deepStrictEqual(events, [
          {
            type: "message.status_changed",
            conversationId: conversation.id,
            messageId: message.id,
            from: status,
            to: "queued"
          }
        ])
        assert.include(yield* waiting, message.id)
      })
  )

  it.effect("is refused for the same reasons as a new message", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const conversation = yield* givenConversation(organization)
      const failed = { direction: "outbound", status: "failed" } as const
      const text = yield* givenMessage(organization, conversation, failed)
      const template = yield* givenTemplate(organization, conversation, { status: "paused" })
      const { id, language, name } = template
      const filled = yield* givenMessage(organization, conversation, {
        ...failed,
        kind: "template",
        template: { id, name, language, values: { "body.1": "Ada" } }
      })
      const why = (id: MessageId, of = conversation.id) =>
        whyOf(retryMessage({ id: of, messageId: id }).pipe(asOperatorOf(organization)))
      const other = yield* givenConversation(organization)
      yield* saved(organization, (now) => new Conversation({ ...now, windowExpiresAt: null }), conversation)
      assert.deepStrictEqual(yield* Effect.all([why(text.id), why(filled.id), why(text.id, other.id)]), [
        "ServiceWindowClosed",
        "TemplateNotApproved",
        "NotFound"
      ])
    })
  )
})

layer(TestKit.layer)("the messages of a conversation", (it) => {
  it.effect("are read newest first, page by page, by when they were written", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const conversation = yield* givenConversation(organization)
      const now = yield* DateTime.now
      const at = (minutes: number) => DateTime.add(now, { minutes })
      const second = yield* givenMessage(organization, conversation, { at: at(2) })
      const first = yield* givenMessage(organization, conversation, { at: at(1) })
      const third = yield* givenMessage(organization, conversation, { at: at(2) })
      yield* givenMessage(organization, yield* givenConversation(organization))
      const one = yield* listMessages({ id: conversation.id, page: { limit: 2, cursor: null } }).pipe(
        asOperatorOf(organization)
      )
      const two = yield* listMessages({ id: conversation.id, page: { limit: 2, cursor: one.nextCursor } }).pipe(
        asOperatorOf(organization)
      )
      assert.deepStrictEqual(
        [one, two].map(({ data }) => data.map(({ id }) => id)),
        [[third.id, second.id], [first.id]]
      )
      assert.isNull(two.nextCursor)
      const other = yield* givenConversation(organization)
      assert.strictEqual(
        yield* tagOf(
          listMessages({ id: other.id, page: { limit: 2, cursor: one.nextCursor } }).pipe(asOperatorOf(organization))
        ),
        "CursorInvalid"
      )
      assert.strictEqual(
        yield* tagOf(getMessage({ id: other.id, messageId: first.id }).pipe(asOperatorOf(organization))),
        "NotFound"
      )
    })
  )
})
