import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ChatAccountId, type Message, Message as MessageOf, MessageId, Messages } from "@parley/domain/messaging"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { all, evening, idsOf, inNewOrganization, sorted } from "../../crm/given.ts"
import { freshId, freshText } from "../../given.ts"
import { givenConversation, givenMessage, insertMessages, minutes, newMessage, plainMessage } from "./given.ts"

const messageKey = ({ at, id }: Message) => [DateTime.formatIso(at), id]

export const messages: StorageContract = {
  port: "Messages",
  promises: (it) => {
    it.effect("lists messages of a conversation, newest first, page by page, during inserts", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const port = yield* Messages
          yield* givenMessage(yield* givenConversation())
          const there: Array<Message> = []
          for (const at of [3, 1, 2, 2, 2, 0, 4]) there.push(yield* givenMessage(conversation, { at: minutes(at) }))
          const expected = there.toSorted((one, other) => (messageKey(one).join() < messageKey(other).join() ? 1 : -1))
          assert.deepStrictEqual(idsOf(yield* port.list(conversation.id, all)), idsOf(expected))
          const seen: Array<MessageId> = []
          let after: ReadonlyArray<string> | null = null
          for (;;) {
            const page: ReadonlyArray<Message> = yield* port.list(conversation.id, { limit: 2, after })
            const last = page.at(-1)
            if (last === undefined) break
            seen.push(...idsOf(page))
            after = messageKey(last)
            yield* givenMessage(conversation, { at: evening })
          }
          assert.deepStrictEqual(seen, idsOf(expected))
        })
      )
    )

    it.effect("skips messages with a known provider id, also within one insert", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const port = yield* Messages
          const known = yield* givenMessage(conversation)
          const providerMessageId = freshText("new")
          const [again, fresh, twice, none, noneEither] = [
            newMessage(conversation, { providerMessageId: known.providerMessageId }),
            newMessage(conversation, { providerMessageId }),
            newMessage(conversation, { providerMessageId }),
            newMessage(conversation, { providerMessageId: null }),
            newMessage(conversation, { providerMessageId: null })
          ]
          const stored = yield* insertMessages(conversation.chatAccountId, [again, fresh, twice, none, noneEither])
          assert.deepStrictEqual(sorted(stored), sorted(idsOf([fresh, none, noneEither])))
          const there = yield* port.list(conversation.id, all)
          assert.deepStrictEqual(sorted(idsOf(there)), sorted(idsOf([known, fresh, none, noneEither])))

          const elsewhere = newMessage(conversation, { providerMessageId: known.providerMessageId })
          assert.deepStrictEqual(yield* insertMessages(freshId(ChatAccountId), [elsewhere]), [elsewhere.id])
        })
      )
    )

    it.effect("stores a message once under concurrency", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const port = yield* Messages
          const provided = Array.from({ length: 5 }, () => freshText("provider"))
          const stored = yield* Effect.forEach(
            Array.from({ length: 6 }, (_, n) => n),
            (n) => {
              const batch = provided.map((providerMessageId) => newMessage(conversation, { providerMessageId }))
              return insertMessages(conversation.chatAccountId, n % 2 === 0 ? batch : batch.toReversed())
            },
            { concurrency: "unbounded" }
          )
          const there = yield* port.list(conversation.id, all)
          assert.strictEqual(there.length, 5)
          assert.deepStrictEqual(sorted(stored.flat()), sorted(idsOf(there)))
        })
      )
    )

    it.effect("locks messages by our ids and provider ids, and saves their state", () =>
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
          const sent = yield* givenMessage(conversation, { direction: "outbound", status: "sent" })
          const other = yield* givenMessage(conversation)
          const elsewhere = newMessage(conversation, { providerMessageId: sent.providerMessageId })
          yield* insertMessages(freshId(ChatAccountId), [elsewhere])

          const asked = [sent.id, queued.id, elsewhere.id, freshId(MessageId), sent.id]
          const taken = yield* transact(port.lock(chatAccountId, asked))
          assert.deepStrictEqual(sorted(idsOf(taken)), sorted([queued.id, sent.id]))
          const known = sent.providerMessageId ?? assert.fail()
          const byProvider = yield* transact(port.lockByProvider(chatAccountId, [known, "nobody's", known]))
          assert.deepStrictEqual(idsOf(byProvider), [sent.id])
          assert.deepStrictEqual(yield* transact(port.lock(chatAccountId, [])), [])
          assert.deepStrictEqual(yield* transact(port.lockByProvider(chatAccountId, [])), [])

          const provided = freshText("provided")
          const changes = [
            new MessageOf({
              ...queued,
              recipient: { kind: "phone", value: "+491701234567" },
              status: "sent",
              providerMessageId: provided,
              sentAt: minutes(1)
            }),
            new MessageOf({
              ...sent,
              status: "failed",
              sentAt: minutes(2),
              deliveredAt: minutes(3),
              readAt: minutes(4),
              failedAt: minutes(5),
              error: { code: "undeliverable", providerCode: null, reason: "Gone" },
              details: {
                payment: {
                  status: "captured",
                  referenceId: "order-1",
                  amount: { value: 21_000, offset: 100 },
                  currency: "BRL",
                  transaction: { id: "t-1", type: "pix", status: null },
                  at: "2026-03-01T09:00:00.000Z"
                }
              },
              pricing: {
                billable: null,
                model: "PMP",
                category: "utility",
                type: "regular",
                freeEntryPointExpiresAt: null,
                at: minutes(6)
              }
            })
          ]
          yield* transact(
            Effect.andThen(
              port.lock(chatAccountId, idsOf(changes)),
              port.saveAll(
                chatAccountId,
                changes.map((each) => new MessageOf({ ...each, text: "never", at: evening, kind: "audio" }))
              )
            )
          )
          const there = yield* Effect.forEach([queued, sent, other], ({ id }) => port.get(conversation.id, id))
          assert.deepStrictEqual(there.map(plainMessage), [...changes, other].map(plainMessage))
          const found = yield* transact(port.lockByProvider(chatAccountId, [provided]))
          assert.deepStrictEqual(idsOf(found), [queued.id])
          const again = newMessage(conversation, { providerMessageId: provided })
          assert.deepStrictEqual(yield* insertMessages(chatAccountId, [again]), [])
        })
      )
    )
  }
}

/** Checks an adapter against the contract of `Messages`. */
export const messagesContract = runContract(messages)
