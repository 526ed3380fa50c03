import { assert, describe } from "@effect/vitest"
import { CurrentOrganization } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import { type Contact, ContactHistory, getContact, updateContact } from "@parley/domain/crm"
import {
  type ChatAccount,
  ChatAccounts,
  Conversations,
  type InboundContent,
  MediaLibrary,
  type Message,
  Messages,
  wakeSnoozed
} from "@parley/domain/messaging"
import { applyReportedEvents, asOperatorOf, givenContact, givenOrganization, type ReportedEvent } from "@parley/testkit"
import { DateTime, Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import { eventsIn, givenChatAccount, givenConversation, givenQueued, readMessage, test } from "./given.ts"
import { storyEnd } from "./story.ts"
import { readStage } from "./telling.ts"

const phone = "+491701234561"

const given = Effect.gen(function* () {
  yield* TestClock.setTime(DateTime.toEpochMillis(storyEnd))
  const organization = yield* givenOrganization({ plan: "scale" })
  return { organization, account: yield* givenChatAccount(organization) }
})

let count = 0

type Said = Extract<ReportedEvent, { readonly kind: "message" }>

const input = ({ externalPhoneId: phoneId }: ChatAccount, fields: Partial<Said> = {}): Said => {
  count += 1
  return {
    kind: "message",
    phoneId,
    id: `wamid.${count}`,
    at: storyEnd,
    from: { phone, chatUser: null, name: null },
    content: { kind: "text", text: "Hello" },
    replyTo: null,
    fromAdvertisement: false,
    ...fields
  }
}

type Receipt = Extract<ReportedEvent, { readonly kind: "receipt" }>

const receipt = (
  { externalPhoneId: phoneId }: ChatAccount,
  { createdAt: at }: Message,
  fields: Partial<Receipt> & Pick<Receipt, "id">
): Receipt => ({
  kind: "receipt",
  phoneId,
  at,
  status: "delivered",
  to: { phone, chatUser: null },
  reference: null,
  error: null,
  ...fields
})

const tell = (organization: Organization, ...events: ReadonlyArray<ReportedEvent>) =>
  applyReportedEvents(events).pipe(asOperatorOf(organization))

const read = (organization: Organization, { id }: Pick<Contact, "id">) =>
  getContact({ id }).pipe(asOperatorOf(organization), Effect.orDie)

const ledgerOf = (organization: Organization, { id }: Pick<Contact, "id">) =>
  Effect.map(
    Effect.flatMap(ContactHistory, (history) => history.consents(id, { limit: 100, after: null })).pipe(
      asOperatorOf(organization)
    ),
    (entries) => entries.map(({ evidence, source, state }) => [state, source, evidence])
  )

const values = ({ identities }: Contact) => identities.map(({ kind, value }) => `${kind} ${value}`)

describe("senders", () => {
  test("is found by any spelling of the number, or made with the name of the profile", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const known = yield* givenContact(organization, { name: null, phone: "+5511987654321" })
      const older = { phone: "+551187654321", chatUser: null, name: " Grace\u0000\n Hopper " }
      yield* tell(organization, input(account, { from: older }), input(account, { from: { ...older, phone } }))
      const { contacts } = yield* readStage(organization)
      assert.deepStrictEqual(
        contacts.map(({ lastInboundAt, name, phone }) => [name, phone, lastInboundAt]),
        [
          ["Grace Hopper", "+5511987654321", storyEnd],
          ["Grace Hopper", phone, storyEnd]
        ]
      )
      assert.strictEqual(contacts[0]?.id, known.id)
      assert.deepStrictEqual(contacts[1]?.identities[0]?.source, "chat")
      const types = (yield* eventsIn(organization)).map(({ type }) => type)
      assert.includeMembers(types, ["contact.created", "contact.updated", "conversation.opened", "message.received"])
    }))

  test("is published with the receiving number, also during a wait for an answer", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      yield* tell(organization, input(account), input(account), input(account))
      const result = (yield* eventsIn(organization)).filter(({ type }) => type === "message.received")
      assert.deepStrictEqual(
        result.map((event) => Reflect.get(event, "chatAccountId")),
        [account.id, account.id, account.id]
      )
    }))

  test("is known by the chat user id after the first report with id and number", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const known = yield* givenContact(organization, { phone })
      yield* tell(organization, input(account, { from: { phone, chatUser: "DE.1", name: null } }))
      yield* tell(organization, input(account, { from: { phone: null, chatUser: "DE.1", name: null } }))
      const { contacts, conversations } = yield* readStage(organization)
      assert.lengthOf(contacts, 1)
      assert.deepStrictEqual(values(yield* read(organization, known)), [`phone ${phone}`, "chat_user DE.1"])
      assert.deepStrictEqual([conversations.length, conversations[0]?.inboundCount], [1, 2])
    }))

  test("is the chat user if the number belongs to another contact; both stay unchanged", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const numbered = yield* givenContact(organization, { phone, marketing: { state: "subscribed" } })
      const user = yield* givenContact(organization, {
        identities: [{ kind: "chat_user", value: "DE.1" }],
        marketing: { state: "subscribed" }
      })
      yield* tell(organization, input(account, { from: { phone, chatUser: "DE.1", name: null } }))
      const { conversations } = yield* readStage(organization)
      assert.deepStrictEqual(
        conversations.map(({ contactId }) => contactId),
        [user.id]
      )
      assert.deepStrictEqual(values(yield* read(organization, numbered)), [`phone ${phone}`])
      assert.deepStrictEqual(values(yield* read(organization, user)), ["chat_user DE.1"])
    }))

  test("keeps the previous number and receives messages at the new number", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const contact = yield* givenContact(organization, { phone })
      const next = "+491701234999"
      const content: InboundContent = { kind: "system", text: "The number has changed.", newPhone: next.slice(1) }
      yield* tell(organization, input(account), input(account, { content }))
      yield* tell(organization, input(account, { from: { phone: next, chatUser: null, name: null } }))
      const after = yield* read(organization, contact)
      assert.deepStrictEqual([after.phone, values(after)], [next, [`phone ${phone}`, `phone ${next}`]])
      const { contacts, conversations } = yield* readStage(organization)
      assert.lengthOf(contacts, 1)
      assert.deepStrictEqual(
        conversations.map(({ inboundCount, readCount }) => [inboundCount, readCount]),
        [[3, 1]]
      )
    }))
})

