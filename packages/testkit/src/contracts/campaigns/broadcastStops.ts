import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ChatAccountId } from "@parley/domain/messaging"
import { Broadcasts, emptyBroadcastStats, RecipientLedger } from "@parley/domain/campaigns"
import { DateTime, Effect } from "effect"
import type { StorageContract } from "../contract.ts"
import { freshId } from "../given.ts"
import { givenBroadcast, newBroadcast } from "./given.ts"
import {
  dawn,
  at,
  inNewOrganization,
  listed,
  givenSending,
  list,
  statsOf,
  move,
  end,
  claim,
  settle,
  takeOver,
  sent,
  failed,
  inDoubt,
  again,
  schedule
} from "./ledgerModel.ts"

/** Ends of broadcasts, changes of owners, and random schedules. */
export const broadcastStopsPromises: StorageContract["promises"] = (it) => {
  it.effect("begins nothing of a broadcast that is not sending", () =>
    Effect.gen(function* () {
      const { id } = yield* givenSending()
      yield* list(id, [listed()])
      for (const status of ["paused", "scheduled", "cancelled", "completed", "failed"] as const) {
        yield* move(id, status)
        assert.isFalse((yield* claim(id, 0)).hasBegun, status)
      }
      assert.deepStrictEqual(yield* statsOf(id), { ...emptyBroadcastStats, matched: 1, pending: 1 })
    }).pipe(inNewOrganization)
  )

  it.effect("puts into doubt what former owners left in hand over the account, and nothing else", () =>
    Effect.gen(function* () {
      const account = freshId(ChatAccountId)
      const [one, other] = [yield* givenSending(account), yield* givenSending(account)]
      const elsewhere = yield* givenSending()
      for (const { id } of [one, other, elsewhere]) yield* list(id, [listed(), listed(), listed()])
      const { window } = yield* claim(one.id, 0, 2, 1)
      yield* claim(one.id, 0, 1, 2)
      yield* claim(other.id, 0, 3, 1)
      yield* claim(elsewhere.id, 0, 3, 1)
      assert.strictEqual(yield* takeOver(account, 2), 5)
      assert.strictEqual(yield* takeOver(account, 2), 0)
      assert.deepStrictEqual(yield* statsOf(one.id), { ...emptyBroadcastStats, matched: 3, inDoubt: 2, inFlight: 1 })
      assert.deepStrictEqual(yield* statsOf(other.id), { ...emptyBroadcastStats, matched: 3, inDoubt: 3 })
      assert.deepStrictEqual(yield* statsOf(elsewhere.id), { ...emptyBroadcastStats, matched: 3, inFlight: 3 })
      const [active] = yield* (yield* RecipientLedger).active(account)
      assert.deepStrictEqual([active?.broadcastId, active?.doubtedAt], [one.id, at(60)])
      // Only a receipt tells from then on.
      yield* settle(window, { 1: sent, 2: again(0) })
      assert.deepStrictEqual(yield* statsOf(one.id), { ...emptyBroadcastStats, matched: 3, inDoubt: 2, inFlight: 1 })
    }).pipe(inNewOrganization)
  )

  it.effect("sends nothing to pending recipients after the end, and stores results in flight", () =>
    Effect.gen(function* () {
      const { chatAccountId, id } = yield* givenSending()
      yield* list(id, [listed(), listed(), listed(), listed()])
      const { window } = yield* claim(id, 0, 2)
      yield* end(id)
      assert.deepStrictEqual(yield* statsOf(id), { ...emptyBroadcastStats, matched: 4, inFlight: 2, neverSent: 2 })
      // The next lane owner must see the recipients in flight.
      const activeIds = Effect.map((yield* RecipientLedger).active(chatAccountId ?? assert.fail()), (active) =>
        active.map(({ broadcastId }) => broadcastId)
      )
      assert.deepStrictEqual(yield* activeIds, [id])
      yield* settle(window, { 1: again(5), 2: sent })
      assert.deepStrictEqual(yield* statsOf(id), { ...emptyBroadcastStats, matched: 4, sent: 1, neverSent: 3 })
      assert.isEmpty(yield* activeIds)
    }).pipe(inNewOrganization)
  )

  it.effect("says whether anything of it may still be called", () =>
    Effect.gen(function* () {
      const ledger = yield* RecipientLedger
      const { id } = yield* givenSending()
      yield* list(id, [listed()])
      assert.isTrue(yield* ledger.isStopped(id))
      const { window } = yield* claim(id, 0)
      assert.isFalse(yield* ledger.isStopped(id))
      yield* ledger.stop(id, 1, at(1))
      assert.isTrue(yield* ledger.isStopped(id))
      yield* list(id, [listed()])
      const { window: later } = yield* claim(id, 0)
      assert.isFalse(yield* ledger.isStopped(id))
      yield* settle(window, { 1: sent })
      assert.isFalse(yield* ledger.isStopped(id))
      yield* settle(later, { 2: sent })
      assert.isTrue(yield* ledger.isStopped(id))
    }).pipe(inNewOrganization)
  )

  it.effect("ignores the stop of an earlier owner", () =>
    Effect.gen(function* () {
      const ledger = yield* RecipientLedger
      const { chatAccountId, id } = yield* givenSending()
      yield* list(id, [listed()])
      yield* ledger.fenceOff(chatAccountId ?? assert.fail(), 2)
      yield* claim(id, 0, 100, 2)
      yield* ledger.stop(id, 1, at(1))
      assert.isFalse(yield* ledger.isStopped(id))
      yield* ledger.stop(id, 2, at(2))
      assert.isTrue(yield* ledger.isStopped(id))
    }).pipe(inNewOrganization)
  )

  it.effect("returns active broadcasts of an account and their wait reasons, without a new version", () =>
    Effect.gen(function* () {
      const ledger = yield* RecipientLedger
      const account = freshId(ChatAccountId)
      for (const status of ["draft", "completed", "cancelled", "failed"] as const) {
        yield* givenBroadcast(newBroadcast({ status, chatAccountId: account }))
      }
      const expected = yield* Effect.forEach(["scheduled", "sending", "paused"] as const, (status) =>
        givenBroadcast(newBroadcast({ status, chatAccountId: account, frozenAt: status === "sending" ? dawn : null }))
      )
      const active = yield* ledger.active(account)
      assert.deepStrictEqual(
        active.map((each) => [each.broadcastId, each.status, each.version, each.isFrozen]),
        expected.map(({ id, status, version }) => [id, status, version, status === "sending"])
      )
      const id = expected[1]?.id ?? assert.fail()
      const waiting = { reason: "quiet_hours", until: at(5) } as const
      yield* ledger.wait(id, waiting)
      yield* transact(ledger.tell(id, at(7)))
      const kept = yield* (yield* Broadcasts).get(id)
      assert.deepStrictEqual([{ ...kept.waiting }, kept.version], [waiting, 1])
      assert.deepStrictEqual((yield* ledger.active(account))[1]?.toldAt, at(7))
      yield* ledger.wait(id, null)
      assert.isNull((yield* (yield* Broadcasts).get(id)).waiting)
    }).pipe(inNewOrganization)
  )

  it.effect(
    "returns recipients who had enough other broadcasts: in flight, in doubt or accepted within some days",
    () =>
      Effect.gen(function* () {
        const ledger = yield* RecipientLedger
        const [one, other] = [yield* givenSending(), yield* givenSending()]
        const people = Array.from({ length: 4 }, () => listed())
        const ids = people.map(({ contactId }) => contactId)
        for (const { id } of [one, other]) yield* list(id, people)
        const { window } = yield* claim(one.id, 0)
        yield* settle(window, { 1: sent, 2: inDoubt, 3: failed })
        const enough = (max: number, days: number, now = at(60)) =>
          Effect.map(ledger.capped(ids, [{ max, days, automated: false, of: [one.id, other.id] }], now), (found) =>
            ids.flatMap((id, place) => (found.has(id) ? [place + 1] : []))
          )
        assert.deepStrictEqual(yield* enough(1, 1), [1, 2, 4])
        assert.deepStrictEqual(yield* enough(2, 1), [])
        yield* claim(other.id, 0, 2)
        assert.deepStrictEqual(yield* enough(2, 1), [1, 2])
        // Recipients in flight count, regardless of their claim time.
        assert.deepStrictEqual(yield* enough(1, 1, DateTime.add(dawn, { days: 2 })), [1, 2, 4])
        assert.deepStrictEqual(yield* enough(2, 1, DateTime.add(dawn, { days: 2 })), [])
      }).pipe(inNewOrganization)
  )

  it.effect("claims a broadcast once under concurrency", () =>
    Effect.gen(function* () {
      const { id } = yield* givenSending()
      yield* list(
        id,
        Array.from({ length: 20 }, () => listed())
      )
      const windows = yield* Effect.forEach([1, 2, 3, 4], () => claim(id, 0, 5), { concurrency: 1 })
      assert.deepStrictEqual(
        windows.flatMap(({ seqs }) => seqs).toSorted((one, other) => one - other),
        Array.from({ length: 20 }, (_, place) => place + 1)
      )
      // Results of several windows, and partial results of one window, arrive concurrently.
      yield* Effect.forEach(
        windows.flatMap(({ seqs, window }) => seqs.map((seq) => ({ seq, window }))),
        ({ seq, window }) => settle(window, { [seq]: seq % 2 === 0 ? sent : failed }),
        { concurrency: "unbounded", discard: true }
      )
      assert.deepStrictEqual(yield* statsOf(id), { ...emptyBroadcastStats, matched: 20, sent: 10, failed: 10 })
    }).pipe(inNewOrganization)
  )

  it.effect("keeps sums right for every schedule of recipient changes", () =>
    Effect.forEach([1, 2, 3, 4], (seed) => inNewOrganization(schedule(seed, 60)), { discard: true })
  )
}
