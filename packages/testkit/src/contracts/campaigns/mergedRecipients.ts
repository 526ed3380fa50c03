import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import { AudienceSnapshotId, Audiences, emptyBroadcastStats, RecipientLedger } from "@parley/domain/campaigns"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import type { StorageContract } from "../contract.ts"
import { givenContact, identity } from "../crm/given.ts"
import { freshId } from "../given.ts"
import { planned } from "./given.ts"
import {
  dawn,
  at,
  inNewOrganization,
  listed,
  givenSending,
  givenListed,
  move,
  claim,
  settle,
  sent,
  again,
  merge,
  unmerge,
  rowsOf,
  statsOf,
  two,
  schedule
} from "./recipientPlaces.ts"

/** Recipients of merged contacts. */
export const mergedRecipientsPromises: StorageContract["promises"] = (it) => {
  it.effect("lets one place of a contact stand, and the other give way while it waits", () =>
    Effect.gen(function* () {
      const [from, to] = two()
      const both = yield* givenListed([listed(from), listed(to)])
      const gone = yield* givenListed([listed(from), listed(to)])
      yield* settle(yield* claim(gone, 1), { 1: sent })
      const held = yield* givenListed([listed(from, { dueAt: at(500) }), listed(to, { left: { kind: "held_out" } })])
      const excluded = yield* givenListed([
        listed(from),
        listed(to, { left: { kind: "excluded", reason: "missing_variable" } })
      ])
      const { changed, undone } = yield* merge(from, to)
      assert.sameDeepMembers(
        changed.map(({ broadcastId, count }) => [broadcastId, count]),
        [
          [both, 1],
          [gone, 1],
          [held, 1]
        ]
      )
      assert.deepStrictEqual(yield* rowsOf(both), [
        [to, "duplicate"],
        [to, "pending"]
      ])
      assert.deepStrictEqual(yield* statsOf(both), { ...emptyBroadcastStats, matched: 2, pending: 1, excluded: 1 })
      assert.deepStrictEqual(yield* rowsOf(gone), [
        [to, "sent"],
        [to, "duplicate"]
      ])
      assert.deepStrictEqual(yield* rowsOf(held), [
        [to, "duplicate"],
        [to, "held_out"]
      ])
      assert.deepStrictEqual(yield* rowsOf(excluded), [
        [to, "pending"],
        [to, "missing_variable"]
      ])
      yield* claim(both)
      yield* move(held, "cancelled")
      const pending = yield* unmerge(undone)
      assert.sameDeepMembers(
        pending.map(({ broadcastId, count }) => [broadcastId, count]),
        [
          [both, 1],
          [gone, 1]
        ]
      )
      assert.deepStrictEqual(yield* rowsOf(both), [
        [from, "pending"],
        [to, "in_flight"]
      ])
      assert.deepStrictEqual(yield* statsOf(both), { ...emptyBroadcastStats, matched: 2, pending: 1, inFlight: 1 })
      // The list was looked through beyond it before.
      assert.deepStrictEqual(
        (yield* claim(both)).calls.map(({ contactId }) => contactId),
        [from]
      )
      assert.deepStrictEqual(yield* rowsOf(gone), [
        [from, "sent"],
        [to, "pending"]
      ])
      assert.deepStrictEqual(yield* rowsOf(held), [
        [from, "duplicate"],
        [to, "held_out"]
      ])
    }).pipe(inNewOrganization)
  )

  it.effect("makes way once only where several were merged, and gives back one when what stood is gone", () =>
    Effect.gen(function* () {
      const [one, other] = two()
      const to = freshId(ContactId)
      const id = yield* givenListed([listed(one), listed(other), listed(to)])
      yield* claim(id, 1)
      const first = yield* merge(one, to)
      yield* merge(other, to)
      assert.deepStrictEqual(yield* rowsOf(id), [
        [to, "in_flight"],
        [to, "duplicate"],
        [to, "duplicate"]
      ])
      assert.deepStrictEqual(yield* unmerge(first.undone), [{ broadcastId: id, count: 1 }])
      assert.deepStrictEqual(yield* rowsOf(id), [
        [one, "in_flight"],
        [to, "duplicate"],
        [to, "pending"]
      ])
    }).pipe(inNewOrganization)
  )

  it.effect("knows of a second place that came back from a call", () =>
    Effect.gen(function* () {
      const ledger = yield* RecipientLedger
      const [from, to] = two()
      const id = yield* givenListed([listed(from), listed(to)])
      const window = yield* claim(id)
      yield* merge(from, to)
      assert.deepStrictEqual(yield* rowsOf(id), [
        [to, "in_flight"],
        [to, "in_flight"]
      ])
      yield* settle(window, { 1: again, 2: again })
      const { candidates } = yield* ledger.next(id, { now: at(9), limit: 9 })
      assert.deepStrictEqual(
        candidates.map(({ isSecond, seq }) => [seq, isSecond]),
        [
          [1, false],
          [2, true]
        ]
      )
      assert.lengthOf((yield* claim(id)).calls, 1)
      assert.deepStrictEqual(yield* statsOf(id), { ...emptyBroadcastStats, matched: 2, inFlight: 1, excluded: 1 })
    }).pipe(inNewOrganization)
  )

  it.effect("voids what was read of a list before it was changed", () =>
    Effect.gen(function* () {
      const ledger = yield* RecipientLedger
      const [from, to] = two()
      const id = yield* givenListed([listed(from), listed(to)])
      const { candidates, mark, revision } = yield* ledger.next(id, { now: at(9), limit: 9 })
      yield* merge(from, to)
      const calls = candidates.map(({ contactId, seq }) => ({ seq, contactId, values: {} }))
      const window = { id: SecureRandom.uuidV7Unsafe(), broadcastId: id, fence: 1, claimedAt: dawn, calls }
      const begun = yield* Effect.flip(transact(ledger.begin({ revision, mark, window, excluded: [], postponed: [] })))
      assert.strictEqual(begun._tag, "ListChanged")
      assert.deepStrictEqual(yield* statsOf(id), { ...emptyBroadcastStats, matched: 2, pending: 1, excluded: 1 })
    }).pipe(inNewOrganization)
  )

  it.effect("hands places on lists that were kept over, and puts each on the list of the broadcast once", () =>
    Effect.gen(function* () {
      const audiences = yield* Audiences
      const contacts = yield* Effect.forEach([1, 2, 3, 4], (number) =>
        givenContact({ name: `${number}`, identities: [identity("chat_user", `DE.${number}`)] })
      )
      const [one, other, third, fourth] = contacts.map(({ id }) => id).toSorted()
      if (one === undefined || other === undefined || third === undefined || fourth === undefined) return assert.fail()
      const id = freshId(AudienceSnapshotId)
      const plan = planned({ isMarketing: false })
      yield* transact(audiences.keep({ id, madeFrom: {}, createdAt: dawn, expiresAt: null }, plan))
      const forth = yield* merge(fourth, other)
      yield* merge(one, third)
      const parted = yield* merge(other, third)
      yield* unmerge(parted.undone)
      const broadcastId = yield* givenSending({ frozenAt: null })
      const freeze = transact(audiences.freeze(broadcastId, plan, { limit: 2, room: null, snapshotId: id }))
      assert.deepStrictEqual([(yield* freeze).listed, (yield* freeze).listed, (yield* freeze).done], [2, 2, true])
      assert.deepStrictEqual(
        (yield* rowsOf(broadcastId)).map(([contactId]) => contactId),
        [third, other, third, other]
      )
      assert.deepStrictEqual(
        (yield* claim(broadcastId)).calls.map(({ contactId }) => contactId),
        [third, other]
      )
      assert.deepStrictEqual(yield* statsOf(broadcastId), {
        ...emptyBroadcastStats,
        matched: 4,
        inFlight: 2,
        excluded: 2
      })
      yield* unmerge(forth.undone)
      assert.deepStrictEqual(
        (yield* rowsOf(broadcastId)).map((row) => [...row]),
        [
          [third, "in_flight"],
          [other, "in_flight"],
          [third, "duplicate"],
          [fourth, "pending"]
        ]
      )
    }).pipe(inNewOrganization)
  )

  it.effect("keeps sums right after every sequence of merges, with one message per contact", () =>
    Effect.forEach([1, 2, 3, 4, 5, 6], (seed) => inNewOrganization(schedule(seed, 50)), { discard: true })
  )
}