describe("a conversation", () => {
  for (const status of ["snoozed", "pending", "open"] as const) {
    test(`that is ${status} is open after the contact has written`, () =>
      Effect.gen(function* () {
        const { account, organization } = yield* given
        const contact = yield* givenContact(organization, { phone })
        const snoozedUntil = status === "snoozed" ? DateTime.add(storyEnd, { days: 1 }) : null
        const before = yield* givenConversation(organization, contact, account, { status, snoozedUntil })
        yield* tell(organization, input(account))
        const [after, ...others] = (yield* readStage(organization)).conversations
        assert.isEmpty(others)
        assert.deepStrictEqual([after?.id, after?.status, after?.snoozedUntil], [before.id, "open", null])
      }))
  }

  test("that was resolved opens again for a week, and after that another one begins", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const contact = yield* givenContact(organization, { phone })
      const fields = { status: "resolved", resolvedAt: DateTime.subtract(storyEnd, { days: 7 }) } as const
      const before = yield* givenConversation(organization, contact, account, fields)
      yield* tell(organization, input(account))
      const [reopened] = (yield* readStage(organization)).conversations
      assert.deepStrictEqual([reopened?.id, reopened?.status, reopened?.resolvedAt], [before.id, "open", null])

      const other = yield* givenContact(organization, { phone: "+491701234562" })
      const long = { ...fields, resolvedAt: DateTime.subtract(fields.resolvedAt, { seconds: 1 }) }
      const left = yield* givenConversation(organization, other, account, long)
      yield* tell(organization, input(account, { from: { phone: other.phone, chatUser: null, name: null } }))
      const theirs = (yield* readStage(organization)).conversations.filter(({ contactId }) => contactId === other.id)
      assert.deepStrictEqual(
        theirs.map(({ id, status }) => [id === left.id, status]),
        [
          [true, "resolved"],
          [false, "open"]
        ]
      )
    }))

  test("of a blocked contact stores messages without unread counts", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const contact = yield* givenContact(organization, { phone })
      yield* updateContact({ id: contact.id, blocked: true, ifVersion: null }).pipe(asOperatorOf(organization))
      yield* tell(organization, input(account))
      const { conversations, messages } = yield* readStage(organization)
      assert.lengthOf(messages, 1)
      assert.deepStrictEqual(
        conversations.map(({ inboundCount, readCount, status }) => [status, inboundCount, readCount]),
        [["resolved", 1, 1]]
      )
      const types = (yield* eventsIn(organization)).map(({ type }) => type)
      assert.notInclude(types, "message.received")
    }))

  test("to an agent of the provider is in the inbox and opens the window, but asks nothing of the team", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      yield* tell(organization, input(account, { isHeld: true }))
      const { conversations, messages } = yield* readStage(organization)
      assert.deepStrictEqual(
        messages.map(({ direction, text }) => [direction, text]),
        [["inbound", "Hello"]]
      )
      assert.deepStrictEqual(
        conversations.map(({ inboundCount, readCount, windowExpiresAt }) => [
          inboundCount === readCount,
          windowExpiresAt !== null
        ]),
        [[true, true]]
      )
      const types = (yield* eventsIn(organization)).map(({ type }) => type)
      assert.notInclude(types, "message.received")
    }))

  test("is one contact when many concurrent deliveries report its messages", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      yield* givenContact(organization, { phone })
      yield* Effect.forEach(Array.from({ length: 8 }), () => tell(organization, input(account)), {
        concurrency: "unbounded"
      })
      const { conversations } = yield* readStage(organization)
      assert.deepStrictEqual(
        conversations.map(({ inboundCount, readCount }) => inboundCount - readCount),
        [8]
      )
    }))
})

