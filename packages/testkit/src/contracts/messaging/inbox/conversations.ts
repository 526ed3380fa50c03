import { assert } from "@effect/vitest"
import { transact, UserId } from "@parley/domain/kernel"
import { ChatAccountId, type Conversation, ConversationId, Conversations, MessageId } from "@parley/domain/messaging"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { givenContact, idsOf, inNewOrganization, sorted } from "../../crm/given.ts"
import { freshId } from "../../given.ts"
import {
  givenConversation,
  insertMessages,
  minutes,
  newConversation,
  newMessage,
  plainConversation,
  saveConversations,
  storedConversation
} from "./given.ts"

/** Contract of the conversations port, except its lists. */
export const conversations: StorageContract = {
  port: "Conversations",
  promises: (it) => {
    it.effect("stores a conversation unchanged, with its contact", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const contact = yield* givenContact({ name: 'Bäcker "O\'Neill" \\ 🥐', phone: "+4915112345678" })
          const conversation = yield* givenConversation({
            contactId: contact.id,
            status: "snoozed",
            priority: "urgent",
            assigneeId: freshId(UserId),
            snoozedUntil: minutes(7),
            labels: ["VIP, {really}", 'with "quotes"', "🥐\\"],
            inboundCount: 3,
            readCount: 2,
            lastMessage: {
              id: freshId(MessageId),
              direction: "outbound",
              kind: "image",
              text: 'Say "bread" \\ 🥖',
              at: minutes(3)
            },
            lastInboundAt: minutes(2),
            recipient: { kind: "chat_user", value: 'DE.1 "\\🥖' },
            recipientAt: minutes(2),
            windowExpiresAt: minutes(1_442),
            otherWindows: [
              { kind: "phone", value: "+491701234567", expiresAt: minutes(1_500) },
              { kind: "chat_user", value: "DE.2", expiresAt: minutes(12) }
            ],
            lastActivityAt: minutes(4),
            createdAt: minutes(1),
            updatedAt: minutes(5),
            version: 7
          })
          const there = yield* storedConversation(conversation.id)
          assert.deepStrictEqual(plainConversation(there.conversation), plainConversation(conversation))
          assert.deepStrictEqual({ ...there.contact }, { id: contact.id, name: contact.name, phone: contact.phone })
          const bare = yield* givenConversation()
          assert.deepStrictEqual(
            plainConversation((yield* storedConversation(bare.id)).conversation),
            plainConversation(bare)
          )
          assert.strictEqual((yield* Effect.flip(storedConversation(freshId(ConversationId)))).resource, "conversation")
        })
      )
    )

    it.effect("gives the latest end of a free entry point in the prices of its messages", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [conversation, other] = [yield* givenConversation(), yield* givenConversation()]
          const endOf = Effect.map(
            storedConversation(conversation.id),
            ({ freeEntryPointExpiresAt }) => freeEntryPointExpiresAt
          )
          assert.isNull(yield* endOf)
          const priced = (of: Conversation, minute: number | null) =>
            newMessage(of, {
              direction: "outbound",
              status: "sent",
              pricing: {
                billable: false,
                model: "PMP",
                category: "referral_conversion",
                type: "free_entry_point",
                freeEntryPointExpiresAt: minute === null ? null : minutes(minute),
                at: minutes(1)
              }
            })
          const prices = [50, 90, 70, null].map((minute) => priced(conversation, minute))
          yield* insertMessages(conversation.chatAccountId, prices)
          yield* insertMessages(other.chatAccountId, [priced(other, 95)])
          assert.deepStrictEqual(yield* endOf, minutes(90))
        })
      )
    )

    it.effect("returns the windows with contacts over a number, in every status", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const chatAccountId = freshId(ChatAccountId)
          const windows = {
            recipient: { kind: "phone", value: "+491701234567" },
            windowExpiresAt: minutes(9),
            otherWindows: [{ kind: "chat_user", value: "DE.2", expiresAt: minutes(12) }]
          } as const
          const whole = yield* givenConversation({ chatAccountId, ...windows })
          const { contactId } = whole
          const over = { status: "resolved", windowExpiresAt: minutes(3), resolvedAt: minutes(4) } as const
          const resolved = yield* givenConversation({ chatAccountId, contactId, ...over })
          const silent = yield* givenConversation({ chatAccountId })
          const elsewhere = yield* givenConversation({ contactId, ...windows })
          const asked = (account: ChatAccountId, ids: ReadonlyArray<Conversation["contactId"]>) =>
            Effect.flatMap(Conversations, (port) => port.windows(account, ids))
          const found = yield* asked(chatAccountId, [contactId, silent.contactId])
          assert.sameDeepMembers(
            found.map((each) => ({ ...each })),
            [
              { contactId, ...windows },
              { contactId, recipient: resolved.recipient, windowExpiresAt: minutes(3), otherWindows: [] }
            ]
          )
          assert.deepStrictEqual(yield* asked(chatAccountId, [silent.contactId]), [])
          assert.lengthOf(yield* asked(elsewhere.chatAccountId, [contactId]), 1)
        })
      )
    )

    it.effect("returns contacts with an unresolved conversation over a number", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const chatAccountId = freshId(ChatAccountId)
          const open = yield* givenConversation({ chatAccountId, status: "open" })
          const snoozed = yield* givenConversation({ chatAccountId, status: "snoozed", snoozedUntil: minutes(9) })
          const over = { status: "resolved", resolvedAt: minutes(4) } as const
          const resolved = yield* givenConversation({ chatAccountId, ...over })
          yield* givenConversation({ chatAccountId, contactId: open.contactId, ...over })
          const elsewhere = yield* givenConversation({ status: "open" })
          const all = [open, snoozed, resolved, elsewhere].map(({ contactId }) => contactId)
          const asked = (ids: typeof all) => Effect.flatMap(Conversations, (port) => port.talking(chatAccountId, ids))
          assert.sameMembers([...(yield* asked(all))], [open.contactId, snoozed.contactId])
          assert.deepStrictEqual([...(yield* asked([snoozed.contactId, resolved.contactId]))], [snoozed.contactId])
          assert.isEmpty([...(yield* asked([]))])
        })
      )
    )

    it.effect("saves with the next version, for every given version", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [one, two, other] = [yield* givenConversation(), yield* givenConversation(), yield* givenConversation()]
          const changed = [one, two].map((conversation, at) =>
            newConversation({
              ...conversation,
              status: at === 0 ? "resolved" : "pending",
              priority: "high",
              assigneeId: freshId(UserId),
              labels: ["a", "b"],
              inboundCount: 2,
              readCount: 1,
              lastMessage: { id: freshId(MessageId), direction: "inbound", kind: "text", text: null, at: minutes(8) },
              lastInboundAt: minutes(8),
              recipient: at === 0 ? { kind: "phone", value: "+491701234567" } : null,
              recipientAt: at === 0 ? minutes(8) : null,
              windowExpiresAt: minutes(9),
              otherWindows: at === 0 ? [{ kind: "chat_user", value: "DE.2", expiresAt: minutes(9) }] : [],
              resolvedAt: at === 0 ? minutes(10) : null,
              lastActivityAt: minutes(11),
              updatedAt: minutes(12),
              version: 99
            })
          )
          const saved = yield* saveConversations(changed)
          const expected = changed.map((each) => ({ ...plainConversation(each), version: 2 }))
          assert.sameDeepMembers(saved.map(plainConversation), expected)
          assert.deepStrictEqual(
            (yield* Effect.forEach([one, two], ({ id }) => storedConversation(id))).map(({ conversation }) =>
              plainConversation(conversation)
            ),
            expected
          )
          assert.deepStrictEqual(
            plainConversation((yield* storedConversation(other.id)).conversation),
            plainConversation(other)
          )
          assert.deepStrictEqual(yield* saveConversations([]), [])
        })
      )
    )

    it.effect("locks existing conversations, once each", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [one, two] = [yield* givenConversation(), yield* givenConversation()]
          yield* givenConversation()
          const port = yield* Conversations
          const taken = yield* transact(port.lock([two.id, one.id, freshId(ConversationId), one.id]))
          assert.deepStrictEqual(sorted(idsOf(taken)), sorted([one.id, two.id]))
          assert.deepStrictEqual(yield* transact(port.lock([])), [])
        })
      )
    )
  }
}

/** Checks an adapter against the promises of the port of conversations. */
export const conversationsContract = runContract(conversations)
