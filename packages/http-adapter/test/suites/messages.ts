import { assert } from "@effect/vitest"
import { Currency } from "@parley/domain/kernel"
import { RateCards } from "@parley/domain/messaging"
import { type Ports, sendDueMessages } from "@parley/domain/composition"
import { DateTime, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, at, idsOf, pointersOf, rowsOf, textAt } from "../harness/answers.ts"
import { as, idOf } from "../harness/crm.ts"
import { type Answer, call } from "../harness/Http.ts"
import {
  deliver,
  givenConversation,
  givenFailed,
  givenFile,
  givenMessage,
  givenNumber,
  givenTemplate,
  provider
} from "../harness/inbox.ts"
import { overHttp } from "../harness/service.ts"
import {
  freshId,
  freshText,
  givenAutomationToken,
  givenContact,
  givenTenant,
  signedInAnew,
  type Tenant
} from "../harness/tenants.ts"

/** A contact with a recent message over a number, and the ways to send messages to it. */
const givenTalk = Effect.fnUntraced(function* (tenant: Tenant) {
  const account = yield* givenNumber(tenant.organization)
  const value = yield* freshText("chat")
  const contact = yield* givenContact(tenant.organization, {
    identities: [{ kind: "chat_user", value, source: "chat", addedAt: yield* DateTime.now }]
  })
  const conversation = yield* givenConversation(tenant.organization, {
    chatAccountId: account.id,
    contactId: contact.id
  })
  const path = `/conversations/${conversation.id}/messages`
  return { account, contact, conversation, path, to: value }
})

const receipt = Effect.fnUntraced(function* (
  phoneId: string,
  message: Answer,
  status: "sent" | "delivered" | "read",
  chatUser: string
) {
  return {
    kind: "receipt",
    phoneId,
    id: textAt(message, "providerMessageId"),
    at: yield* DateTime.now,
    status,
    to: { phone: null, chatUser },
    reference: null,
    error: null
  } as const
})