describe("a message", () => {
  test("keeps its content, and its file if the provider has it", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const media = { mediaId: "77", mimeType: "image/png", sha256: null, caption: "Look", filename: "a.png" }
      yield* tell(organization, input(account, { content: { kind: "image", media } }))
      const [message] = (yield* readStage(organization)).messages
      if (message?.media == null) return assert.fail("There is no file.")
      assert.deepStrictEqual([message.kind, message.text, message.status], ["image", "Look", "received"])
      const file = yield* (yield* MediaLibrary).get(message.media.id).pipe(asOperatorOf(organization))
      assert.deepStrictEqual(
        [file.state, file.mimeType, file.filename, { ...file.remote }],
        ["remote", "image/png", "a.png", { chatAccountId: account.id, mediaId: "77" }]
      )
    }))

  test("names the message of ours that it answers", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const contact = yield* givenContact(organization, { phone })
      const conversation = yield* givenConversation(organization, contact, account)
      const asked = yield* givenQueued(organization, conversation, { status: "sent", providerMessageId: "wamid.q" })
      const content: InboundContent = { kind: "reaction", to: "wamid.q", emoji: "👍" }
      yield* tell(organization, input(account, { replyTo: "wamid.q" }), input(account, { content }))
      const answers = (yield* readStage(organization)).messages.filter(({ direction }) => direction === "inbound")
      assert.deepStrictEqual(answers.map(({ kind, replyToId, text }) => [kind, text, replyToId]).toSorted(), [
        ["reaction", "👍", asked.id],
        ["text", "Hello", asked.id]
      ])
    }))

  test("references the answered message, also if that one is reported later", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const contact = yield* givenContact(organization, { phone })
      const conversation = yield* givenConversation(organization, contact, account)
      const sent = yield* givenQueued(organization, conversation, { status: "in_doubt" })
      const content: InboundContent = { kind: "reaction", to: "wamid.late", emoji: "👍" }
      yield* tell(
        organization,
        input(account, { id: "wamid.1", replyTo: "wamid.2" }),
        input(account, { id: "wamid.2", replyTo: "wamid.late" }),
        input(account, { id: "wamid.3", content })
      )
      yield* tell(organization, input(account, { id: "wamid.4", replyTo: "wamid.5" }))
      yield* tell(organization, input(account, { id: "wamid.5" }))
      yield* tell(organization, receipt(account, sent, { id: "wamid.late", reference: sent.id }))
      const { messages } = yield* readStage(organization)
      const ids = Object.fromEntries(messages.map(({ id, providerMessageId }) => [id, providerMessageId]))
      assert.deepStrictEqual(
        Object.fromEntries(
          messages.flatMap(({ providerMessageId, replyToId }) =>
            replyToId === null ? [] : [[providerMessageId, ids[replyToId]]]
          )
        ),
        { "wamid.1": "wamid.2", "wamid.2": "wamid.late", "wamid.3": "wamid.late", "wamid.4": "wamid.5" }
      )
    }))

  test("to an unconnected number has no effect", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      yield* tell(organization, { ...input(account), phoneId: "elsewhere" })
      const { contacts, messages } = yield* readStage(organization)
      assert.deepStrictEqual([contacts.length, messages.length], [0, 0])
    }))
})

