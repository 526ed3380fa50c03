import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ChatAccountId } from "@parley/domain/messaging"
import { emptyBroadcastStats, RecipientLedger } from "@parley/domain/campaigns"
import { Effect } from "effect"
import type { StorageContract } from "../contract.ts"
import { freshId } from "../given.ts"
import {
  at,
  inNewOrganization,
  listed,
  givenSending,
  list,
  statsOf,
  move,
  next,
  windowOf,
  begin,
  claim,
  settle,
  sent,
  failed,
  inDoubt,
  again
} from "./ledgerModel.ts"

/** Claims of recipients, and their results. */
export const recipientClaimsPromises: StorageContract["promises"] = (it) => {
  it.effect("reviews postponed recipients in batches, and none that wait for another reason", () =>
    Effect.gen(function* () {
      const account = freshId(ChatAccountId)
      const ledger = yield* RecipientLedger
      const { id } = yield* givenSending(account)
      const scheduled = listed({ dueAt: at(7_200) })
      yield* list(id, [listed(), listed(), listed(), scheduled])
      const isRecalled = Effect.map(ledger.active(account), ([active]) => active?.isRecalled)
      const { candidates } = yield* next(id, 0)
      const postponed = candidates.map(({ seq }) => ({ seq, dueAt: at(3_600) }))
      const window = windowOf(id, [])
      yield* transact(ledger.begin({ revision: 0, mark: 3, window, excluded: [], postponed }))
      assert.isFalse(yield* isRecalled)
      assert.deepStrictEqual(yield* transact(ledger.recallAll()), [account])
      assert.isTrue(yield* isRecalled)
      assert.isEmpty((yield* next(id, 1)).candidates)
      yield* transact(ledger.recall(id, at(1), 2))
      assert.deepStrictEqual([yield* isRecalled, (yield* next(id, 1)).candidates.length], [true, 2])
      yield* transact(ledger.recall(id, at(1), 2))
      const due = (yield* next(id, 1)).candidates.map(({ seq }) => seq)
      assert.deepStrictEqual([yield* isRecalled, due], [false, [1, 2, 3]])
      yield* move(id, "cancelled")
      assert.isEmpty(yield* transact(ledger.recallAll()))
      return id
    }).pipe(
      inNewOrganization,
      Effect.flatMap((theirs) =>
        inNewOrganization(
          Effect.gen(function* () {
            const account = freshId(ChatAccountId)
            const ledger = yield* RecipientLedger
            yield* givenSending(account)
            assert.deepStrictEqual(yield* transact(ledger.recallAll()), [account])
            yield* transact(ledger.recall(theirs, at(1), 2))
          })
        )
      )
    )
  )

  it.effect("returns recipients in list order, once each, without excluded ones", () =>
    Effect.gen(function* () {
      const { id } = yield* givenSending()
      const [first, last] = [listed({ variant: "b" }), listed({ address: { kind: "chat_user", value: "DE.1" } })]
      const excluded = listed({ address: null, left: { kind: "excluded", reason: "no_identity" } })
      yield* list(id, [first, listed({ left: { kind: "held_out" } }), excluded])
      yield* list(id, [last])
      assert.deepStrictEqual(yield* statsOf(id), {
        ...emptyBroadcastStats,
        matched: 4,
        pending: 2,
        heldOut: 1,
        excluded: 1
      })
      const found = yield* next(id, 0)
      const untried = { dueAt: null, attempts: 0, isSecond: false }
      assert.deepStrictEqual(found, {
        mark: 4,
        revision: 0,
        candidates: [
          { seq: 1, contactId: first.contactId, address: first.address, variant: "b", ...untried },
          { seq: 4, contactId: last.contactId, address: last.address, variant: null, ...untried }
        ]
      })
      assert.deepStrictEqual((yield* next(id, 0, 1)).mark, 1)
      assert.deepStrictEqual((yield* claim(id, 0, 1)).seqs, [1])
      assert.deepStrictEqual((yield* claim(id, 0)).seqs, [4])
      assert.deepStrictEqual((yield* claim(id, 0)).seqs, [])
      assert.deepStrictEqual(yield* statsOf(id), {
        ...emptyBroadcastStats,
        matched: 4,
        inFlight: 2,
        heldOut: 1,
        excluded: 1
      })
    }).pipe(inNewOrganization)
  )

  it.effect("returns the next due time of waiting recipients, not of those in flight", () =>
    Effect.gen(function* () {
      const { chatAccountId, id } = yield* givenSending()
      const nextDueAt = Effect.flatMap(RecipientLedger, (ledger) =>
        Effect.map(ledger.active(chatAccountId ?? assert.fail()), ([active]) => active?.nextDueAt)
      )
      yield* list(id, [listed({ dueAt: at(10) }), listed({ dueAt: at(20) })])
      assert.deepStrictEqual((yield* claim(id, 10)).seqs, [1])
      assert.deepStrictEqual(yield* nextDueAt, at(20))
      assert.deepStrictEqual((yield* claim(id, 20)).seqs, [2])
      assert.isNull(yield* nextDueAt)
    }).pipe(inNewOrganization)
  )

  it.effect("holds recipients that are not due, and returns them first when due", () =>
    Effect.gen(function* () {
      const { chatAccountId, id } = yield* givenSending()
      const ledger = yield* RecipientLedger
      yield* list(id, [listed({ dueAt: at(20) }), listed(), listed({ dueAt: at(10) })])
      const [active] = yield* ledger.active(chatAccountId ?? assert.fail())
      assert.deepStrictEqual(active?.nextDueAt, at(10))
      assert.deepStrictEqual(
        (yield* next(id, 9)).candidates.map(({ seq }) => seq),
        [2]
      )
      const { candidates } = yield* next(id, 20)
      assert.deepStrictEqual(
        candidates.map(({ dueAt, seq }) => [seq, dueAt]),
        [
          [3, at(10)],
          [1, at(20)],
          [2, null]
        ]
      )
    }).pipe(inNewOrganization)
  )

  it.effect("stores exclusions and postponements together with the claim", () =>
    Effect.gen(function* () {
      const { chatAccountId, id } = yield* givenSending()
      const firstDue = Effect.flatMap(RecipientLedger, (ledger) =>
        Effect.map(ledger.active(chatAccountId ?? assert.fail()), ([active]) => [
          active?.nextDueAt,
          active?.isNextPutOff
        ])
      )
      yield* list(id, [listed(), listed(), listed(), listed({ dueAt: at(9) })])
      assert.deepStrictEqual(yield* firstDue, [at(9), false])
      const { candidates, mark } = yield* next(id, 0)
      const window = windowOf(id, candidates.slice(2))
      const postponed = [{ seq: 2, dueAt: at(5) }]
      yield* begin({ revision: 0, mark, window, excluded: [{ seq: 1, reason: "not_subscribed" }], postponed })
      assert.deepStrictEqual(yield* statsOf(id), {
        ...emptyBroadcastStats,
        matched: 4,
        excluded: 1,
        pending: 2,
        inFlight: 1
      })
      assert.deepStrictEqual(yield* firstDue, [at(5), true])
      assert.isEmpty((yield* next(id, 4)).candidates)
      assert.deepStrictEqual(
        (yield* next(id, 5)).candidates.map(({ seq }) => seq),
        [2]
      )
    }).pipe(inNewOrganization)
  )

  it.effect("stores what came of each, and gives back what is to be tried again", () =>
    Effect.gen(function* () {
      const { id } = yield* givenSending()
      yield* list(
        id,
        Array.from({ length: 6 }, () => listed())
      )
      const { window } = yield* claim(id, 0)
      yield* settle(window, { 1: sent, 2: failed, 3: inDoubt, 4: again(10), 5: again(10, false) })
      const counted = { ...emptyBroadcastStats, matched: 6, sent: 1, failed: 1, inDoubt: 1, pending: 2 }
      assert.deepStrictEqual(yield* statsOf(id), { ...counted, inFlight: 1 })
      const { candidates } = yield* next(id, 10)
      assert.deepStrictEqual(
        candidates.map(({ attempts, seq }) => [seq, attempts]),
        [
          [4, 1],
          [5, 0]
        ]
      )
      // Repeated results and results for recipients outside the window change nothing.
      yield* settle(window, { 1: failed, 3: sent, 4: sent, 6: sent, 7: sent })
      assert.deepStrictEqual(yield* statsOf(id), { ...counted, sent: 2 })
      yield* settle(window, { 6: failed })
      assert.deepStrictEqual(yield* statsOf(id), { ...counted, sent: 2 })
    }).pipe(inNewOrganization)
  )
}
