import { assert, describe } from "@effect/vitest"
import type { Permission } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import {
  type ChatAccountId,
  ChatChannels,
  ChatSettings,
  checkChatAccount,
  connectChatAccount,
  createMessageTemplate,
  getConversation,
  type InboundEvent,
  listChatAccounts,
  listConversations,
  listMessages,
  type NewChatAccount,
  receiveAccountDelivery,
  receiveChatDelivery,
  rotateChatSecret,
  sendMessage,
  updateChatAccount
} from "@parley/domain/messaging"
import { sendDueMessages, processDueDeliveries } from "@parley/domain/composition"
import { actingIn, asOperatorOf, givenOrganization, MemoryChat } from "@parley/testkit"
import { DateTime, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { hostile } from "../../integrations/webhooks/hostileUrls.ts"
import { hello, test } from "./given.ts"

const firstPage = { limit: 10, cursor: null }

const url = "https://chat.shop.example/parley"

const given = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "growth" })
  const inside = asOperatorOf(organization)
  const account = yield* connectChatAccount({ provider: "webhook", displayName: "Shop chat", url }).pipe(inside)
  return { organization, inside, account, secret: Redacted.make(account.signingSecret ?? "") }
})

const input = (at: DateTime.Utc, id = "m-1"): InboundEvent => ({
  kind: "message",
  phoneId: "of whoever delivers",
  id,
  at,
  from: { phone: null, chatUser: null, external: "crm-1867", name: "Ada Lovelace" },
  content: { kind: "text", text: "Is my order on its way?" },
  replyTo: null,
  fromAdvertisement: false
})

const deliver = Effect.fnUntraced(function* (
  organization: Pick<Organization, "id">,
  id: ChatAccountId,
  secret: Redacted.Redacted
) {
  const request = (yield* MemoryChat.ChatScript).deliver([input(yield* DateTime.now)], secret)
  yield* receiveAccountDelivery({ organizationId: organization.id, chatAccountId: id, ...request })
  yield* processDueDeliveries
})

const whyOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

