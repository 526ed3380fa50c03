import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import { ChatAccountId } from "@parley/domain/messaging"
import {
  type BroadcastId,
  ContactRecipients,
  type ContactRecipient,
  type RecipientEntry,
  recipientIdAt,
  RecipientLedger,
  RecipientList,
  recipientPrefix
} from "@parley/domain/campaigns"
import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import type { StorageContract } from "../contract.ts"
import { freshId, givenOrganization, inside } from "../given.ts"
import {
  dawn,
  at,
  inNewOrganization,
  everybody,
  listed,
  givenListed,
  move,
  claim,
  settle,
  sent,
  inDoubt,
  merge,
  unmerge,
  rowsOf,
  two
} from "./recipientPlaces.ts"

/** Recipients of a contact, before and after sending. */
export const contactHistoriesPromises: StorageContract["promises"] = (it) => {
  it.effect("forgets where contacts were to be sent to, and leaves them on the list", () =>
    Effect.gen(function* () {
      const [gone, other] = two()
      const id = yield* givenListed([listed(gone), listed(other)])
      const window = yield* claim(id, 1)
      yield* transact((yield* ContactRecipients).forget([gone]))
      const { rows } = yield* (yield* RecipientList).list(id, everybody, { limit: 9, after: null })
      assert.deepStrictEqual(
        rows.map(({ address, contactId, status }) => [contactId, address, status]),
        [
          [gone, null, "in_flight"],
          [other, "+491701234567", "pending"]
        ]
      )
      // Recipients that were in flight also leave no values.
      yield* settle(window, { 1: sent })
      const [held] = yield* (yield* ContactRecipients).list(gone, 9)
      assert.deepStrictEqual([held?.status, held?.address, held?.values], ["sent", null, {}])
    }).pipe(inNewOrganization)
  )

  it.effect("makes waiting recipients of some contacts due, except retries and ended broadcasts", () =>
    Effect.gen(function* () {
      const elsewhere = yield* givenOrganization()
      const test = Effect.gen(function* () {
        const [ledger, port] = [yield* RecipientLedger, yield* ContactRecipients]
        const [one, other] = two()
        const chatAccountId = freshId(ChatAccountId)
        const later = { dueAt: at(500) }
        const id = yield* givenListed([listed(one, later), listed(other, later)], { chatAccountId })
        const retried = yield* givenListed([listed(one)], { chatAccountId })
        yield* settle(yield* claim(retried), { 1: { kind: "pending", dueAt: at(500), counts: true } })
        const ended = yield* givenListed([listed(one, later)], { chatAccountId, status: "cancelled" })
        const dueOf = (broadcastId: BroadcastId) =>
          Effect.map(ledger.next(broadcastId, { now: at(100), limit: 9 }), ({ candidates, revision }) => ({
            due: candidates.map(({ contactId }) => contactId),
            revision
          }))
        const { revision } = yield* dueOf(id)
        const recall = (contactIds: ReadonlyArray<ContactId>) => transact(port.recall(contactIds, at(100)))
        assert.deepStrictEqual(yield* recall([one]).pipe(inside(elsewhere)), [])
        assert.deepStrictEqual(yield* recall([freshId(ContactId)]), [])
        assert.deepStrictEqual(yield* dueOf(id), { due: [], revision })
        assert.deepStrictEqual(yield* recall([one]), [chatAccountId])
        assert.deepStrictEqual(yield* dueOf(id), { due: [one], revision: revision + 1 })
        assert.deepStrictEqual((yield* dueOf(retried)).due, [])
        assert.deepStrictEqual((yield* dueOf(ended)).due, [])
        // A due recipient does not wait.
        assert.deepStrictEqual(yield* recall([one]), [])
      })
      yield* inNewOrganization(test)
    })
  )

  it.effect("makes delayed recipients due, and no recipient in flight", () =>
    Effect.gen(function* () {
      const [ledger, port] = [yield* RecipientLedger, yield* ContactRecipients]
      const [one, other] = two()
      const chatAccountId = freshId(ChatAccountId)
      const id = yield* givenListed([listed(one), listed(other, { dueAt: at(50) })], { chatAccountId })
      const { mark, revision } = yield* ledger.next(id, { now: at(10), limit: 9 })
      const window = { id: SecureRandom.uuidV7Unsafe(), broadcastId: id, fence: 1, claimedAt: dawn, calls: [] }
      const postponed = [{ seq: 1, dueAt: at(500) }]
      yield* transact(ledger.begin({ revision, mark, window, excluded: [], postponed }))
      yield* claim(id, 9, at(60))
      assert.deepStrictEqual(yield* transact(port.recall([one, other], at(40))), [chatAccountId])
      const { candidates } = yield* ledger.next(id, { now: at(100), limit: 9 })
      assert.deepStrictEqual(
        candidates.map(({ contactId }) => contactId),
        [one]
      )
    }).pipe(inNewOrganization)
  )

  it.effect("tells which broadcasts a contact got, and lists all that it was on the list of", () =>
    Effect.gen(function* () {
      const port = yield* ContactRecipients
      const [one, other] = two()
      const first = yield* givenListed([listed(other), listed(one, { variant: "b" })])
      yield* settle(yield* claim(first), { 1: sent, 2: sent })
      const second = yield* givenListed([listed(one)])
      yield* settle(yield* claim(second), { 1: sent })
      const third = yield* givenListed([listed(one)])
      yield* claim(third)
      const entries = yield* port.timeline(one, { limit: 9, after: null })
      const name = "Frühling “100 %” \\ _ 🎉"
      const entryOf = (id: BroadcastId, place: number): RecipientEntry => ({
        kind: "broadcast",
        id,
        at: at(place),
        broadcastId: id,
        recipientId: recipientIdAt(recipientPrefix(id), place),
        name,
        status: "sent",
        repliedAt: null,
        optedOutAt: null
      })
      assert.deepStrictEqual(entries, [entryOf(first, 2), entryOf(second, 1)])
      assert.deepStrictEqual(yield* port.timeline(one, { limit: 1, after: null }), entries.slice(0, 1))
      const after = [DateTime.formatIso(at(2)), first]
      assert.deepStrictEqual(yield* port.timeline(one, { limit: 9, after }), entries.slice(1))
      const held = yield* port.list(one, 9)
      assert.deepStrictEqual(
        held.map(({ broadcastId, broadcastName, id, status, values, variant }) => [
          broadcastId,
          broadcastName,
          id,
          status,
          { ...values },
          variant
        ]),
        [
          [third, name, recipientIdAt(recipientPrefix(third), 1), "in_flight", { seq: "1" }, null],
          [second, name, recipientIdAt(recipientPrefix(second), 1), "sent", { seq: "1" }, null],
          [first, name, recipientIdAt(recipientPrefix(first), 2), "sent", { seq: "2" }, "b"]
        ]
      )
      const [newest = assert.fail()] = held
      const expected: ContactRecipient = {
        id: recipientIdAt(recipientPrefix(third), 1),
        broadcastId: third,
        broadcastName: name,
        address: "+491701234567",
        variant: null,
        status: "in_flight",
        reason: null,
        error: null,
        values: { seq: "1" },
        attempts: 0,
        dueAt: null,
        sentAt: null,
        deliveredAt: null,
        readAt: null,
        failedAt: null,
        repliedAt: null,
        optedOutAt: null,
        conversationId: null
      }
      assert.deepStrictEqual({ ...newest, values: { ...newest.values } }, expected)
      assert.lengthOf(yield* port.list(one, 2), 2)
      assert.isEmpty(yield* port.list(freshId(ContactId), 9))
    }).pipe(inNewOrganization)
  )

  it.effect("transfers recipients in every state, and returns them", () =>
    Effect.gen(function* () {
      const [from, to] = two()
      const id = yield* givenListed([listed(from), listed(freshId(ContactId))])
      const ended = yield* givenListed([listed(from), listed(to)])
      yield* settle(yield* claim(ended), { 1: sent, 2: inDoubt })
      yield* move(ended, "cancelled")
      const waiting = yield* givenListed([listed(to), listed(from)], { status: "cancelled" })
      const { changed, undone } = yield* merge(from, to)
      assert.isEmpty(changed)
      assert.deepStrictEqual((yield* rowsOf(id))[0], [to, "pending"])
      assert.deepStrictEqual(yield* rowsOf(ended), [
        [to, "sent"],
        [to, "in_doubt"]
      ])
      // Recipients that remained at the end never get a message and are no duplicates.
      assert.deepStrictEqual(yield* rowsOf(waiting), [
        [to, "never_sent"],
        [to, "never_sent"]
      ])
      assert.lengthOf(yield* (yield* ContactRecipients).list(to, 9), 5)
      assert.isEmpty(yield* (yield* ContactRecipients).list(from, 9))
      assert.isEmpty(yield* unmerge(undone))
      assert.deepStrictEqual((yield* rowsOf(id))[0], [from, "pending"])
      assert.deepStrictEqual(yield* rowsOf(ended), [
        [from, "sent"],
        [to, "in_doubt"]
      ])
    }).pipe(inNewOrganization)
  )

  it.effect("counts for caps what was handed over, in hand too", () =>
    Effect.gen(function* () {
      const ledger = yield* RecipientLedger
      const [from, to] = two()
      const id = yield* givenListed([listed(from)])
      const other = yield* givenListed([listed(from)])
      yield* settle(yield* claim(id), { 1: sent })
      yield* claim(other)
      const enough = (contactId: ContactId) =>
        Effect.map(
          ledger.capped([contactId], [{ max: 2, days: 1, automated: false, of: [id, other] }], at(60)),
          ({ size }) => size > 0
        )
      const { undone } = yield* merge(from, to)
      assert.deepStrictEqual([yield* enough(to), yield* enough(from)], [true, false])
      yield* unmerge(undone)
      assert.deepStrictEqual([yield* enough(to), yield* enough(from)], [false, true])
    }).pipe(inNewOrganization)
  )
}