describe("marketing", () => {
  for (const text of ["STOP", " stop. ", "Arrêt", "baja", "PARAR!"]) {
    test(`ends at once with the word ${JSON.stringify(text)}`, () =>
      Effect.gen(function* () {
        const { account, organization } = yield* given
        const contact = yield* givenContact(organization, { phone, marketing: { state: "subscribed" } })
        yield* tell(organization, input(account, { content: { kind: "text", text } }))
        const { consent } = yield* read(organization, contact)
        assert.deepStrictEqual([consent.marketing, consent.source], ["unsubscribed", "chat_keyword"])
        assert.deepInclude(yield* ledgerOf(organization, contact), ["unsubscribed", "chat_keyword", text])
      }))
  }

  test("does not end with a word within others", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const contact = yield* givenContact(organization, { phone, marketing: { state: "subscribed" } })
      for (const text of ["Please stop by", "non-stop", "stop it", "👍"]) {
        yield* tell(organization, input(account, { content: { kind: "text", text } }))
      }
      assert.strictEqual((yield* read(organization, contact)).consent.marketing, "subscribed")
    }))

  test("is the last message at the provider, also for a contact that never wrote", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const { externalPhoneId: phoneId } = account
      const prefer = (marketing: "stop" | "resume", seconds: number): ReportedEvent => ({
        kind: "preference",
        phoneId,
        at: DateTime.subtract(storyEnd, { seconds }),
        from: { phone, chatUser: null },
        marketing
      })
      yield* tell(organization, prefer("resume", 10), prefer("stop", 5))
      yield* tell(organization, prefer("resume", 7))
      const [contact] = (yield* readStage(organization)).contacts
      if (contact === undefined) return assert.fail("There is no contact.")
      assert.strictEqual(contact.consent.marketing, "unsubscribed")
      assert.sameDeepMembers(yield* ledgerOf(organization, contact), [
        ["subscribed", "chat_preferences", null],
        ["unsubscribed", "chat_preferences", null]
      ])
    }))
})

describe("a receipt that comes too early", () => {
  test("counts when another report names its message, also after a retry", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const contact = yield* givenContact(organization, { phone })
      const conversation = yield* givenConversation(organization, contact, account)
      for (const providerMessageId of [null, "wamid.former"]) {
        const message = yield* givenQueued(organization, conversation, { providerMessageId })
        const id = `wamid.next.${providerMessageId}`
        yield* tell(organization, receipt(account, message, { id, status: "read" }))
        yield* tell(organization, receipt(account, message, { id, reference: message.id }))
        const after = yield* readMessage(organization, message)
        assert.deepStrictEqual([after.status, after.providerMessageId], ["read", id])
      }
    }))

  test("is not stored if its message received the provider id in between", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const contact = yield* givenContact(organization, { phone })
      const conversation = yield* givenConversation(organization, contact, account)
      const message = yield* givenQueued(organization, conversation, { status: "sent", providerMessageId: "wamid.q" })
      const messages = yield* Messages
      // The sender has not committed yet at the time of the search.
      const blind = { ...messages, lockByProvider: () => Effect.succeed([]) }
      const early = tell(organization, receipt(account, message, { id: "wamid.q", status: "read" }))
      const exit = yield* Effect.exit(Effect.provideService(early, Messages, blind))
      assert.isTrue(Exit.isFailure(exit))
      yield* early
      assert.strictEqual((yield* readMessage(organization, message)).status, "read")
    }))
})

