import { assert, describe } from "@effect/vitest"
import { asOperatorOf } from "@parley/testkit"
import { Effect } from "effect"
import { findRepliedProviderId } from "../../../src/messaging/inbox/sending/messageContent.ts"
import { eventsIn, test } from "./given.ts"
import { storyEnd } from "./story.ts"
import { readStage } from "./telling.ts"
import { givenNumber, past, phone, incoming, tell, typesIn } from "./whatsAppStage.ts"

describe("the history of a number", () => {
  test("fills the inbox without events of messages, unread messages or an open window", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* givenNumber
      yield* tell(
        organization,
        past(account),
        past(account, { direction: "outbound", status: "read", content: { kind: "text", text: "We are." } }),
        past(account, { direction: "outbound", status: "error" })
      )
      const { contacts, conversations, messages } = yield* readStage(organization)
      assert.sameDeepMembers(
        messages.map(({ author, details, direction, status }) => [direction, author.kind, status, details]),
        [
          ["inbound", "contact", "received", { history: true }],
          ["outbound", "phone_app", "read", { history: true }],
          ["outbound", "phone_app", "failed", { history: true }]
        ]
      )
      const [conversation] = conversations
      assert.deepInclude(
        { ...conversation },
        { status: "resolved", inboundCount: 1, readCount: 1, windowExpiresAt: null, waitingSince: null }
      )
      assert.isNull(contacts[0]?.lastInboundAt)
      const events = yield* eventsIn(organization)
      assert.deepStrictEqual(
        events.filter(({ type }) => type.startsWith("contact.")),
        [{ type: "contact.created", contactId: contacts[0]?.id, imported: true }]
      )
      assert.isFalse(events.some(({ type }) => type.startsWith("message.") || type.startsWith("conversation.")))
    }))

  test("joins the conversation of current messages, in any order and once", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* givenNumber
      const old = past(account)
      yield* tell(organization, incoming(account))
      yield* tell(organization, old, old)
      yield* tell(organization, old)
      const { conversations, messages } = yield* readStage(organization)
      assert.lengthOf(messages, 2)
      const [conversation, ...others] = conversations
      assert.isEmpty(others)
      assert.deepInclude({ ...conversation }, { status: "open", inboundCount: 2, readCount: 1 })
      assert.deepStrictEqual(conversation?.lastMessage?.at, storyEnd)
      assert.strictEqual((yield* typesIn(organization)).filter((type) => type === "message.received").length, 1)
    }))

  test("keeps the placeholder of a file, and adds the file when it follows", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* givenNumber
      const placeholder = past(account, { content: { kind: "unsupported", type: "media_placeholder" } })
      const media = { mediaId: "77", mimeType: "image/png", sha256: null, caption: null, filename: null }
      const file = { ...placeholder, content: { kind: "image", media } } as const
      yield* tell(organization, placeholder)
      yield* tell(organization, file)
      yield* tell(organization, file)
      const { messages } = yield* readStage(organization)
      assert.sameMembers(
        messages.map(({ kind }) => kind),
        ["unsupported", "image"]
      )
    }))

  test("refers to a file that followed its placeholder by the id of the provider", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* givenNumber
      const placeholder = past(account, { content: { kind: "unsupported", type: "media_placeholder" } })
      const media = { mediaId: "77", mimeType: "image/png", sha256: null, caption: null, filename: null }
      yield* tell(organization, placeholder)
      yield* tell(organization, { ...placeholder, content: { kind: "image", media } })
      yield* tell(organization, incoming(account, { replyTo: placeholder.id }))
      yield* tell(organization, incoming(account, { content: { kind: "revocation", of: placeholder.id } }))
      const { messages } = yield* readStage(organization)
      const file = messages.find(({ kind }) => kind === "image") ?? assert.fail()
      for (const kind of ["text", "revocation"]) {
        assert.strictEqual(messages.find((each) => each.kind === kind)?.replyToId, file.id, kind)
      }
      assert.isNotNull(file.revokedAt)
      const named = yield* findRepliedProviderId(file.conversationId, file.id).pipe(asOperatorOf(organization))
      assert.strictEqual(named, placeholder.id)
    }))
})

