import { assert, describe } from "@effect/vitest"
import type { Tenancy } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import { type Contact, deleteContact, mergeContacts, unmergeContacts, updateContact } from "@parley/domain/crm"
import {
  type ChatAccount,
  type ConversationView,
  getConversation,
  type InboundContent,
  listConversations,
  type NewMessage,
  openConversation,
  type RecipientChoice,
  retryMessage,
  sendMessage,
  updateConversation
} from "@parley/domain/messaging"
import { type Ports, sendDueMessages } from "@parley/domain/composition"
import {
  applyReportedEvents,
  asOperatorOf,
  givenContact,
  givenOrganization,
  MemoryChat,
  type ReportedEvent
} from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { eventsIn, givenChatAccount, readMessage, test } from "./given.ts"

const [first, second, third] = ["+491701234561", "+491701234562", "+491701234563"]

const phone = (value: string): RecipientChoice => ({ kind: "phone", value })
const chatUser = (value: string): RecipientChoice => ({ kind: "chat_user", value })

const hello: NewMessage = { kind: "text", text: "Hello" }

const given = Effect.gen(function* () {
  yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2026-03-10T12:00:00Z")))
  const organization = yield* givenOrganization({ plan: "scale" })
  return { organization, account: yield* givenChatAccount(organization), inside: asOperatorOf(organization) }
})

let count = 0

interface Said {
  readonly from: { readonly phone: string | null; readonly chatUser: string | null }
  readonly ago?: number
  readonly content?: InboundContent
}

/** Age of this message in minutes. */
const event = ({ externalPhoneId: phoneId }: ChatAccount, now: DateTime.Utc, input: Said): ReportedEvent => {
  count += 1
  return {
    kind: "message",
    phoneId,
    id: `wamid.recipient.${count}`,
    at: DateTime.subtract(now, { minutes: input.ago ?? 0 }),
    from: { ...input.from, name: null },
    content: input.content ?? { kind: "text", text: "Hi" },
    replyTo: null,
    fromAdvertisement: false
  }
}

const writes = Effect.fnUntraced(function* (
  organization: Organization,
  account: ChatAccount,
  ...values: ReadonlyArray<Said>
) {
  const now = yield* DateTime.now
  const events = values.map((each) => event(account, now, each))
  yield* applyReportedEvents(events).pipe(asOperatorOf(organization))
})

const from = (value: string, ago = 0): Said => ({ from: { phone: value, chatUser: null }, ago })

const only = Effect.fnUntraced(function* (organization: Organization, contact?: Pick<Contact, "id">) {
  const asked = { status: ["open" as const], ...(contact !== undefined && { contactId: contact.id }) }
  const { data } = yield* listConversations({ ...asked, page: { limit: 10, cursor: null } }).pipe(
    asOperatorOf(organization)
  )
  const [conversation] = data
  return data.length === 1 && conversation !== undefined ? conversation : assert.fail(`${data.length} conversations`)
}, Effect.orDie)

const show = ({ recipient, window }: ConversationView) => [recipient?.value ?? null, window.open]

const shown = (organization: Organization, { id }: Pick<ConversationView, "id">) =>
  Effect.map(getConversation({ id }).pipe(asOperatorOf(organization), Effect.orDie), show)

const sentTo = Effect.gen(function* () {
  yield* sendDueMessages
  return (yield* (yield* MemoryChat.ChatScript).sent).map(({ message: { to } }) => to.value)
})

/** The outcome: `ok`, or the error with its message. */
const whyOf = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E, Ports | Tenancy>) =>
  Effect.match(effect, {
    onSuccess: () => "ok",
    onFailure: (error) =>
      [error._tag, ...("reason" in error ? [error.reason] : "pointer" in error ? [error.pointer] : [])].join(" ")
  })

const templateless = { kind: "text", text: "x" } as const

