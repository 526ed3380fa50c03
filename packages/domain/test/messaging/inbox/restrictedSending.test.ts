import { assert, describe } from "@effect/vitest"
import type { ChatAccountRestriction } from "@parley/domain/messaging"
import { sendDueMessages } from "@parley/domain/composition"
import { givenContact, givenOrganization, MemoryChat } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { givenChatAccount, givenConversation, givenQueued, givenTalk, readMessage, test } from "./given.ts"
import { readStage } from "./telling.ts"

const restricted = Effect.fnUntraced(function* (restriction: ChatAccountRestriction, opened: boolean) {
  const organization = yield* givenOrganization({ plan: "scale" })
  const account = yield* givenChatAccount(organization, { restrictions: [restriction] })
  const now = yield* DateTime.now
  const contact = yield* givenContact(organization, { phone: "+491701234561" })
  const conversation = yield* givenConversation(organization, contact, account, {
    windowExpiresAt: DateTime.add(now, { hours: opened ? 1 : -1 })
  })
  const message = yield* givenQueued(organization, conversation)
  yield* sendDueMessages
  const { error, status } = yield* readMessage(organization, message)
  return [status, error?.code]
})

const restriction = (scope: ChatAccountRestriction["scopes"][number], expiresAt: DateTime.Utc | null = null) => ({
  type: "RESTRICTED",
  scopes: [scope],
  expiresAt
})

describe("a restriction of the account", () => {
  test("stops messages of its kind only, until it ends", () =>
    Effect.gen(function* () {
      const now = yield* DateTime.now
      const initiated = restriction("business_initiated_messages")
      assert.deepStrictEqual(yield* restricted(initiated, false), ["failed", "chat_account_restricted"])
      assert.deepStrictEqual(yield* restricted(initiated, true), ["sent", undefined])
      const answers = restriction("customer_initiated_messages")
      assert.deepStrictEqual(yield* restricted(answers, true), ["failed", "chat_account_restricted"])
      assert.deepStrictEqual(yield* restricted(restriction("business_initiated_calls"), false), ["sent", undefined])
      const ended = restriction("customer_initiated_messages", DateTime.subtract(now, { seconds: 1 }))
      assert.deepStrictEqual(yield* restricted(ended, true), ["sent", undefined])
    }))
})

describe("the answer to a message", () => {
  test("adds the number as the provider writes it, and the chat user id, to the contact", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const account = yield* givenChatAccount(organization)
      const { conversation, phone } = yield* givenTalk(organization, account)
      const message = yield* givenQueued(organization, conversation)
      const { sending } = yield* MemoryChat.whole
      const send: typeof sending.send = (line, outgoing) =>
        Effect.map(sending.send(line, outgoing), (accepted) => ({
          ...accepted,
          recipient: { input: phone, phone: "+5511987654321", chatUser: "BR.1" }
        }))
      yield* sendDueMessages.pipe(MemoryChat.through({ sending: { ...sending, send } }))
      assert.strictEqual((yield* readMessage(organization, message)).status, "sent")
      const { contacts } = yield* readStage(organization)
      assert.sameMembers(
        contacts.flatMap(({ identities }) => identities.map(({ value }) => value)),
        [phone, "+5511987654321", "BR.1"]
      )
      assert.strictEqual(contacts[0]?.phone, phone)
    }))
})