describe("the address book of a number", () => {
  test("adds contacts as an import, and keeps removed ones", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* givenNumber
      const entry = {
        kind: "address",
        phoneId: account.externalPhoneId,
        at: storyEnd,
        person: { phone, chatUser: null },
        name: "Pablo Morales",
        action: "add"
      } as const
      yield* tell(organization, entry, {
        ...entry,
        action: "remove",
        person: { phone: "+491701234599", chatUser: null }
      })
      yield* tell(organization, { ...entry, action: "remove" })
      const { contacts, conversations } = yield* readStage(organization)
      assert.deepStrictEqual(
        contacts.map(({ name, phone }) => [name, phone]),
        [["Pablo Morales", phone]]
      )
      assert.isEmpty(conversations)
      assert.deepInclude(yield* eventsIn(organization), {
        type: "contact.created",
        contactId: contacts[0]?.id,
        imported: true
      })
    }))
})

describe("calls and messages in groups", () => {
  const call = { callId: "wacid.1", event: "connect", status: null, durationSeconds: null } as const

  test("and messages from the phone app add a person as an import, unless the person also writes", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* givenNumber
      const from = (person: string) => ({ phone: `+4917012345${person}`, chatUser: null, name: null })
      const group = { kind: "group", groupId: "group-1", text: "Good morning" } as const
      const welcome = { kind: "system", text: "Opened", newPhone: null, isWelcome: true } as const
      const { from: to, ...echo } = incoming(account, { from: from("62") })
      yield* tell(
        organization,
        incoming(account, {
          from: from("60"),
          content: { kind: "call", call: { ...call, direction: "user_initiated" } }
        }),
        incoming(account, { from: from("61"), content: group }),
        { ...echo, kind: "echo", to },
        incoming(account, { from: from("63"), content: group }),
        incoming(account, { from: from("63") }),
        incoming(account, { from: from("64"), content: welcome })
      )
      const { contacts } = yield* readStage(organization)
      const phones = new Map<unknown, string | null>(contacts.map((contact) => [contact.id, contact.phone]))
      const created = (yield* eventsIn(organization)).flatMap((event) =>
        event.type === "contact.created" ? [[phones.get(event.contactId)?.slice(-2), event.imported ?? false]] : []
      )
      assert.sameDeepMembers(created, [
        ["60", true],
        ["61", true],
        ["62", true],
        ["63", false],
        ["64", false]
      ])
    }))

  test("report no opened conversation, because the conversation is resolved until the contact writes", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* givenNumber
      const from = (digits: string) => ({ phone: `+4917012345${digits}`, chatUser: null, name: null })
      const { from: to, ...echo } = incoming(account, { from: from("71") })
      yield* tell(
        organization,
        incoming(account, {
          from: from("70"),
          content: { kind: "call", call: { ...call, direction: "user_initiated" } }
        }),
        { ...echo, kind: "echo", to },
        incoming(account, { from: from("72"), content: { kind: "group", groupId: "group-1", text: "Good morning" } })
      )
      assert.notInclude(yield* typesIn(organization), "conversation.opened")
      yield* tell(organization, incoming(account, { from: from("71") }), incoming(account, { from: from("73") }))
      const events = yield* eventsIn(organization)
      assert.lengthOf(
        events.filter(({ type }) => type === "conversation.opened"),
        1
      )
      assert.deepStrictEqual(
        events.flatMap((event) => (event.type === "conversation.status_changed" ? [[event.from, event.to]] : [])),
        [["resolved", "open"]]
      )
      assert.deepStrictEqual(
        events.flatMap((event) => (event.type === "message.echoed" ? [event.chatAccountId] : [])),
        [account.id]
      )
    }))

  test("are in the conversation, and only a call of the contact opens the window", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* givenNumber
      const windowOf = Effect.map(readStage(organization), ({ conversations }) => conversations[0]?.windowExpiresAt)
      yield* tell(
        organization,
        incoming(account, { content: { kind: "group", groupId: "group-1", text: "Good morning" } }),
        incoming(account, { content: { kind: "call", call: { ...call, direction: "business_initiated" } } })
      )
      assert.isNull(yield* windowOf)
      yield* tell(
        organization,
        incoming(account, { content: { kind: "call", call: { ...call, direction: "user_initiated" } } })
      )
      assert.isNotNull(yield* windowOf)
      const { conversations, messages } = yield* readStage(organization)
      assert.deepInclude(
        { ...conversations[0] },
        { status: "resolved", waitingSince: null, inboundCount: 3, readCount: 3 }
      )
      assert.sameDeepMembers(
        messages.map(({ details, kind, text }) => [kind, text, details?.groupId ?? details?.call?.direction]),
        [
          ["system", "Good morning", "group-1"],
          ["system", "Call of the business: connect", "business_initiated"],
          ["system", "Call of the contact: connect", "user_initiated"]
        ]
      )
    }))
})
