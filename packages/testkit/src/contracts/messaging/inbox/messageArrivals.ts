import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ChatAccountId, type Message, Message as MessageOf, Messages } from "@parley/domain/messaging"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { all, inNewOrganization } from "../../crm/given.ts"
import { freshId, freshText } from "../../given.ts"
import { givenConversation, givenMessage, insertMessages, minutes, newMessage } from "./given.ts"

export const messageArrivals: StorageContract = {
  port: "Messages (order of arrival)",
  promises: (it) => {
    it.effect("links an answer to its message in every sequence of arrival", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const { chatAccountId } = conversation
          const port = yield* Messages
          const queued = yield* givenMessage(conversation, {
            direction: "outbound",
            status: "queued",
            providerMessageId: null
          })
          const [inbound, outbound, elsewhere] = [freshText("inbound"), freshText("outbound"), freshText("elsewhere")]
          const answers = [inbound, outbound, elsewhere, freshText("nobody's")].map((answered) => ({
            answered,
            message: newMessage(conversation)
          }))
          yield* insertMessages(
            chatAccountId,
            answers.map(({ message }) => message),
            new Map(answers.map(({ answered, message: { id } }) => [id, answered]))
          )
          const repliesTo = Effect.fnUntraced(function* () {
            const there = yield* port.list(conversation.id, all)
            const taken = yield* transact(
              port.lock(
                chatAccountId,
                answers.map(({ message }) => message.id)
              )
            )
            const found = [there, taken].map((rows) =>
              answers.map(({ message }) => rows.find(({ id }) => id === message.id)?.replyToId)
            )
            assert.deepStrictEqual(found[0], found[1])
            return found[0]
          })
          assert.deepStrictEqual(yield* repliesTo(), [null, null, null, null])

          const first = newMessage(conversation, { providerMessageId: inbound })
          yield* insertMessages(chatAccountId, [first])
          yield* insertMessages(freshId(ChatAccountId), [newMessage(conversation, { providerMessageId: elsewhere })])
          const another = yield* givenConversation({ chatAccountId })
          yield* insertMessages(chatAccountId, [newMessage(another, { providerMessageId: elsewhere })])
          assert.deepStrictEqual(yield* repliesTo(), [first.id, null, null, null])
          const named = new MessageOf({ ...queued, status: "sent", providerMessageId: outbound })
          yield* transact(Effect.andThen(port.lock(chatAccountId, [queued.id]), port.saveAll(chatAccountId, [named])))
          assert.deepStrictEqual(yield* repliesTo(), [first.id, queued.id, null, null])

          const [late, later] = [
            newMessage(conversation),
            newMessage(conversation, { providerMessageId: freshText("b") })
          ]
          const known = later.providerMessageId ?? assert.fail()
          yield* insertMessages(chatAccountId, [late, later], new Map([[late.id, known]]))
          assert.strictEqual((yield* port.get(conversation.id, late.id)).replyToId, later.id)
        })
      )
    )

    it.effect("shows the last change and the deletion of a message in every sequence of reports", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const { chatAccountId } = conversation
          const port = yield* Messages
          const [known, late] = [freshText("known"), freshText("late")]
          const changing = (of: string, kind: "edit" | "revocation" | "text", at: number) => {
            const message = newMessage(conversation, { kind, at: minutes(at) })
            return insertMessages(chatAccountId, [message], new Map([[message.id, of]]))
          }
          const first = yield* givenMessage(conversation, { providerMessageId: known })
          for (const at of [3, 5, 4]) {
            yield* changing(known, "edit", at)
            yield* changing(late, "edit", at)
          }
          for (const at of [8, 7]) {
            yield* changing(known, "revocation", at)
            yield* changing(late, "revocation", at)
          }
          yield* changing(known, "text", 9)
          const second = yield* givenMessage(conversation, { providerMessageId: late })
          const untouched = yield* givenMessage(conversation)
          const sent = freshText("sent")
          const ours = yield* givenMessage(conversation, { direction: "outbound", providerMessageId: sent })
          yield* changing(sent, "edit", 3)
          yield* changing(sent, "revocation", 4)
          const elsewhere = newMessage(conversation, { providerMessageId: known })
          yield* insertMessages(freshId(ChatAccountId), [elsewhere])
          const times = ({ editedAt, revokedAt }: Message) => [editedAt, revokedAt]
          const shown = [times(yield* port.get(conversation.id, first.id))]
          shown.push(times(yield* port.get(conversation.id, second.id)))
          const listed = (yield* port.list(conversation.id, all)).filter(({ id }) => id === first.id)
          const taken = yield* transact(port.lockByProvider(chatAccountId, [late]))
          shown.push(...listed.map(times), ...taken.map(times))
          for (const each of shown) assert.deepStrictEqual(each, [minutes(5), minutes(7)])
          assert.lengthOf(shown, 4)
          for (const { id } of [untouched, ours, elsewhere]) {
            assert.deepStrictEqual(times(yield* port.get(conversation.id, id)), [null, null])
          }
        })
      )
    )
  }
}

/** Checks an adapter against the contract of answers and changes that arrive before their message. */
export const messageArrivalsContract = runContract(messageArrivals)
