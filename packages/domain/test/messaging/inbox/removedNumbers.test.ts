import { assert, describe } from "@effect/vitest"
import type { Organization } from "@parley/domain/platform"
import {
  type ChatAccount,
  connectChatAccount,
  getChatAccount,
  type InboundEvent,
  listConversations,
  listMessages,
  type Message,
  removeChatAccount,
  retryMessage,
  sendMessage
} from "@parley/domain/messaging"
import { type Ports, sendDueMessages } from "@parley/domain/composition"
import { applyReportedEvents, asOperatorOf, givenOrganization, MemoryChat } from "@parley/testkit"
import { DateTime, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { whyOf } from "./faults.ts"
import { givenChatAccount, givenQueued, givenTalk, readMessage, test } from "./given.ts"

const all = { limit: 100, cursor: null }

const given = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const account = yield* givenChatAccount(organization)
  return {
    organization,
    account,
    inside: asOperatorOf(organization),
    script: yield* MemoryChat.ChatScript,
    ...(yield* givenTalk(organization, account))
  }
})

const remove = (organization: Organization, { id }: ChatAccount) =>
  removeChatAccount({ id, ifVersion: null }).pipe(asOperatorOf(organization))

const connect = (organization: Organization, { externalAccountId, externalPhoneId }: ChatAccount, token = "token-2") =>
  connectChatAccount({
    externalAccountId,
    externalPhoneId,
    accessToken: Redacted.make(token),
    appSecret: Redacted.make("app-secret-2")
  }).pipe(asOperatorOf(organization))

const statusOf = (organization: Organization, message: Message) =>
  Effect.map(readMessage(organization, message), ({ error, status }) => [status, error?.code ?? null])

const tokens = Effect.flatMap(MemoryChat.ChatScript, ({ sent }) =>
  Effect.map(sent, (all) => all.map(({ line, message }) => [message.reference, Redacted.value(line.accessToken)]))
)

const input = (
  { externalPhoneId: phoneId }: ChatAccount,
  phone: string,
  id: string,
  at: DateTime.Utc
): Extract<InboundEvent, { kind: "message" }> => ({
  kind: "message",
  phoneId,
  id,
  at,
  from: { phone, chatUser: null, name: "Ada" },
  content: { kind: "text", text: id },
  replyTo: null,
  fromAdvertisement: false
})

