import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { Conversations, MessageId, type ConversationWait, Waits } from "@parley/domain/messaging"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { givenContact, idsOf, inNewOrganization } from "../../crm/given.ts"
import { freshId } from "../../given.ts"
import { givenConversation, givenMessage, minutes, outboundFields } from "./given.ts"

const waitingOf = ({
  firstRepliedAt,
  firstReplyId,
  id,
  waitRound,
  waitingSince
}: ConversationWait): ConversationWait => ({
  id,
  waitingSince,
  firstRepliedAt,
  firstReplyId,
  waitRound
})

export const waitAnswers: StorageContract = {
  port: "Waits (answers)",
  promises: (it) => {
    it.effect("locks conversations with a message each, and nothing if either is missing", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const waits = yield* Waits
          const conversation = yield* givenConversation({ waitingSince: minutes(1), waitRound: 3 })
          const { chatAccountId } = conversation
          const beside = yield* givenConversation({ chatAccountId })
          const another = yield* givenConversation()
          const [message, second] = [yield* givenMessage(conversation, outboundFields()), yield* givenMessage(beside)]
          const elsewhere = yield* givenMessage(another)
          const of = { conversationId: conversation.id, messageId: message.id }
          const lock = (...each: ReadonlyArray<typeof of>) =>
            Effect.map(
              transact(waits.lockMessages(chatAccountId, each)),
              (held) => new Map(held.map(({ message, waiting }) => [message.id, waiting]))
            )
          const wrong = [
            { ...of, conversationId: another.id },
            { ...of, messageId: freshId(MessageId) },
            { conversationId: another.id, messageId: elsewhere.id }
          ]
          assert.deepStrictEqual(yield* lock(of), new Map([[message.id, waitingOf(conversation)]]))
          assert.deepStrictEqual(
            yield* lock(...wrong, { conversationId: beside.id, messageId: second.id }, of),
            new Map([
              [message.id, waitingOf(conversation)],
              [second.id, waitingOf(beside)]
            ])
          )
          for (const each of wrong) assert.deepStrictEqual(yield* lock(each), new Map())
          assert.deepStrictEqual(yield* lock(), new Map())
        })
      )
    )

    it.effect("finds the conversations of answers with receipts, and the latest of pairs", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversations = yield* Conversations
          const { id: contactId } = yield* givenContact()
          const past = yield* givenConversation({ contactId, status: "resolved", waitRound: 1 })
          const { chatAccountId } = past
          const latest = yield* givenConversation({ contactId, chatAccountId })
          const aside = yield* givenConversation({ chatAccountId, waitingSince: minutes(1) })
          const answer = yield* givenMessage(past, outboundFields({ providerMessageId: null }))
          const echo = yield* givenMessage(aside, outboundFields({ author: { kind: "phone_app", id: chatAccountId } }))
          const machine = yield* givenMessage(
            yield* givenConversation({ chatAccountId }),
            outboundFields({ author: { kind: "automation", id: "inbox" } })
          )
          const own = yield* givenMessage(latest, outboundFields())
          const receipt = (reference: MessageId | null, providerMessageId: string | null) => ({
            chatAccountId,
            reference,
            providerMessageId: providerMessageId ?? ""
          })
          const receipted = [
            receipt(answer.id, "unheard of"),
            receipt(null, echo.providerMessageId),
            receipt(machine.id, machine.providerMessageId),
            receipt(own.id, null),
            receipt(freshId(MessageId), "nobody's")
          ]
          const locked = (pairs: ReadonlyArray<{ contactId: typeof contactId; chatAccountId: typeof chatAccountId }>) =>
            transact(conversations.lockInvolved(pairs, receipted))
          const found = yield* locked([{ contactId, chatAccountId }])
          assert.deepStrictEqual(idsOf(found.latest), [latest.id])
          const sorted = (waiting: ReadonlyArray<ConversationWait>) =>
            waiting.toSorted((one, two) => (one.id < two.id ? -1 : 1))
          assert.deepStrictEqual(sorted(found.waiting), sorted([past, aside].map(waitingOf)))
          const alone = yield* locked([])
          assert.deepStrictEqual(alone.latest, [])
          assert.deepStrictEqual(sorted(alone.waiting), sorted([past, latest, aside].map(waitingOf)))
          assert.deepStrictEqual(yield* transact(conversations.lockInvolved([], [])), { latest: [], waiting: [] })
        })
      )
    )
  }
}

/** Checks an adapter against the contract of answers that end waits. */
export const waitAnswersContract = runContract(waitAnswers)
