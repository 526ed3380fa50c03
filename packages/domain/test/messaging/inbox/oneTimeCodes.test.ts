import { assert, describe } from "@effect/vitest"
import {
  type ChatAccount,
  findTemplateVariables,
  type MessageId,
  OneTimeCodes,
  previewMessageTemplate,
  retryMessage,
  sendMessage,
  updateConversation
} from "@parley/domain/messaging"
import { sendDueMessages } from "@parley/domain/composition"
import { asOperatorOf, givenContact, givenOrganization, givenTemplate, MemoryChat, type Of } from "@parley/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { eventsIn, givenChatAccount, givenConversation, readMessage, test } from "./given.ts"

const components = { authentication: { transfer: "copy_code", expiryMinutes: 5 } } as const

const givenLogin = Effect.fnUntraced(function* (organization: Of, { id }: Pick<ChatAccount, "id">) {
  const category = "authentication"
  const variables = findTemplateVariables(components)
  const template = yield* givenTemplate(organization, id, { category, components, variables, name: "login_code" })
  yield* (yield* MemoryChat.ChatScript).keepTemplate({
    ...template,
    externalId: template.id,
    status: "approved"
  })
  return template
})

const given = Effect.fnUntraced(function* (phone: string | null) {
  const organization = yield* givenOrganization({ plan: "scale" })
  const account = yield* givenChatAccount(organization)
  const contact = yield* givenContact(organization, {
    ...(phone === null ? {} : { phone }),
    identities: [{ kind: "chat_user", value: "DE.1" }]
  })
  const conversation = yield* givenConversation(organization, contact, account)
  const template = yield* givenLogin(organization, account)
  const inside = asOperatorOf(organization)
  const send = sendMessage({
    id: conversation.id,
    kind: "template",
    template: { id: template.id, values: { code: "J$FpnYnP" } }
  }).pipe(inside)
  return { organization, conversation, inside, send, template }
})

const findCode = (id: MessageId) => Effect.flatMap(OneTimeCodes, (codes) => codes.find(id))

describe("a one-time code", () => {
  test("goes to the phone of the contact, in the text and in the button", () =>
    Effect.gen(function* () {
      const { conversation, inside, send } = yield* given("+491701234561")
      yield* updateConversation({
        id: conversation.id,
        recipient: { kind: "chat_user", value: "DE.1" },
        ifVersion: null
      }).pipe(inside)
      yield* send
      yield* sendDueMessages
      const [sent] = yield* (yield* MemoryChat.ChatScript).sent
      assert.deepStrictEqual(sent?.message.to, { kind: "phone", value: "+491701234561" })
      const content = sent?.message.content
      if (content?.kind !== "template") return assert.fail("no template was sent")
      assert.deepStrictEqual(
        [content.template.body, content.template.buttons],
        [{ "1": "J$FpnYnP" }, [{ index: 0, type: "url", value: "J$FpnYnP" }]]
      )
    }))

  test("is absent from the stored text of the message", () =>
    Effect.gen(function* () {
      const { organization, send } = yield* given("+491701234561")
      const { text } = yield* readMessage(organization, yield* send)
      assert.strictEqual(text, "•••••• is your verification code.")
    }))

  test("is masked in the answer, in the stored message and in the events", () =>
    Effect.gen(function* () {
      const { organization, send } = yield* given("+491701234561")
      const message = yield* send
      assert.deepStrictEqual(message.template?.values, { code: "••••••" })
      assert.deepStrictEqual((yield* readMessage(organization, message)).template?.values, { code: "••••••" })
      assert.notInclude(JSON.stringify(yield* eventsIn(organization)), "J$FpnYnP")
    }))

  test("is masked in a preview", () =>
    Effect.gen(function* () {
      const { inside, template } = yield* given("+491701234561")
      const preview = yield* previewMessageTemplate({ id: template.id, values: { code: "J$FpnYnP" } }).pipe(inside)
      assert.strictEqual(preview.body, "•••••• is your verification code.")
      assert.notInclude(JSON.stringify(preview), "J$FpnYnP")
    }))

  test("survives failed attempts and a retry, and is deleted when the provider has accepted it", () =>
    Effect.gen(function* () {
      const { conversation, inside, organization, send } = yield* given("+491701234561")
      const script = yield* MemoryChat.ChatScript
      const message = yield* send
      yield* script.next({ kind: "refused", code: 131_026, remedy: "skip_recipient" }, "+491701234561")
      yield* sendDueMessages
      assert.strictEqual((yield* readMessage(organization, message)).status, "failed")
      yield* retryMessage({ id: conversation.id, messageId: message.id }).pipe(inside)
      yield* sendDueMessages
      assert.strictEqual((yield* readMessage(organization, message)).status, "sent")
      const [sent] = yield* script.sent
      const content = sent?.message.content
      assert.deepStrictEqual(content?.kind === "template" ? content.template.body : null, { "1": "J$FpnYnP" })
      assert.isNull(yield* findCode(message.id).pipe(inside))
    }))

  test("expires, and then a retry asks for a new message", () =>
    Effect.gen(function* () {
      const { conversation, inside, send } = yield* given("+491701234561")
      const message = yield* send
      const script = yield* MemoryChat.ChatScript
      yield* script.next({ kind: "refused", code: 131_026, remedy: "skip_recipient" }, "+491701234561")
      yield* sendDueMessages
      yield* TestClock.adjust("90 minutes")
      assert.strictEqual(yield* Effect.flatMap(OneTimeCodes, (codes) => codes.sweep()).pipe(inside), 1)
      const error = yield* Effect.flip(retryMessage({ id: conversation.id, messageId: message.id }).pipe(inside))
      assert.strictEqual(error._tag, "OneTimeCodeErased")
    }))

  test("fails for a contact without a phone number", () =>
    Effect.gen(function* () {
      const { organization, send } = yield* given(null)
      const message = yield* send
      yield* sendDueMessages
      const { error, status } = yield* readMessage(organization, message)
      assert.deepStrictEqual([status, error?.code], ["failed", "phone_number_required"])
    }))
})
