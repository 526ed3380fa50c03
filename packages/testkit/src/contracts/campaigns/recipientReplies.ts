import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import { ChatAccountId, ConversationId } from "@parley/domain/messaging"
import { recipientIdAt, RecipientLedger, recipientPrefix, RecipientReplies } from "@parley/domain/campaigns"
import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, givenOrganization, inside } from "../given.ts"
import { givenBroadcast, newBroadcast } from "./given.ts"

const dawn = DateTime.makeUnsafe("2026-03-01T06:00:00Z")
const at = (seconds: number) => DateTime.add(dawn, { seconds })

const inNewOrganization = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(givenOrganization(), (organization) => inside(organization)(effect))

/** Stores a broadcast that was sent to these contacts, except the last one. */
const givenSent = Effect.fnUntraced(function* (account: ChatAccountId, contacts: ReadonlyArray<ContactId>) {
  const ledger = yield* RecipientLedger
  const { id } = yield* givenBroadcast(newBroadcast({ status: "sending", chatAccountId: account, startedAt: dawn }))
  const recipients = contacts.map((contactId) => {
    return {
      contactId,
      address: { kind: "phone", value: "+491701234567" },
      variant: "b",
      dueAt: null,
      left: null
    } as const
  })
  const calls = contacts
    .slice(0, -1)
    .map((contactId, place) => ({ seq: place + 1, contactId, values: { header: "🥐" } }))
  const window = { id: SecureRandom.uuidV7Unsafe(), broadcastId: id, fence: 1, claimedAt: dawn, calls }
  const results = calls.map(({ seq }) => {
    return { windowId: window.id, seq, at: at(seq), outcome: { kind: "sent", providerMessageId: `w.${seq}` } } as const
  })
  yield* transact(
    Effect.gen(function* () {
      yield* ledger.list(id, recipients)
      yield* ledger.begin({ revision: 0, mark: contacts.length, window, excluded: [], postponed: [] })
      yield* ledger.settle(id, results)
    })
  )
  return id
})

const lock = (account: ChatAccountId, contacts: ReadonlyArray<ContactId>) =>
  Effect.flatMap(RecipientReplies, (port) => transact(port.lock(account, contacts)))

export const recipientReplies: StorageContract = {
  port: "RecipientReplies",
  promises: (it) => {
    it.effect("finds what contacts were sent over the account, as it was sent", () =>
      Effect.gen(function* () {
        const account = freshId(ChatAccountId)
        const [one, other, last] = [freshId(ContactId), freshId(ContactId), freshId(ContactId)]
        const id = yield* givenSent(account, [one, other, last])
        yield* givenSent(freshId(ChatAccountId), [one, last])
        assert.deepStrictEqual(yield* lock(account, [one, last]), [
          {
            id: recipientIdAt(recipientPrefix(id), 1),
            broadcastId: id,
            seq: 1,
            contactId: one,
            address: { kind: "phone", value: "+491701234567" },
            variant: "b",
            status: "sent",
            error: null,
            values: { header: "🥐" },
            providerMessageId: "w.1",
            calledAt: dawn,
            sentAt: at(1),
            deliveredAt: null,
            readAt: null,
            failedAt: null,
            repliedAt: null,
            optedOutAt: null,
            conversationId: null
          }
        ])
        assert.isEmpty(yield* lock(account, [last]))
        const ledger = yield* RecipientLedger
        const calls = [{ seq: 3, contactId: last, values: {} }]
        const window = { id: SecureRandom.uuidV7Unsafe(), broadcastId: id, fence: 1, claimedAt: at(20), calls }
        yield* transact(ledger.begin({ revision: 0, mark: 3, window, excluded: [], postponed: [] }))
        assert.deepStrictEqual(
          (yield* lock(account, [last])).map(({ sentAt, seq, status }) => [seq, status, sentAt]),
          [[3, "in_flight", at(20)]]
        )
        yield* transact(ledger.settle(id, [{ windowId: window.id, seq: 3, at: at(30), outcome: { kind: "in_doubt" } }]))
        assert.deepStrictEqual(
          (yield* lock(account, [last])).map(({ sentAt, seq, status }) => [seq, status, sentAt]),
          [[3, "in_doubt", at(20)]]
        )
      }).pipe(inNewOrganization)
    )

    it.effect("stores who has replied or opted out, and where the message stands", () =>
      Effect.gen(function* () {
        const account = freshId(ChatAccountId)
        const [one, other] = [freshId(ContactId), freshId(ContactId)]
        const broadcastId = yield* givenSent(account, [one, other, freshId(ContactId)])
        const conversationId = freshId(ConversationId)
        const port = yield* RecipientReplies
        const save = (seq: number, repliedAt: DateTime.Utc | null, optedOutAt: DateTime.Utc | null) =>
          transact(port.save([{ broadcastId, seq, repliedAt, optedOutAt, conversationId }]))
        yield* save(1, at(9), null)
        yield* save(1, at(8), null)
        yield* save(2, null, at(7))
        const found = yield* lock(account, [one, other])
        assert.sameDeepMembers(
          found.map((each) => [each.seq, each.repliedAt, each.optedOutAt, each.conversationId]),
          [
            [1, at(8), null, conversationId],
            [2, null, at(7), conversationId]
          ]
        )
      }).pipe(inNewOrganization)
    )

    it.effect("stores refusals for opt-outs, and returns the new ones", () =>
      Effect.gen(function* () {
        const account = freshId(ChatAccountId)
        const [one, other] = [freshId(ContactId), freshId(ContactId)]
        const broadcastId = yield* givenSent(account, [one, other, freshId(ContactId)])
        const port = yield* RecipientReplies
        const reported = [
          { broadcastId, seq: 1, at: at(9) },
          { broadcastId, seq: 1, at: at(8) }
        ]
        assert.deepStrictEqual(yield* transact(port.optOut(reported)), [{ broadcastId, seq: 1, contactId: one }])
        const more = [{ broadcastId, seq: 2, at: at(7) }, ...reported]
        assert.deepStrictEqual(yield* transact(port.optOut(more)), [{ broadcastId, seq: 2, contactId: other }])
        assert.isEmpty(yield* transact(port.optOut([])))
        assert.sameDeepMembers(
          (yield* lock(account, [one, other])).map((each) => [each.seq, each.optedOutAt]),
          [
            [1, at(8)],
            [2, at(7)]
          ]
        )
      }).pipe(inNewOrganization)
    )
  }
}

export const recipientRepliesContract = runContract(recipientReplies)