test("a receipt has no effect on messages of another account", () =>
  Effect.gen(function* () {
    const { account, organization } = yield* given
    const other = yield* givenChatAccount(organization)
    const contact = yield* givenContact(organization, { phone })
    const conversation = yield* givenConversation(organization, contact, account)
    for (const providerMessageId of [null, "wamid.known"]) {
      const message = yield* givenQueued(organization, conversation, { status: "in_doubt", providerMessageId })
      const id = providerMessageId ?? "wamid.new"
      const foreign = receipt(other, message, { id, reference: message.id, status: "read" })
      yield* tell(organization, foreign)
      assert.deepStrictEqual(yield* readMessage(organization, message), message)
      const own = receipt(account, message, { id, reference: message.id })
      yield* tell(organization, own, foreign)
      yield* tell(organization, foreign, own)
      const after = yield* readMessage(organization, message)
      assert.deepStrictEqual([after.status, after.providerMessageId, after.readAt], ["delivered", id, null])
    }
  }))

test("a message that fails within the second of its sending fails after it", () =>
  Effect.gen(function* () {
    const { account, organization } = yield* given
    const contact = yield* givenContact(organization, { phone })
    const conversation = yield* givenConversation(organization, contact, account)
    yield* TestClock.adjust("100 millis")
    const sentAt = DateTime.add(storyEnd, { milliseconds: 700 })
    const fields = { status: "sent", providerMessageId: "wamid.f", sentAt } as const
    const message = yield* givenQueued(organization, conversation, fields)
    yield* TestClock.adjust("800 millis")
    const failed = receipt(account, message, { id: "wamid.f", at: storyEnd, status: "failed" })
    yield* tell(organization, failed)
    const after = yield* readMessage(organization, message)
    assert.deepStrictEqual(
      [after.status, after.sentAt, after.failedAt],
      ["failed", sentAt, DateTime.add(storyEnd, { milliseconds: 900 })]
    )
  }))

test("a receipt that refuses the whole account marks it", () =>
  Effect.gen(function* () {
    const { account, organization } = yield* given
    const contact = yield* givenContact(organization, { phone })
    const conversation = yield* givenConversation(organization, contact, account)
    const message = yield* givenQueued(organization, conversation, { status: "sent", providerMessageId: "wamid.q" })
    const error = { code: 131_042, reason: "Payment is due.", remedy: "stop_account" } as const
    yield* tell(organization, {
      kind: "receipt",
      phoneId: account.externalPhoneId,
      id: "wamid.q",
      at: storyEnd,
      status: "failed",
      to: { phone, chatUser: null },
      reference: message.id,
      error
    })
    assert.strictEqual((yield* readMessage(organization, message)).error?.code, "chat_account_stopped")
    const after = yield* (yield* ChatAccounts).get(account.id).pipe(asOperatorOf(organization))
    assert.deepStrictEqual([after.status, after.lastError?.code], ["degraded", 131_042])
  }))

test("a refusal of the business account marks all of its numbers, a refusal of a number only that one", () =>
  Effect.gen(function* () {
    const { account, organization } = yield* given
    const sibling = yield* givenChatAccount(organization, { externalAccountId: account.externalAccountId })
    const payer = yield* givenChatAccount(organization, {
      externalAccountId: "shared-business",
      messagingAccountId: account.externalAccountId
    })
    const other = yield* givenChatAccount(organization, { externalAccountId: "other-business" })
    const numbers = [account, sibling, payer, other]
    const refuse = (code: number, scope: "business_account" | "number") =>
      tell(organization, {
        kind: "receipt",
        phoneId: account.externalPhoneId,
        id: `wamid.${code}`,
        at: storyEnd,
        status: "failed",
        to: { phone, chatUser: null },
        reference: null,
        error: { code, reason: "Refused.", remedy: "stop_account", scope }
      })
    const codes = Effect.forEach(numbers, ({ id }) =>
      Effect.map(
        Effect.flatMap(ChatAccounts, (accounts) => accounts.get(id)),
        ({ lastError, status }) => (status === "degraded" ? (lastError?.code ?? null) : status)
      )
    ).pipe(asOperatorOf(organization))
    yield* refuse(131_037, "number")
    assert.deepStrictEqual(yield* codes, [131_037, "connected", "connected", "connected"])
    yield* refuse(131_042, "business_account")
    assert.deepStrictEqual(yield* codes, [131_042, 131_042, 131_042, "connected"])
  }))

