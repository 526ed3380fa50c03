import { assert, describe } from "@effect/vitest"
import {
  type ChatAccount,
  findTemplateVariables,
  sendDueMessages,
  sendMessage,
  updateConversation
} from "@parley/domain"
import { asOperatorOf, givenContact, givenOrganization, givenTemplate, MemoryChat, type Of } from "@parley/testkit"
import { Effect } from "effect"
import { givenChatAccount, givenConversation, readMessage, test } from "./given.ts"

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
  return { organization, conversation, inside, send }
})

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

  test("fails for a contact without a phone number", () =>
    Effect.gen(function* () {
      const { organization, send } = yield* given(null)
      const message = yield* send
      yield* sendDueMessages
      const { error, status } = yield* readMessage(organization, message)
      assert.deepStrictEqual([status, error?.code], ["failed", "phone_number_required"])
    }))
})