describe("an account with its own endpoint", () => {
  test("shows its secret once, and counts as any other", () =>
    Effect.gen(function* () {
      const { account, inside, organization } = yield* given
      assert.match(account.signingSecret ?? "", /^whsec_[A-Za-z0-9+/]{32}$/u)
      assert.deepStrictEqual([account.provider, account.phone, account.url], ["webhook", null, url])
      assert.strictEqual(account.webhookUrl, `https://parley.test/webhooks/chat/${organization.id}/${account.id}`)
      const { data } = yield* listChatAccounts({ page: firstPage }).pipe(inside)
      assert.deepStrictEqual(
        data.map(({ id, signingSecret }) => [id, signingSecret]),
        [[account.id, null]]
      )
    }))

  test("has a URL that is valid for a webhook subscription", () =>
    Effect.gen(function* () {
      const { account, inside } = yield* given
      const onService = Effect.provideService(ChatSettings, { publicUrl: "https://parley.example", platformApp: null })
      const pointers = <A, E extends { readonly _tag: string }, R>(call: Effect.Effect<A, E, R>) =>
        Effect.map(Effect.flip(call), (error) =>
          "errors" in error && Array.isArray(error.errors) ? error.errors.map(({ pointer }) => pointer) : error._tag
        )
      for (const url of [
        ...hostile,
        "https://2130706433",
        "https://me:secret@shop.example",
        "https://shop.example:22",
        "http://shop.example",
        "http://127.0.0.1:80/",
        "http://localhost/"
      ]) {
        const connect = connectChatAccount({ provider: "webhook", displayName: "Shop", url })
        const update = updateChatAccount({ id: account.id, url, ifVersion: null })
        assert.deepStrictEqual(yield* pointers(connect.pipe(onService, inside)), ["/url"], url)
        assert.deepStrictEqual(yield* pointers(update.pipe(onService, inside)), ["/url"], url)
      }
    }))

  test("can be on this machine if its channel allows it", () =>
    Effect.gen(function* () {
      const { inside } = yield* given
      const channels = yield* ChatChannels
      const channel = channels.get("webhook") ?? assert.fail()
      const local = new Map([["webhook", { ...channel, endpoints: { loopback: true } }]])
      const connect = (url: string) =>
        connectChatAccount({ provider: "webhook", displayName: "Shop", url }).pipe(
          Effect.provideService(ChatChannels, local),
          inside
        )
      assert.strictEqual((yield* connect("http://127.0.0.1:3000/in")).url, "http://127.0.0.1:3000/in")
      assert.strictEqual(yield* whyOf(connect("http://10.0.0.1/")), "ValidationFailed")
    }))

  test("goes through any channel that takes addresses, and through no other", () =>
    Effect.gen(function* () {
      const { inside } = yield* given
      const channels = yield* ChatChannels
      const bridge = channels.get("webhook") ?? assert.fail()
      const withBridge = Effect.provideService(ChatChannels, new Map([...channels, ["bridge", bridge]]))
      const connect = (input: NewChatAccount) => connectChatAccount(input).pipe(withBridge, inside)
      const address = { displayName: "Bridge", url }
      const account = yield* connect({ provider: "bridge", ...address })
      assert.deepStrictEqual([account.provider, account.url], ["bridge", url])
      assert.match(account.signingSecret ?? "", /^whsec_/u)
      for (const provider of ["whatsapp", "pigeons"]) {
        assert.strictEqual(yield* whyOf(connect({ provider, ...address })), "UnsupportedByChannel")
      }
      const number = {
        externalAccountId: "1",
        externalPhoneId: "2",
        accessToken: Redacted.make("token"),
        appSecret: Redacted.make("secret")
      }
      assert.strictEqual(yield* whyOf(connect({ provider: "bridge", ...number })), "ValidationFailed")
      assert.strictEqual(yield* whyOf(connect({ provider: "pigeons", ...number })), "UnsupportedByChannel")
    }))

  test("is written to by people whom its system knows by an id, and answers them whenever it likes", () =>
    Effect.gen(function* () {
      const { account, inside, organization, secret } = yield* given
      yield* deliver(organization, account.id, secret)
      const [conversation = assert.fail()] = (yield* listConversations({ page: firstPage }).pipe(inside)).data
      assert.deepStrictEqual(conversation.recipient, { kind: "external", value: "crm-1867" })
      assert.strictEqual(conversation.contact.name, "Ada Lovelace")
      yield* TestClock.adjust("3 days")
      const later = yield* getConversation({ id: conversation.id }).pipe(inside)
      assert.deepStrictEqual(later.window, { open: true, expiresAt: null })
      yield* sendMessage({ id: conversation.id, kind: "text", text: "It is" }).pipe(inside)
      yield* sendDueMessages
      const [sent] = yield* (yield* MemoryChat.ChatScript).sent
      assert.deepInclude(sent?.message, {
        to: { kind: "external", value: "crm-1867" },
        content: { kind: "text", text: "It is" }
      })
      assert.strictEqual(sent?.line.url, url)
      const { data } = yield* listMessages({ id: conversation.id, page: firstPage }).pipe(inside)
      assert.sameMembers(
        data.map(({ status }) => status),
        ["received", "sent"]
      )
    }))

  test("takes texts only, and has no templates", () =>
    Effect.gen(function* () {
      const { account, inside, organization, secret } = yield* given
      yield* deliver(organization, account.id, secret)
      const [{ id } = assert.fail()] = (yield* listConversations({ page: firstPage }).pipe(inside)).data
      const place = { latitude: 52.5, longitude: 13.4 }
      const send = sendMessage({ id, kind: "location", location: place })
      assert.strictEqual(yield* whyOf(send.pipe(inside)), "UnsupportedByChannel")
      const template = { chatAccountId: account.id, name: "hello", language: "en", category: "utility" } as const
      const create = createMessageTemplate({ ...template, components: hello })
      assert.strictEqual(yield* whyOf(create.pipe(inside)), "UnsupportedByChannel")
      yield* checkChatAccount({ id: account.id }).pipe(inside)
    }))

  test("is spoken for by its own secret only: of now, and for a day by the one before", () =>
    Effect.gen(function* () {
      const { account, inside, organization, secret } = yield* given
      const other = yield* connectChatAccount({ provider: "webhook", displayName: "Other", url }).pipe(inside)
      const others = Redacted.make(other.signingSecret ?? "")
      const invalid = "WebhookSignatureInvalid"
      assert.strictEqual(yield* whyOf(deliver(organization, account.id, others)), invalid)
      const request = (yield* MemoryChat.ChatScript).deliver([input(yield* DateTime.now)], secret)
      assert.strictEqual(yield* whyOf(receiveChatDelivery({ organizationId: organization.id, ...request })), invalid)
      const stranger = yield* givenOrganization()
      assert.strictEqual(yield* whyOf(deliver(stranger, account.id, secret)), invalid)

      const rotated = yield* rotateChatSecret({ id: account.id }).pipe(inside)
      assert.notStrictEqual(rotated.signingSecret, account.signingSecret)
      yield* deliver(organization, account.id, secret)
      yield* deliver(organization, account.id, Redacted.make(rotated.signingSecret ?? ""))
      yield* TestClock.adjust("25 hours")
      assert.strictEqual(yield* whyOf(deliver(organization, account.id, secret)), invalid)
      yield* deliver(organization, account.id, Redacted.make(rotated.signingSecret ?? ""))
    }))

  test("shows a new secret only to callers who can read its messages", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const rotate = (...permissions: ReadonlyArray<Permission>) =>
        rotateChatSecret({ id: account.id }).pipe(
          actingIn(organization, {
            kind: "delegate",
            for: { kind: "user", id: "01990000-0000-7000-8000-000000000001" },
            permissions: new Set(["chat_accounts.manage", ...permissions])
          })
        )
      assert.strictEqual(yield* whyOf(rotate("contacts.read")), "PermissionDenied")
      assert.strictEqual(yield* whyOf(rotate("conversations.read")), "PermissionDenied")
      assert.isString((yield* rotate("contacts.read", "conversations.read")).signingSecret)
    }))

  test("moves to another address, and takes no token", () =>
    Effect.gen(function* () {
      const { account, inside } = yield* given
      const moved = yield* updateChatAccount({ id: account.id, url: "https://new.example/in", ifVersion: null }).pipe(
        inside
      )
      assert.strictEqual(moved.url, "https://new.example/in")
      const input = { accessToken: Redacted.make("token") }
      assert.strictEqual(
        yield* whyOf(updateChatAccount({ id: account.id, ...input, ifVersion: null }).pipe(inside)),
        "ValidationFailed"
      )
    }))
})