/** Outgoing messages and their outcomes. */
export const messagesSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("the cost of a message is shown with expand=cost, to callers who can read costs", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { account, path, to } = yield* givenTalk(tenant)
        const queued = yield* as(tenant)("POST", path, { kind: "text", text: "We do." })
        yield* sendDueMessages
        const message = yield* as(tenant)("GET", `${path}/${idOf(queued)}`)
        yield* (yield* RateCards).put([
          {
            country: null,
            category: "referral_conversion",
            currency: Currency.make("EUR"),
            amount: 73_300,
            validFrom: "2020-01-01"
          }
        ])
        const costAt = (answer: Answer) => at(answer.body, "expanded", "cost")
        const single = `${path}/${idOf(message)}`
        assert.isNull(costAt(yield* as(tenant)("GET", `${single}?expand=cost`)))
        const pricing = { billable: true, model: "PMP", category: "referral_conversion", type: "regular" }
        const delivered = yield* receipt(account.externalPhoneId, message, "delivered", to)
        yield* deliver(tenant.organization, account, [{ ...delivered, reference: idOf(message), pricing }])
        const cost = { currency: "EUR", amount: 73_300 }
        assert.deepStrictEqual(costAt(yield* as(tenant)("GET", `${single}?expand=cost`)), cost)
        const listed = rowsOf(yield* as(tenant)("GET", `${path}?expand=cost`))
        assert.deepStrictEqual(at(listed[0], "expanded", "cost"), cost)
        const bare = rowsOf(yield* as(tenant)("GET", path))
        assert.notProperty(bare[0], "expanded")
        const { token } = yield* givenAutomationToken(tenant, ["conversations.read"])
        const narrow = yield* call("GET", `/api/v1${path}?expand=cost`, { token, organization: tenant.organization.id })
        assertStatus(narrow, 200)
        assert.notNestedProperty(rowsOf(narrow)[0], "expanded.cost")
        const { expanded: _, ...rest } = Object(listed[0])
        assert.deepStrictEqual(rest, bare[0])
        assertProblem(yield* as(tenant)("GET", `${path}?expand=price`), 400, "validation_failed")
      })
    )

    it.effect("a text is queued, sent, and its receipts apply in every order", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { account, conversation, path, to } = yield* givenTalk(tenant)
        const queued = yield* as(tenant)("POST", path, { kind: "text", text: "We do." })
        assertStatus(queued, 202)
        const now = textAt(queued, "createdAt")
        assert.deepStrictEqual(queued.body, {
          id: idOf(queued),
          conversationId: conversation.id,
          direction: "outbound",
          kind: "text",
          text: "We do.",
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
          author: { kind: "user", id: tenant.owner.user.id },
          recipient: { kind: "chat_user", value: to },
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
        })
        yield* sendDueMessages
        const one = `${path}/${idOf(queued)}`
        const sent = yield* as(tenant)("GET", one)
        assert.strictEqual(sent.body.status, "sent")
        const went = (yield* (yield* provider).sent).find(
          ({ providerMessageId }) => providerMessageId === sent.body.providerMessageId
        )
        assert.deepStrictEqual(went?.message.content, { kind: "text", text: "We do." })
        assert.deepStrictEqual(went?.message.to, { kind: "chat_user", value: to })
        for (const status of ["read", "delivered", "sent"] as const) {
          yield* TestClock.adjust("1 second")
          yield* deliver(tenant.organization, account, [yield* receipt(account.externalPhoneId, sent, status, to)])
          assert.strictEqual((yield* as(tenant)("GET", one)).body.status, "read")
        }
        assert.deepStrictEqual(idsOf(yield* as(tenant)("GET", path)), [idOf(queued)])
      })
    )

    it.effect("after a day only templates go out", () =>
      Effect.gen(function* () {
        const before = yield* givenTenant()
        const { account, conversation, path } = yield* givenTalk(before)
        yield* TestClock.adjust("24 hours")
        const tenant = yield* signedInAnew(before)
        const late = yield* as(tenant)("POST", path, { kind: "text", text: "Are you there?" })
        assertProblem(late, 409, "service_window_closed")
        assert.strictEqual(
          late.body.expiredAt,
          DateTime.formatIso(conversation.windowExpiresAt ?? conversation.createdAt)
        )
        const template = yield* givenTemplate(tenant.organization, {
          chatAccountId: account.id,
          status: "approved"
        })
        const sent = yield* as(tenant)("POST", path, { kind: "template", template: { id: template.id } })
        assertStatus(sent, 202)
        assert.deepStrictEqual(sent.body.template, {
          id: template.id,
          name: template.name,
          language: "en",
          values: {}
        })
        const byName = { name: template.name, language: template.language }
        assertStatus(yield* as(tenant)("POST", path, { kind: "template", template: byName }), 202)
        const american = yield* givenTemplate(tenant.organization, {
          chatAccountId: account.id,
          status: "approved",
          name: "american",
          language: "en-US"
        })
        const asProvider = { name: american.name, language: "en_US" }
        const understood = yield* as(tenant)("POST", path, { kind: "template", template: asProvider })
        assertStatus(understood, 202)
        assert.deepInclude(understood.body.template, { id: american.id, language: "en-US" })
      })
    )

    it.effect("only approved templates of the same number are sent, with all of their values", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { account, path } = yield* givenTalk(tenant)
        const send = (template: unknown) => as(tenant)("POST", path, { kind: "template", template })
        const draft = yield* givenTemplate(tenant.organization, { chatAccountId: account.id })
        const refused = yield* send({ id: draft.id })
        assertProblem(refused, 409, "template_not_approved")
        assert.strictEqual(refused.body.templateStatus, "draft")
        const elsewhere = yield* givenTemplate(tenant.organization, { status: "approved" })
        const other = yield* send({ id: elsewhere.id })
        assertProblem(other, 404, "not_found")
        assert.strictEqual(other.body.pointer, "/template/id")
        const approved = yield* givenTemplate(tenant.organization, { chatAccountId: account.id, status: "approved" })
        const extra = yield* send({ id: approved.id, values: { "body.1": "x" } })
        assertProblem(extra, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(extra), ["/template/values/body.1"])
        assert.isEmpty(rowsOf(yield* as(tenant)("GET", path)))
      })
    )

    it.effect("a contact who is blocked or has nothing to be reached by is not written to", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const text = { kind: "text", text: "Hello." }
        const unknown = yield* givenConversation(tenant.organization, {
          contactId: (yield* givenContact(tenant.organization)).id
        })
        const nowhere = yield* as(tenant)("POST", `/conversations/${unknown.id}/messages`, text)
        assertProblem(nowhere, 409, "contact_unreachable")
        assert.strictEqual(nowhere.body.reason, "no_identity")
        const blocked = yield* givenConversation(tenant.organization, {
          contactId: (yield* givenContact(tenant.organization, { blockedAt: yield* DateTime.now })).id
        })
        const refused = yield* as(tenant)("POST", `/conversations/${blocked.id}/messages`, text)
        assertProblem(refused, 409, "contact_unreachable")
        assert.strictEqual(refused.body.reason, "blocked")
      })
    )

    it.effect("nothing goes out over a number that is disconnected", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { id: chatAccountId } = yield* givenNumber(tenant.organization, { status: "disconnected" })
        const { id } = yield* givenConversation(tenant.organization, { chatAccountId })
        const answer = yield* as(tenant)("POST", `/conversations/${id}/messages`, { kind: "text", text: "Hello." })
        assertProblem(answer, 409, "chat_account_disconnected")
      })
    )

    it.effect("answers, reactions, files, buttons, places and people are messages too", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { conversation, path } = yield* givenTalk(tenant)
        const { id: replyToId } = yield* givenMessage(tenant.organization, conversation)
        const { id: mediaId } = yield* givenFile(tenant.organization)
        const input = [
          { kind: "text", text: "Yes.", replyToId },
          { kind: "reaction", replyToId, emoji: "🥐" },
          { kind: "document", mediaId, caption: "Our prices." },
          {
            kind: "interactive",
            interactive: { type: "buttons", body: "Which one?", buttons: [{ id: "rye", title: "Rye" }] }
          },
          { kind: "location", location: { latitude: 52.5, longitude: 13.4, name: "Blue Bakery" } },
          { kind: "contacts", contacts: [{ name: "Ada Lovelace", phones: ["+49 170 1234567"] }] }
        ]
        for (const body of input) {
          const answer = yield* as(tenant)("POST", path, body)
          assertStatus(answer, 202)
          assert.strictEqual(answer.body.kind, body.kind)
        }
        yield* sendDueMessages
        const sent = rowsOf(yield* as(tenant)("GET", path))
        assert.deepStrictEqual(at(sent[0], "contacts"), [{ name: "Ada Lovelace", phones: ["+491701234567"] }])
        assert.deepStrictEqual(
          sent.map((row) => [at(row, "kind"), at(row, "status")]),
          [...input.map(({ kind }) => [kind, "sent"]).toReversed(), ["text", "received"]]
        )
      })
    )

    it.effect("previews, headers, cards, flows and products are sent and shown as they were written", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { path, to } = yield* givenTalk(tenant)
        const interactives = [
          {
            type: "buttons",
            header: { type: "text", text: "Bread" },
            body: "Which one?",
            footer: "Blue Bakery",
            buttons: [{ id: "rye", title: "Rye" }]
          },
          { type: "cta_url", body: "Our menu", label: "Open", url: "https://bakery.example/menu" },
          { type: "location_request", body: "Where to?" },
          { type: "contact_request", body: "Which number?" },
          {
            type: "flow",
            body: "Order",
            flow: { name: "order" },
            token: "t",
            label: "Start",
            action: "navigate",
            screen: "FIRST",
            data: { bread: ["rye", null] }
          },
          { type: "product", catalogId: "1", productId: "rye" },
          { type: "product_carousel", body: "All", catalogId: "1", productIds: ["rye", "spelt"] },
          { type: "voice_call", body: "Call us", ttlMinutes: 10 }
        ]
        assertStatus(yield* as(tenant)("POST", path, { kind: "text", text: "See x.example", linkPreview: true }), 202)
        for (const interactive of interactives) {
          assertStatus(yield* as(tenant)("POST", path, { kind: "interactive", interactive }), 202)
          yield* sendDueMessages
        }
        const shown = rowsOf(yield* as(tenant)("GET", path)).toReversed()
        assert.deepStrictEqual(at(shown[0], "raw"), { linkPreview: true })
        assert.deepStrictEqual(
          shown.slice(1).map((row) => at(row, "interactive")),
          interactives
        )
        const { sent } = yield* provider
        const went = (yield* sent).filter(({ message }) => message.to.value === to)
        assert.deepStrictEqual(went[0]?.message.content, { kind: "text", text: "See x.example", linkPreview: true })
        assert.lengthOf(went, interactives.length + 1)
      })
    )

    it.effect("a message in the form of the provider is sent as it is, and audited by its type", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { path, to } = yield* givenTalk(tenant)
        const payload = { type: "sticker", sticker: { id: "798882015472548" } }
        const answer = yield* as(tenant)("POST", path, { kind: "provider", payload })
        assertStatus(answer, 202)
        assert.deepStrictEqual([answer.body.kind, answer.body.raw], ["provider", payload])
        yield* sendDueMessages
        const { sent } = yield* provider
        const went = (yield* sent).find(({ message }) => message.to.value === to)
        assert.deepStrictEqual(went?.message.content, { kind: "provider", payload })
        const audit = rowsOf(yield* as(tenant)("GET", "/audit_events?limit=10"))
        const entry = audit.find((row) => at(row, "target", "id") === answer.body.id)
        assert.deepStrictEqual(at(entry, "after"), {
          conversationId: answer.body.conversationId,
          kind: "provider",
          type: "sticker"
        })
        const refused = yield* as(tenant)("POST", path, {
          kind: "provider",
          payload: { type: "image", to: "+1555", image: { link: "http://10.0.0.1/" } }
        })
        assertProblem(refused, 400, "validation_failed")
        assert.sameMembers([...pointersOf(refused)], ["/payload/to", "/payload/image/link"])
      })
    )

    it.effect.each([
      { body: { kind: "text", text: "" }, pointers: ["/text"] },
      { body: { kind: "image" }, pointers: ["/mediaId"] },
      { body: { kind: "image", link: "http://x.example/a.png" }, pointers: ["/link"] },
      {
        body: {
          kind: "interactive",
          interactive: { type: "cta_url", body: "x", label: "x".repeat(21), url: "ftp://x.example" }
        },
        pointers: ["/interactive/label", "/interactive/url"]
      },
      { body: { kind: "text", text: "x".repeat(4_097) }, pointers: ["/text"] },
      { body: { kind: "text" }, pointers: ["/text"] },
      { body: { kind: "location", location: { latitude: 91, longitude: 0 } }, pointers: ["/location/latitude"] },
      {
        body: { kind: "interactive", interactive: { type: "buttons", body: "x", buttons: [] } },
        pointers: ["/interactive/buttons"]
      },
      {
        body: {
          kind: "contacts",
          contacts: [
            { name: "Ada", phones: ["+491701234567"] },
            { name: "", phones: ["1"] }
          ]
        },
        pointers: ["/contacts/1/name", "/contacts/1/phones/0"]
      },
      { body: { kind: "contacts", contacts: [] }, pointers: ["/contacts"] },
      { body: { kind: "system", text: "x" }, pointers: ["/kind"] }
    ])("$body is no message", ({ body, pointers }) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { path } = yield* givenTalk(tenant)
        const answer = yield* as(tenant)("POST", path, body)
        assertProblem(answer, 400, "validation_failed")
        if (body.kind !== "system") assert.deepStrictEqual(pointersOf(answer), pointers)
      })
    )

    it.effect("missing resources are reported with their places in the request", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { path } = yield* givenTalk(tenant)
        const missing = yield* freshId
        const input = [
          { body: { kind: "text", text: "x", replyToId: missing }, pointer: "/replyToId" },
          { body: { kind: "image", mediaId: missing }, pointer: "/mediaId" },
          { body: { kind: "template", template: { id: missing } }, pointer: "/template/id" }
        ]
        for (const { body, pointer } of input) {
          const answer = yield* as(tenant)("POST", path, body)
          assertProblem(answer, 404, "not_found")
          assert.strictEqual(answer.body.pointer, pointer)
        }
      })
    )

    it.effect("a message that has failed is sent again; one in doubt only if a double is accepted", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { conversation, path, to } = yield* givenTalk(tenant)
        const failed = yield* givenFailed(tenant.organization, conversation)
        const again = yield* as(tenant)("POST", `${path}/${failed.id}/retry`)
        assertStatus(again, 202)
        assert.deepStrictEqual([again.body.status, again.body.error], ["queued", null])
        yield* sendDueMessages
        assert.strictEqual((yield* as(tenant)("GET", `${path}/${failed.id}`)).body.status, "sent")
        const sent = yield* as(tenant)("POST", `${path}/${failed.id}/retry`, { allowDuplicate: true })
        assertProblem(sent, 409, "message_not_retryable")
        assert.strictEqual(sent.body.messageStatus, "sent")

        yield* (yield* provider).next({ kind: "in_doubt", taken: true }, to)
        const doubtful = `${path}/${idOf(yield* as(tenant)("POST", path, { kind: "text", text: "Hello?" }))}`
        yield* sendDueMessages
        assert.strictEqual((yield* as(tenant)("GET", doubtful)).body.status, "in_doubt")
        const refused = yield* as(tenant)("POST", `${doubtful}/retry`, {})
        assertProblem(refused, 409, "message_not_retryable")
        assert.strictEqual(refused.body.messageStatus, "in_doubt")
        assertStatus(yield* as(tenant)("POST", `${doubtful}/retry`, { allowDuplicate: true }), 202)
      })
    )

    it.effect("what the provider refuses is shown with its code and reason", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { path, to } = yield* givenTalk(tenant)
        yield* (yield* provider).next({ kind: "refused", code: 131_026, remedy: "skip_recipient" }, to)
        const queued = yield* as(tenant)("POST", path, { kind: "text", text: "Hello?" })
        yield* sendDueMessages
        const failed = yield* as(tenant)("GET", `${path}/${idOf(queued)}`)
        assert.strictEqual(failed.body.status, "failed")
        assert.strictEqual(at(failed.body, "error", "providerCode"), 131_026)
        assert.isString(failed.body.failedAt)
      })
    )

    it.effect("a message is of its conversation", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const [one, other] = [yield* givenTalk(tenant), yield* givenTalk(tenant)]
        const { id } = yield* givenMessage(tenant.organization, one.conversation)
        assertStatus(yield* as(tenant)("GET", `${one.path}/${id}`), 200)
        assertProblem(yield* as(tenant)("GET", `${other.path}/${id}`), 404, "not_found")
        assertProblem(yield* as(tenant)("POST", `${other.path}/${id}/retry`, {}), 404, "not_found")
        assertProblem(yield* as(tenant)("GET", `/conversations/${yield* freshId}/messages`), 404, "not_found")
      })
    )
  })