describe("queued messages of a removed number", () => {
  test("waits, and goes out once by the new right when the number is connected again", () =>
    Effect.gen(function* () {
      const { account, conversation, organization } = yield* given
      const first = yield* givenQueued(organization, conversation)
      const second = yield* givenQueued(organization, conversation)
      yield* remove(organization, account)
      yield* TestClock.adjust("3 hours")
      yield* sendDueMessages
      assert.deepStrictEqual(yield* statusOf(organization, first), ["queued", null])
      assert.deepStrictEqual(yield* tokens, [])
      yield* connect(organization, account)
      yield* sendDueMessages
      yield* sendDueMessages
      assert.deepStrictEqual(yield* tokens, [
        [first.id, "token-2"],
        [second.id, "token-2"]
      ])
      assert.deepStrictEqual(yield* statusOf(organization, second), ["sent", null])
    }))

  test("fail visibly after a day and can be retried over the number", () =>
    Effect.gen(function* () {
      const { account, conversation, inside, organization } = yield* given
      const message = yield* givenQueued(organization, conversation)
      yield* remove(organization, account)
      yield* TestClock.adjust("24 hours")
      yield* sendDueMessages
      assert.deepStrictEqual(yield* statusOf(organization, message), ["failed", "chat_account_removed"])
      const retry = retryMessage({ id: conversation.id, messageId: message.id }).pipe(inside)
      assert.strictEqual(yield* whyOf(retry), "ChatAccountDisconnected")
      yield* connect(organization, account)
      yield* sendDueMessages
      assert.deepStrictEqual(yield* tokens, [])
    }))

  test("waits also where it comes into the queue when the number is gone already", () =>
    Effect.gen(function* () {
      const { account, conversation, organization } = yield* given
      yield* remove(organization, account)
      const message = yield* givenQueued(organization, conversation)
      yield* sendDueMessages
      assert.deepStrictEqual(yield* statusOf(organization, message), ["queued", null])
      yield* connect(organization, account)
      yield* sendDueMessages
      assert.deepStrictEqual(yield* tokens, [[message.id, "token-2"]])
    }))

  test("is not sent twice when the number is removed and connected while the provider is called", () =>
    Effect.gen(function* () {
      const { account, conversation, organization } = yield* given
      const message = yield* givenQueued(organization, conversation)
      const channel = yield* MemoryChat.whole
      const outside = yield* Effect.context<Ports>()
      const reconnect = Effect.orDie(
        Effect.andThen(remove(organization, account), connect(organization, account)).pipe(
          Effect.provideContext(outside)
        )
      )
      yield* sendDueMessages.pipe(
        MemoryChat.through({
          sending: {
            ...channel.sending,
            send: (line, outgoing) => Effect.andThen(reconnect, channel.sending.send(line, outgoing))
          }
        })
      )
      yield* sendDueMessages
      assert.deepStrictEqual(
        (yield* tokens).map(([reference]) => reference),
        [message.id]
      )
      assert.deepStrictEqual(yield* statusOf(organization, message), ["sent", null])
    }))

  test("leaves the number connected when the former right is refused after the new one was given", () =>
    Effect.gen(function* () {
      const { account, conversation, inside, organization, script } = yield* given
      const message = yield* givenQueued(organization, conversation)
      const channel = yield* MemoryChat.whole
      const outside = yield* Effect.context<Ports>()
      const reconnect = Effect.orDie(
        Effect.gen(function* () {
          yield* remove(organization, account)
          yield* TestClock.adjust("1 second")
          yield* connect(organization, account)
        }).pipe(Effect.provideContext(outside))
      )
      yield* script.revoke(`token of ${account.id}`)
      yield* sendDueMessages.pipe(
        MemoryChat.through({
          sending: {
            ...channel.sending,
            send: (line, outgoing) => Effect.andThen(reconnect, channel.sending.send(line, outgoing))
          }
        })
      )
      assert.deepStrictEqual(yield* statusOf(organization, message), ["failed", "chat_account_unauthorized"])
      assert.strictEqual((yield* getChatAccount({ id: account.id }).pipe(inside)).status, "connected")
    }))
})

describe("a conversation over a number that is removed", () => {
  test("stays, can be found by the number, and takes no message until that is connected again", () =>
    Effect.gen(function* () {
      const { account, conversation, inside, organization, phone } = yield* given
      yield* applyReportedEvents([input(account, phone, "before", yield* DateTime.now)]).pipe(inside)
      yield* remove(organization, account)
      const found = listConversations({ chatAccountId: account.id, page: all }).pipe(
        inside,
        Effect.map(({ data }) => data.map(({ id }) => id))
      )
      assert.deepStrictEqual(yield* found, [conversation.id])
      const write = sendMessage({ id: conversation.id, kind: "text", text: "Hello" }).pipe(inside)
      assert.strictEqual(yield* whyOf(write), "ChatAccountDisconnected")
      yield* connect(organization, account)
      assert.strictEqual(yield* whyOf(write), "ok")
      yield* applyReportedEvents([input(account, phone, "after", yield* DateTime.now)]).pipe(inside)
      assert.deepStrictEqual(yield* found, [conversation.id])
    }))

  test("has messages from before the removal, also if processed late, and none from after", () =>
    Effect.gen(function* () {
      const { account, conversation, inside, organization, phone } = yield* given
      const before = yield* DateTime.now
      yield* TestClock.adjust("1 minute")
      yield* remove(organization, account)
      yield* TestClock.adjust("1 minute")
      const result = [input(account, phone, "before", before), input(account, phone, "meanwhile", yield* DateTime.now)]
      yield* applyReportedEvents(result).pipe(inside)
      const { data } = yield* listMessages({ id: conversation.id, page: all }).pipe(inside)
      assert.deepStrictEqual(
        data.map(({ providerMessageId }) => providerMessageId),
        ["before"]
      )
    }))
})
