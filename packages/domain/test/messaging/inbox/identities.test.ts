import { assert, describe } from "@effect/vitest"
import type { Contact } from "@parley/domain/crm"
import { givenContact } from "@parley/testkit"
import { Effect } from "effect"
import { test } from "./given.ts"
import { readStage } from "./telling.ts"
import { givenNumber, phone, receipt, incoming, tell, user } from "./whatsAppStage.ts"

const values = ({ identities }: Pick<Contact, "identities">) => identities.map(({ kind, value }) => `${kind} ${value}`)

const onlyContact = Effect.fnUntraced(function* (organization: Parameters<typeof readStage>[0]) {
  const { contacts } = yield* readStage(organization)
  const [contact] = contacts
  assert.lengthOf(contacts, 1)
  return contact ?? assert.fail()
})

const from = { phone: null, chatUser: user, name: null }

describe("ids of a contact", () => {
  test("include a new id of the same person, so later messages with it join the conversation", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* givenNumber
      const content = { kind: "system", text: "Changed", newPhone: null, newChatUser: "DE.9" } as const
      yield* tell(organization, incoming(account, { from }))
      yield* tell(organization, incoming(account, { from, content }))
      yield* tell(organization, incoming(account, { from: { ...from, chatUser: "DE.9" } }))
      assert.sameMembers(values(yield* onlyContact(organization)), [`chat_user ${user}`, "chat_user DE.9"])
      assert.lengthOf((yield* readStage(organization)).conversations, 1)
    }))

  test("change together with the number, which becomes the phone of the contact", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* givenNumber
      const newPhone = "+491701234599"
      const content = { kind: "system", text: "Changed", newPhone, newChatUser: "DE.9" } as const
      yield* tell(organization, incoming(account), incoming(account, { content }))
      yield* tell(organization, incoming(account, { from: { ...from, chatUser: "DE.9" } }))
      const contact = yield* onlyContact(organization)
      assert.strictEqual(contact.phone, newPhone)
      assert.sameMembers(values(contact), [`phone ${phone}`, `phone ${newPhone}`, "chat_user DE.9"])
    }))

  test("include the parent id, which finds the person in another portfolio", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* givenNumber
      const parentUser = "DE.ENT.1"
      yield* tell(organization, incoming(account, { from: { ...from, parentUser } }))
      yield* tell(organization, incoming(account, { from: { ...from, chatUser: "DE.2", parentUser } }))
      assert.sameMembers(values(yield* onlyContact(organization)), [
        `chat_user ${user}`,
        `chat_user ${parentUser}`,
        "chat_user DE.2"
      ])
      const [conversation] = (yield* readStage(organization)).conversations
      assert.deepStrictEqual(conversation?.recipient, { kind: "chat_user", value: "DE.2" })
    }))

  test("include the own number that a person without a visible number shares on request", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* givenNumber
      const contacts = [{ name: "Ada", phones: [phone] }]
      yield* tell(organization, incoming(account, { from }))
      yield* tell(organization, incoming(account, { from, content: { kind: "contacts", contacts } }))
      assert.deepStrictEqual(values(yield* onlyContact(organization)), [`chat_user ${user}`])
      yield* tell(organization, incoming(account, { from, content: { kind: "contacts", contacts, ownPhone: phone } }))
      const contact = yield* onlyContact(organization)
      assert.strictEqual(contact.phone, phone)
      assert.sameMembers(values(contact), [`chat_user ${user}`, `phone ${phone}`])
    }))

  test("merge a contact that is known by the shared number only", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* givenNumber
      yield* givenContact(organization, { name: "Ada", phone })
      yield* tell(organization, incoming(account, { from }))
      const content = { kind: "contacts", contacts: [], ownPhone: phone } as const
      yield* tell(organization, incoming(account, { from, content }))
      assert.strictEqual((yield* onlyContact(organization)).name, "Ada")
    }))

  test("are learned from a receipt, so a later message without a number is from no stranger", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* givenNumber
      yield* givenContact(organization, { name: "Ada", phone })
      yield* tell(
        organization,
        incoming(account, { from }),
        receipt(account, { id: "wamid.out", to: { phone, chatUser: user } })
      )
      const contact = yield* onlyContact(organization)
      assert.deepStrictEqual([contact.name, ...values(contact)], ["Ada", `phone ${phone}`, `chat_user ${user}`])
    }))

  test("of a receipt create no contact", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* givenNumber
      yield* tell(organization, receipt(account, { id: "wamid.out", to: { phone, chatUser: user } }))
      assert.isEmpty((yield* readStage(organization)).contacts)
    }))

  test("exclude the username, which changes with each report", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* givenNumber
      yield* tell(organization, incoming(account, { from: { ...from, username: "ada" } }))
      yield* tell(organization, incoming(account, { from: { ...from, chatUser: "DE.2", username: "ada" } }))
      yield* tell(organization, incoming(account, { from: { ...from, username: "lovelace" } }))
      const { contacts } = yield* readStage(organization)
      assert.deepStrictEqual(
        contacts.map(({ username }) => username),
        ["lovelace", "ada"]
      )
    }))
})