describe("a conversation's recipient", () => {
  test("is the last writer by the provider's clock in every order of reports, each with a separate window", () =>
    Effect.gen(function* () {
      const { account, inside, organization } = yield* given
      const contact = yield* givenContact(organization, { phone: first })
      yield* updateContact({ id: contact.id, addIdentities: [phone(second)], ifVersion: null }).pipe(inside)
      yield* writes(organization, account, from(second, 10))
      yield* writes(organization, account, from(first, 60 * 23))
      const conversation = yield* only(organization)
      assert.deepStrictEqual(show(conversation), [second, true])
      yield* sendMessage({ id: conversation.id, ...hello }).pipe(inside)
      assert.deepStrictEqual(yield* sentTo, [second])

      yield* TestClock.adjust("2 hours")
      const choose = (recipient: RecipientChoice) =>
        Effect.map(updateConversation({ id: conversation.id, recipient, ifVersion: null }).pipe(inside), show)
      assert.deepStrictEqual(yield* choose(phone(first)), [first, false])
      assert.strictEqual(
        yield* whyOf(sendMessage({ id: conversation.id, ...hello })).pipe(inside),
        "ServiceWindowClosed"
      )
      assert.deepStrictEqual(yield* choose(phone(second)), [second, true])
      yield* writes(organization, account, from(first, 1))
      assert.deepStrictEqual(yield* shown(organization, conversation), [second, true], "chosen after that was written")
      yield* TestClock.adjust("1 minute")
      yield* writes(organization, account, from(first))
      assert.deepStrictEqual(yield* shown(organization, conversation), [first, true])
      const events = yield* eventsIn(organization)
      assert.deepInclude(events, {
        type: "conversation.updated",
        conversationId: conversation.id,
        fields: ["recipient"]
      })
    }))

  test("is each conversation's own when two people who both write are merged, and parted again", () =>
    Effect.gen(function* () {
      const { account, inside, organization } = yield* given
      const other = yield* givenChatAccount(organization)
      const [a, b] = [
        yield* givenContact(organization, { phone: first }),
        yield* givenContact(organization, { phone: second })
      ]
      yield* writes(organization, account, from(first))
      yield* writes(organization, other, from(second))
      const [ofA, ofB] = [yield* only(organization, a), yield* only(organization, b)]
      const { mergeId } = yield* mergeContacts({ id: a.id, contactId: b.id, ifVersion: null }).pipe(inside)
      assert.deepStrictEqual(yield* shown(organization, ofA), [first, true])
      assert.deepStrictEqual(yield* shown(organization, ofB), [second, true])
      yield* sendMessage({ id: ofB.id, ...hello }).pipe(inside)
      assert.deepStrictEqual(yield* sentTo, [second])
      yield* unmergeContacts({ id: a.id, mergeId, ifVersion: null }).pipe(inside)
      assert.deepStrictEqual(
        [yield* shown(organization, ofA), yield* shown(organization, ofB)],
        [
          [first, true],
          [second, true]
        ]
      )
    }))

  test("stays the writer while the window is open, regardless of changes of the contact", () =>
    Effect.gen(function* () {
      const { account, inside, organization } = yield* given
      const contact = yield* givenContact(organization, { phone: first })
      yield* writes(organization, account, from(first))
      const conversation = yield* only(organization)
      yield* updateContact({ id: contact.id, phone: second, ifVersion: null }).pipe(inside)
      assert.deepStrictEqual(yield* shown(organization, conversation), [first, true])
      yield* sendMessage({ id: conversation.id, ...hello }).pipe(inside)
      assert.deepStrictEqual(yield* sentTo, [first])
      yield* TestClock.adjust("25 hours")
      assert.deepStrictEqual(yield* shown(organization, conversation), [second, false])
      assert.strictEqual(
        yield* whyOf(sendMessage({ id: conversation.id, ...hello })).pipe(inside),
        "ServiceWindowClosed"
      )
    }))

  test("is not guessed once it is another contact's, neither when a message is written nor when one waits", () =>
    Effect.gen(function* () {
      const { account, inside, organization } = yield* given
      const contact = yield* givenContact(organization, { phone: first })
      yield* writes(organization, account, from(first))
      const conversation = yield* only(organization)
      const waiting = yield* sendMessage({ id: conversation.id, ...hello }).pipe(inside)
      yield* updateContact({ id: contact.id, phone: second, ifVersion: null }).pipe(inside)
      const other = yield* givenContact(organization, { phone: first })
      assert.strictEqual(
        yield* whyOf(sendMessage({ id: conversation.id, ...hello })).pipe(inside),
        "RecipientReassigned"
      )
      assert.deepStrictEqual(yield* sentTo, [])
      const { error, status } = yield* readMessage(organization, waiting)
      assert.deepStrictEqual([status, error?.code], ["failed", "recipient_reassigned"])
      assert.strictEqual(
        yield* whyOf(retryMessage({ id: conversation.id, messageId: waiting.id })).pipe(inside),
        "RecipientReassigned"
      )
      const choose = (recipient: RecipientChoice) =>
        whyOf(updateConversation({ id: conversation.id, recipient, ifVersion: null }))
      assert.deepStrictEqual(
        yield* Effect.forEach([phone(first), phone(third), chatUser("DE.9")], choose).pipe(inside),
        ["RecipientReassigned", "ValidationFailed", "ValidationFailed"]
      )
      yield* deleteContact({ id: other.id, ifVersion: null }).pipe(inside)
      yield* retryMessage({ id: conversation.id, messageId: waiting.id }).pipe(inside)
      assert.deepStrictEqual(yield* sentTo, [first])
    }))

  test("moves to a changed number with the open window, because the person is the same", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      yield* writes(organization, account, from(first, 10))
      const content = { kind: "system", text: "moved", newPhone: second } as const
      yield* writes(organization, account, { ...from(first, 5), content })
      const conversation = yield* only(organization)
      assert.deepStrictEqual(show(conversation), [second, true])
      const until = DateTime.add(yield* DateTime.now, { hours: 24, minutes: -10 })
      assert.deepStrictEqual(conversation.window.expiresAt, until)
      yield* writes(organization, account, from(first, 8))
      assert.deepStrictEqual(yield* shown(organization, conversation), [second, true], "told late")
      const late = yield* only(organization)
      assert.deepStrictEqual(late.window.expiresAt, DateTime.add(until, { minutes: 2 }))
      yield* writes(organization, account, from(second))
      assert.deepStrictEqual(yield* shown(organization, conversation), [second, true])
    }))

  test("is no former number of the person, although a message waits for it", () =>
    Effect.gen(function* () {
      const { account, inside, organization } = yield* given
      const own = { phone: first, chatUser: "DE.1" }
      yield* writes(organization, account, { from: own, ago: 10 })
      const conversation = yield* only(organization)
      const waiting = yield* sendMessage({ id: conversation.id, ...hello }).pipe(inside)
      const content = { kind: "system", text: "moved", newPhone: second } as const
      yield* writes(organization, account, { from: own, ago: 5, content })
      yield* writes(organization, account, { from: { phone: first, chatUser: "DE.2" } })
      const { data } = yield* listConversations({ page: { limit: 10, cursor: null } }).pipe(inside)
      assert.sameDeepMembers(data.map(show), [
        [second, true],
        ["DE.2", true]
      ])
      assert.deepStrictEqual(yield* sentTo, [])
      const { error, status } = yield* readMessage(organization, waiting)
      assert.deepStrictEqual([status, error?.code], ["failed", "recipient_reassigned"])
      const recipient = phone(first)
      assert.strictEqual(
        yield* whyOf(updateConversation({ id: conversation.id, recipient, ifVersion: null })).pipe(inside),
        "RecipientReassigned"
      )
      yield* sendMessage({ id: conversation.id, ...hello }).pipe(inside)
      assert.deepStrictEqual(yield* sentTo, [second])
    }))

  test("is no number that the provider reports for another contact, until it reports it for this one again", () =>
    Effect.gen(function* () {
      const { account, inside, organization } = yield* given
      const [own, taker] = [
        { phone: first, chatUser: "DE.1" },
        { phone: first, chatUser: "DE.2" }
      ]
      yield* writes(organization, account, { from: own, ago: 20 })
      const conversation = yield* only(organization)
      yield* updateConversation({ id: conversation.id, recipient: phone(first), ifVersion: null }).pipe(inside)
      const waiting = yield* sendMessage({ id: conversation.id, ...hello }).pipe(inside)
      yield* writes(organization, account, { from: { ...taker, phone: null }, ago: 15 })
      yield* writes(organization, account, { from: taker, ago: 10 })
      assert.deepStrictEqual(yield* sentTo, [])
      assert.strictEqual((yield* readMessage(organization, waiting)).error?.code, "recipient_reassigned")
      const refused = yield* Effect.flip(
        updateConversation({ id: conversation.id, recipient: phone(first), ifVersion: null }).pipe(inside)
      )
      const { data } = yield* listConversations({ page: { limit: 10, cursor: null } }).pipe(inside)
      const other = data.find(({ id }) => id !== conversation.id)
      assert.deepInclude(refused, { _tag: "RecipientReassigned", contactId: other?.contact.id ?? null, kind: "phone" })
      yield* writes(organization, account, { from: own, ago: 5 })
      yield* sendMessage({ id: conversation.id, ...hello }).pipe(inside)
      assert.deepStrictEqual(yield* sentTo, [first])
    }))

  test("does not move to a number of another contact", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given
      const other = yield* givenContact(organization, { phone: second })
      yield* writes(organization, account, from(first, 10))
      const content = { kind: "system", text: "moved", newPhone: second } as const
      yield* writes(organization, account, { ...from(first, 5), content })
      assert.deepStrictEqual(show(yield* only(organization)), [first, true])
      assert.isNull(other.lastInboundAt)
    }))

  test("of a contact with both is the phone; the chat user id can be chosen and shares the window", () =>
    Effect.gen(function* () {
      const { account, inside, organization } = yield* given
      yield* writes(organization, account, { from: { phone: null, chatUser: "DE.1" }, ago: 20 })
      const conversation = yield* only(organization)
      assert.deepStrictEqual(show(conversation), ["DE.1", true])
      yield* writes(organization, account, { from: { phone: first, chatUser: "DE.1" }, ago: 10 })
      assert.deepStrictEqual(show(yield* only(organization)), [first, true])
      const chosen = yield* updateConversation({
        id: conversation.id,
        recipient: chatUser("DE.1"),
        ifVersion: null
      }).pipe(inside)
      assert.deepStrictEqual(show(chosen), ["DE.1", true])
      yield* writes(organization, account, { from: { phone: null, chatUser: "DE.1" } })
      yield* sendMessage({ id: conversation.id, ...hello }).pipe(inside)
      assert.deepStrictEqual(yield* sentTo, ["DE.1"])
    }))

  test("is the chat user id where the phone of the same message is another contact's", () =>
    Effect.gen(function* () {
      const { account, inside, organization } = yield* given
      const contact = yield* givenContact(organization, { identities: [{ kind: "chat_user", value: "DE.1" }] })
      const other = yield* givenContact(organization, { phone: first })
      // Both have activity, so they are not joined.
      for (const { id } of [contact, other]) {
        yield* updateContact({ id, marketing: { state: "subscribed" }, ifVersion: null }).pipe(inside)
      }
      yield* writes(organization, account, { from: { phone: first, chatUser: "DE.1" } })
      const conversation = yield* only(organization, contact)
      assert.deepStrictEqual(show(conversation), ["DE.1", true])
      yield* sendMessage({ id: conversation.id, ...hello }).pipe(inside)
      assert.deepStrictEqual(yield* sentTo, ["DE.1"])
    }))
})