test("a new price and the first play of a delivered message are reported as changes of the message", () =>
  Effect.gen(function* () {
    const { account, organization } = yield* given
    const contact = yield* givenContact(organization, { phone })
    const conversation = yield* givenConversation(organization, contact, account)
    const at = DateTime.subtract(storyEnd, { minutes: 5 })
    const sent = { status: "sent", providerMessageId: "wamid.p", at, sentAt: at } as const
    const message = yield* givenQueued(organization, conversation, sent)
    const pricing = { billable: true, model: "PMP", category: "utility", type: "regular" }
    const result = (status: "delivered" | "read" | "played", category = "utility", ago = 60) =>
      tell(organization, {
        kind: "receipt",
        phoneId: account.externalPhoneId,
        id: "wamid.p",
        at: DateTime.subtract(storyEnd, { seconds: ago }),
        status,
        to: { phone, chatUser: null },
        reference: message.id,
        error: null,
        ...(status !== "played" && { pricing: { ...pricing, category } })
      })
    const changes = Effect.map(eventsIn(organization), (events) =>
      events.flatMap((event) =>
        event.type === "message.updated"
          ? [String(event.fields)]
          : event.type === "message.status_changed"
            ? [event.to]
            : []
      )
    )
    yield* result("delivered")
    yield* result("delivered")
    yield* result("read", "utility")
    yield* result("read", "marketing", 30)
    yield* result("played")
    yield* result("played")
    assert.deepStrictEqual(yield* changes, ["delivered", "read", "pricing", "playedAt"])
  }))

test("a conversation that was snoozed opens when its time has come, and not before", () =>
  Effect.gen(function* () {
    const { account, organization } = yield* given
    const contact = yield* givenContact(organization, { phone })
    const snoozedUntil = DateTime.add(storyEnd, { minutes: 5 })
    yield* givenConversation(organization, contact, account, { status: "snoozed", snoozedUntil })
    const statuses = Effect.map(readStage(organization), ({ conversations }) =>
      conversations.map(({ status }) => status)
    )
    yield* TestClock.adjust("299 seconds")
    yield* wakeSnoozed
    assert.deepStrictEqual(yield* statuses, ["snoozed"])
    yield* TestClock.adjust("1 second")
    yield* wakeSnoozed
    yield* wakeSnoozed
    assert.deepStrictEqual(yield* statuses, ["open"])
    const changes = (yield* eventsIn(organization)).filter(({ type }) => type === "conversation.status_changed")
    assert.lengthOf(changes, 1)
  }))

test("snoozed conversations open although another organization's cannot", () =>
  Effect.gen(function* () {
    const [ailing, sound] = [yield* given, yield* given]
    for (const { account, organization } of [ailing, sound]) {
      const contact = yield* givenContact(organization, { phone })
      yield* givenConversation(organization, contact, account, { status: "snoozed", snoozedUntil: storyEnd })
    }
    const conversations = yield* Conversations
    const faulty: Conversations["Service"] = {
      ...conversations,
      lock: (ids) =>
        Effect.flatMap(CurrentOrganization, ({ id }) =>
          id === ailing.organization.id ? Effect.die(new Error("It ails.")) : conversations.lock(ids)
        )
    }
    yield* Effect.provideService(wakeSnoozed, Conversations, faulty)
    for (const [{ organization }, status] of [
      [ailing, "snoozed"],
      [sound, "open"]
    ] as const) {
      assert.strictEqual((yield* readStage(organization)).conversations[0]?.status, status)
    }
    yield* TestClock.adjust("1 second")
    yield* wakeSnoozed
    assert.strictEqual((yield* readStage(ailing.organization)).conversations[0]?.status, "open")
  }))
