import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactMergeId } from "@parley/domain/crm"
import {
  type AcceptedAnswer,
  ContactConversations,
  type Conversation,
  Conversations,
  type EndedWait,
  Message as MessageOf,
  type Message,
  MessageId,
  Messages,
  type ConversationWait,
  Waits
} from "@parley/domain/messaging"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { givenContact, inNewOrganization } from "../../crm/given.ts"
import { freshId } from "../../given.ts"
import {
  givenConversation,
  givenMessage,
  insertConversations,
  minutes,
  newConversation,
  saveConversations,
  outboundFields
} from "./given.ts"

const saved = (waiting: ReadonlyArray<ConversationWait>, endings: ReadonlyMap<MessageId, EndedWait | null>) =>
  transact(Effect.flatMap(Waits, (waits) => waits.save(waiting, endings)))

const known = Effect.fnUntraced(function* (conversation: Conversation) {
  return (yield* (yield* Conversations).get(conversation.id)).conversation
})

const byId = (answers: ReadonlyArray<AcceptedAnswer>) =>
  answers.toSorted((one, other) => (one.messageId < other.messageId ? -1 : 1))

/** Contract of `Waits` and of the waiting times in `Conversations`. */
export const waits: StorageContract = {
  port: "Waits",
  promises: (it) => {
    it.effect("stores the wait of a conversation from its start through each change", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const input = {
            waitingSince: minutes(3),
            firstRepliedAt: minutes(2),
            firstReplyId: freshId(MessageId),
            waitRound: 4,
            episode: { number: 1, startedAt: minutes(1), resolvedAt: null, resolvedBy: null }
          }
          const conversation = yield* givenConversation(input)
          assert.deepStrictEqual({ ...(yield* known(conversation)) }, { ...conversation })
          const changed = { ...conversation, waitingSince: null, waitRound: 5 }
          const [after] = yield* Effect.orDie(saveConversations([newConversation(changed)]))
          assert.deepStrictEqual({ ...(yield* known(conversation)) }, { ...changed, version: 2 })
          assert.deepStrictEqual(after?.waitRound, 5)
        })
      )
    )

    it.effect("stores waits without a new version, and the waits that messages ended", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const waits = yield* Waits
          const one = yield* givenConversation({ waitingSince: minutes(1) })
          const other = yield* givenConversation({ waitingSince: minutes(1) })
          const first = yield* givenMessage(one, outboundFields({ sentAt: minutes(5), deliveredAt: minutes(4) }))
          const second = yield* givenMessage(
            one,
            outboundFields({ sentAt: minutes(6), author: { kind: "token", id: freshId(MessageId) } })
          )
          const unsent = yield* givenMessage(one, outboundFields({ status: "queued" }))
          const elsewhere = yield* givenMessage(other, outboundFields({ sentAt: minutes(5) }))
          const waiting = {
            id: one.id,
            waitingSince: minutes(7),
            firstRepliedAt: minutes(4),
            firstReplyId: first.id,
            waitRound: 2
          }
          const endings: ReadonlyArray<readonly [MessageId, EndedWait | null]> = [
            [first.id, { round: 1, since: minutes(1) }],
            [second.id, { round: 2, since: null }],
            [unsent.id, null],
            [elsewhere.id, { round: 0, since: minutes(2) }]
          ]
          yield* saved([waiting], new Map(endings))
          assert.deepStrictEqual({ ...(yield* known(one)) }, { ...one, ...waiting })
          assert.deepStrictEqual({ ...(yield* known(other)) }, { ...other })
          const answer = (
            message: Message,
            fields: Pick<AcceptedAnswer, "acceptedAt" | "byPerson" | "round" | "since">
          ) => ({
            conversationId: message.conversationId,
            messageId: message.id,
            ...fields
          })
          const [early, late] = [
            answer(first, { acceptedAt: minutes(4), byPerson: true, round: 1, since: minutes(1) }),
            answer(second, { acceptedAt: minutes(6), byPerson: false, round: 2, since: null })
          ]
          const from = (minute: number) => [{ conversationId: one.id, from: minutes(minute) }]
          assert.deepStrictEqual(byId(yield* waits.answers(from(4))), byId([early, late]))
          assert.deepStrictEqual(yield* waits.answers(from(5)), [late])
          assert.deepStrictEqual(yield* waits.answers([]), [])
          yield* saved([], new Map([[first.id, null]]))
          assert.deepStrictEqual(yield* waits.answers(from(0)), [late])
          assert.deepStrictEqual({ ...(yield* known(one)) }, { ...one, ...waiting })
        })
      )
    )

    it.effect("stores an ended wait together with its message, and keeps other waits", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [waits, messages] = [yield* Waits, yield* Messages]
          const conversation = yield* givenConversation()
          const { chatAccountId, id: conversationId } = conversation
          const written = yield* Effect.forEach([1, 2, 3], () =>
            givenMessage(conversation, outboundFields({ status: "queued" }))
          )
          const sent = written.map(
            (message, place) => new MessageOf({ ...message, status: "sent", sentAt: minutes(place) })
          )
          const [first, second, third] = sent
          assert(first !== undefined && second !== undefined && third !== undefined)
          const save = (endings?: ReadonlyMap<MessageId, EndedWait | null>) =>
            transact(
              Effect.andThen(
                messages.lock(
                  chatAccountId,
                  sent.map(({ id }) => id)
                ),
                messages.saveAll(chatAccountId, sent, endings)
              )
            )
          const known = Effect.map(waits.answers([{ conversationId, from: minutes(0) }]), (answers) =>
            byId(answers).map(({ messageId, round, since }) => [messageId, round, since])
          )
          yield* save(
            new Map([
              [first.id, { round: 3, since: minutes(-5) }],
              [second.id, { round: 4, since: null }],
              [freshId(MessageId), { round: 5, since: null }]
            ])
          )
          const both = [
            [first.id, 3, minutes(-5)],
            [second.id, 4, null]
          ].toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1))
          assert.deepStrictEqual(yield* known, both)
          yield* save()
          assert.deepStrictEqual(yield* known, both)
          yield* save(new Map([[first.id, null]]))
          assert.deepStrictEqual(yield* known, [[second.id, 4, null]])
        })
      )
    )

    it.effect("drops the waits of a contact's unresolved conversations, and returns the affected ones", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const { id: contactId } = yield* givenContact()
          const waiting = yield* givenConversation({ contactId, waitingSince: minutes(1) })
          const idle = yield* givenConversation({ contactId, waitRound: 1 })
          const resolved = yield* givenConversation({ contactId, status: "resolved" })
          const others = yield* givenConversation({ waitingSince: minutes(1) })
          const dropped = yield* transact(Effect.flatMap(Waits, (waits) => waits.drop(contactId)))
          assert.deepStrictEqual(dropped, [{ id: waiting.id, chatAccountId: waiting.chatAccountId }])
          assert.deepStrictEqual({ ...(yield* known(waiting)) }, { ...waiting, waitingSince: null, waitRound: 1 })
          assert.deepStrictEqual({ ...(yield* known(idle)) }, { ...idle, waitRound: 2 })
          assert.deepStrictEqual({ ...(yield* known(resolved)) }, { ...resolved })
          assert.deepStrictEqual({ ...(yield* known(others)) }, { ...others })
        })
      )
    )

    it.effect("stores each episode when the next one starts, also through a merge of contacts", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const waits = yield* Waits
          const by = { kind: "operator" as const, id: "tests" }
          const episode = (number: number, resolved: boolean) => ({
            number,
            startedAt: minutes(number),
            resolvedAt: resolved ? minutes(number + 1) : null,
            resolvedBy: resolved ? by : null
          })
          const conversation = yield* givenConversation({ status: "resolved" })
          assert.deepStrictEqual(yield* waits.episodes(conversation.id), [])
          for (const number of [1, 2, 3]) {
            for (const resolved of [false, true]) {
              const status = resolved ? ("resolved" as const) : ("open" as const)
              const next = newConversation({ ...conversation, status, episode: episode(number, resolved) })
              yield* Effect.orDie(saveConversations([next]))
            }
          }
          const all = [1, 2, 3].map((number) => episode(number, true))
          assert.deepStrictEqual(yield* waits.episodes(conversation.id), all)
          const { id: to } = yield* givenContact()
          const twin = newConversation({ contactId: to, chatAccountId: conversation.chatAccountId })
          yield* Effect.orDie(insertConversations([twin]))
          const merge = Effect.flatMap(ContactConversations, (port) =>
            port.handOver(conversation.contactId, to, freshId(ContactMergeId), minutes(9))
          )
          yield* transact(merge)
          assert.deepStrictEqual(yield* waits.episodes(conversation.id), all)
          assert.deepStrictEqual(yield* waits.episodes(twin.id), [])
        })
      )
    )
  }
}

/** Runs the contract of waits against an adapter. */
export const waitsContract = runContract(waits)