describe("a message", () => {
  test("of a queued or retried message is the original one unless changed", () =>
    Effect.gen(function* () {
      const { account, inside, organization } = yield* given
      const contact = yield* givenContact(organization, { phone: first })
      yield* updateContact({ id: contact.id, addIdentities: [phone(second)], ifVersion: null }).pipe(inside)
      yield* writes(organization, account, from(second, 5), from(first, 4))
      const { id } = yield* only(organization)
      const script = yield* MemoryChat.ChatScript
      yield* script.next({ kind: "refused", remedy: "skip_recipient", code: 131_026 })
      const message = yield* sendMessage({ id, ...hello }).pipe(inside)
      assert.deepStrictEqual(message.recipient, phone(first))
      yield* writes(organization, account, from(second, 1))
      assert.deepStrictEqual(yield* sentTo, [])
      yield* retryMessage({ id, messageId: message.id }).pipe(inside)
      assert.deepStrictEqual(yield* sentTo, [first])
    }))

  test("is the named identity, also for later messages", () =>
    Effect.gen(function* () {
      const { account, inside, organization } = yield* given
      const contact = yield* givenContact(organization, { phone: first })
      yield* updateContact({ id: contact.id, addIdentities: [phone(second)], ifVersion: null }).pipe(inside)
      yield* writes(organization, account, from(second, 5), from(first, 4))
      const { id } = yield* only(organization)
      yield* sendMessage({ id, ...hello, recipient: phone(second) }).pipe(inside)
      yield* sendMessage({ id, ...hello }).pipe(inside)
      assert.deepStrictEqual(yield* sentTo, [second, second])
      assert.strictEqual(
        yield* whyOf(sendMessage({ id, ...hello, recipient: phone(third) })).pipe(inside),
        "ValidationFailed"
      )
    }))
})

describe("a conversation that is opened", () => {
  const givenTwo = Effect.fnUntraced(function* (organization: Organization) {
    const contact = yield* givenContact(organization, { phone: first })
    const identities = [phone(second), chatUser("DE.1")]
    return yield* updateContact({ id: contact.id, addIdentities: identities, ifVersion: null }).pipe(
      asOperatorOf(organization)
    )
  }, Effect.orDie)

  test("is the identity with an open window on that number, else the phone, unless chosen", () =>
    Effect.gen(function* () {
      const { account, inside, organization } = yield* given
      const contact = yield* givenTwo(organization)
      yield* writes(organization, account, from(second, 10))
      const former = yield* only(organization)
      const open = (chatAccountId: ChatAccount["id"], recipient?: RecipientChoice) =>
        Effect.gen(function* () {
          const input = { contactId: contact.id, chatAccountId, ...(recipient !== undefined && { recipient }) }
          const opened = yield* openConversation(input)
          yield* updateConversation({ id: opened.id, status: "resolved", ifVersion: null })
          return show(opened)
        }).pipe(inside)
      yield* updateConversation({ id: former.id, status: "resolved", ifVersion: null }).pipe(inside)
      assert.deepStrictEqual(yield* open(account.id), [second, true])
      assert.deepStrictEqual(yield* open(account.id, phone(first)), [first, false])
      assert.deepStrictEqual(yield* open(account.id), [second, true], "its window is still known")
      assert.deepStrictEqual(yield* open(account.id, chatUser("DE.1")), ["DE.1", false])
      const other = yield* givenChatAccount(organization)
      assert.deepStrictEqual(yield* open(other.id), [first, false])
      assert.strictEqual(yield* whyOf(open(other.id, phone(third))).pipe(inside), "ValidationFailed")
      yield* TestClock.adjust("1 day")
      assert.deepStrictEqual(yield* open(account.id), [first, false])
    }))

  test("without a reachable identity is missing until there is one", () =>
    Effect.gen(function* () {
      const { account, inside, organization } = yield* given
      const contact = yield* givenContact(organization)
      const opened = yield* openConversation({ contactId: contact.id, chatAccountId: account.id }).pipe(inside)
      assert.deepStrictEqual(show(opened), [null, false])
      assert.strictEqual(
        yield* whyOf(sendMessage({ id: opened.id, ...templateless })).pipe(inside),
        "ContactUnreachable no_identity"
      )
      yield* updateContact({ id: contact.id, phone: first, ifVersion: null }).pipe(inside)
      assert.deepStrictEqual(yield* shown(organization, opened), [first, false])
    }))
})
