import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import { ChatAccountId } from "@parley/domain/messaging"
import {
  Broadcast,
  type BroadcastId,
  Broadcasts,
  type BroadcastStats,
  type BroadcastStatus,
  type Candidate,
  type Claim,
  type ListedRecipient,
  emptyBroadcastStats,
  RecipientLedger,
  type RecipientOutcome
} from "@parley/domain/campaigns"
import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, givenOrganization, inside } from "../given.ts"
import { givenBroadcast, newBroadcast } from "./given.ts"

const dawn = DateTime.makeUnsafe("2026-03-01T06:00:00Z")
const at = (seconds: number) => DateTime.add(dawn, { seconds })

const inNewOrganization = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(givenOrganization(), (organization) => inside(organization)(effect))

const listed = (said: Partial<ListedRecipient> = {}): ListedRecipient => ({
  contactId: freshId(ContactId),
  address: { kind: "phone", value: "+491701234567" },
  variant: null,
  dueAt: null,
  left: null,
  ...said
})

const givenSending = (account = freshId(ChatAccountId)) =>
  givenBroadcast(newBroadcast({ status: "sending", chatAccountId: account, startedAt: dawn }))

const list = (id: BroadcastId, recipients: ReadonlyArray<ListedRecipient>) =>
  Effect.flatMap(RecipientLedger, (ledger) => transact(ledger.list(id, recipients)))

const statsOf = (id: BroadcastId) =>
  Effect.flatMap(Broadcasts, (broadcasts) => Effect.map(broadcasts.get(id), ({ stats }) => ({ ...stats })))

const move = Effect.fnUntraced(function* (id: BroadcastId, status: BroadcastStatus) {
  const broadcasts = yield* Broadcasts
  return yield* transact(
    Effect.flatMap(broadcasts.lock(id), (before) => broadcasts.save(new Broadcast({ ...before, status }), null))
  )
})

const end = Effect.fnUntraced(function* (id: BroadcastId) {
  const [broadcasts, ledger] = [yield* Broadcasts, yield* RecipientLedger]
  yield* transact(
    Effect.gen(function* () {
      const before = yield* broadcasts.lock(id)
      yield* broadcasts.save(new Broadcast({ ...before, status: "cancelled" }), null)
      yield* ledger.end(id)
    })
  )
})

const next = (id: BroadcastId, seconds: number, limit = 100) =>
  Effect.flatMap(RecipientLedger, (ledger) => ledger.next(id, { now: at(seconds), limit }))

const windowOf = (broadcastId: BroadcastId, calls: ReadonlyArray<Candidate>, fence = 1) => ({
  id: SecureRandom.uuidV7Unsafe(),
  broadcastId,
  fence,
  claimedAt: dawn,
  calls: calls.map(({ contactId, seq }) => ({ seq, contactId, values: { "body.1": `“${seq}” 🥐` } }))
})

const begin = (claim: Claim) => Effect.flatMap(RecipientLedger, (ledger) => transact(ledger.begin(claim)))

/** Claims all due recipients. */
const claim = Effect.fnUntraced(function* (id: BroadcastId, seconds: number, limit = 100, fence = 1) {
  const { candidates, mark, revision } = yield* next(id, seconds, limit)
  const window = windowOf(id, candidates, fence)
  const hasBegun = yield* begin({ revision, mark, window, excluded: [], postponed: [] })
  return { window, hasBegun, seqs: candidates.map(({ seq }) => seq) }
})

const settle = (
  { broadcastId, id: windowId }: Claim["window"],
  outcomes: Readonly<Record<number, RecipientOutcome>>,
  seconds = 1
) =>
  Effect.flatMap(RecipientLedger, (ledger) =>
    transact(
      ledger.settle(
        broadcastId,
        Object.entries(outcomes).map(([seq, outcome]) => ({ windowId, seq: Number(seq), at: at(seconds), outcome }))
      )
    )
  )

const takeOver = (account: ChatAccountId, fence: number) =>
  Effect.flatMap(RecipientLedger, (ledger) => transact(ledger.takeOver(account, fence, at(60))))

const sent = { kind: "sent", providerMessageId: "wamid.1" } as const
const failed = {
  kind: "failed",
  error: { code: "recipient_unreachable", providerCode: 131_026, reason: "“Nobody” is there" }
} as const
const inDoubt = { kind: "in_doubt" } as const
const again = (seconds: number, counts = true) => ({ kind: "pending", dueAt: at(seconds), counts }) as const

const sumOf = ({ matched, ...counters }: BroadcastStats) =>
  Object.values({ matched, ...counters }).reduce((sum, count) => sum + count, -matched)

/** Numbers that look random and are the same for the same seed. */
const drawsOf = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type InModel = Exclude<keyof BroadcastStats, "matched">

/** State and due time of a recipient in the model. */
interface Modelled {
  counter: InModel
  dueAt: number
  windowId: string | null
}

/** Runs this number of random operations on one broadcast and compares each with a model. */
const schedule = Effect.fnUntraced(function* (seed: number, operations: number) {
  const draw = drawsOf(seed)
  const { chatAccountId, id } = yield* givenSending()
  const account = chatAccountId ?? assert.fail()
  const model = new Map<number, Modelled>()
  let status = "sending" as BroadcastStatus
  let fence = 1
  let now = 0
  const windows: Array<Claim["window"]> = []
  const inModel = (counter: InModel) => Array.from(model.values()).filter((each) => each.counter === counter).length
  const expected = (): BroadcastStats => {
    const stats = { ...emptyBroadcastStats, matched: model.size }
    for (const { counter } of model.values()) stats[counter] += 1
    return stats
  }

  const addSome = Effect.fnUntraced(function* () {
    const added = Array.from({ length: draw(6) }, () => {
      const kind = draw(8)
      if (kind === 0) return listed({ left: { kind: "held_out" } })
      if (kind === 1) return listed({ left: { kind: "excluded", reason: "blocked" }, address: null })
      return listed({ dueAt: kind === 2 ? at(now + draw(30)) : null })
    })
    for (const { dueAt, left } of added) {
      const counter = left === null ? "pending" : left.kind === "held_out" ? "heldOut" : "excluded"
      const due = dueAt === null ? 0 : (DateTime.toEpochMillis(dueAt) - DateTime.toEpochMillis(dawn)) / 1_000
      model.set(model.size + 1, { counter, dueAt: due, windowId: null })
    }
    yield* list(id, added)
  })

  const claimSome = Effect.fnUntraced(function* () {
    const { candidates, mark, revision } = yield* next(id, now, 1 + draw(8))
    for (const { seq } of candidates) {
      const known = model.get(seq)
      assert.isTrue(
        known?.counter === (status === "cancelled" ? "neverSent" : "pending"),
        `seed ${seed}: ${seq} is no candidate`
      )
      assert.isAtMost(known?.dueAt ?? 0, now, `seed ${seed}: ${seq} is not due`)
    }
    const decisions = candidates.map((candidate) => ({ candidate, decision: draw(6) }))
    const excluded = decisions.filter(({ decision }) => decision === 0).map(({ candidate }) => candidate)
    const postponed = decisions.filter(({ decision }) => decision === 1).map(({ candidate }) => candidate)
    const window = windowOf(
      id,
      decisions.filter(({ decision }) => decision > 1).map(({ candidate }) => candidate),
      fence
    )
    const dueAt = now + 1 + draw(10)
    const hasBegun = yield* begin({
      revision,
      mark,
      window,
      excluded: excluded.map(({ seq }) => ({ seq, reason: "frequency_cap" })),
      postponed: postponed.map(({ seq }) => ({ seq, dueAt: at(dueAt) }))
    })
    assert.strictEqual(hasBegun, status === "sending", `seed ${seed}`)
    if (!hasBegun) return
    for (const { seq } of excluded) model.set(seq, { counter: "excluded", dueAt: 0, windowId: null })
    for (const { seq } of postponed) model.set(seq, { counter: "pending", dueAt, windowId: null })
    for (const { seq } of window.calls) model.set(seq, { counter: "inFlight", dueAt: 0, windowId: window.id })
    if (window.calls.length > 0) windows.push(window)
  })

  const settleSome = Effect.fnUntraced(function* () {
    const window = windows[draw(Math.max(windows.length, 1))]
    if (window === undefined) return
    const outcomes = new Map<number, RecipientOutcome>()
    for (const { seq } of window.calls) {
      const kind = draw(7)
      if (kind < 2) outcomes.set(seq, sent)
      if (kind === 2) outcomes.set(seq, failed)
      if (kind === 3) outcomes.set(seq, inDoubt)
      if (kind === 4) outcomes.set(seq, again(now + draw(5)))
    }
    yield* settle(window, Object.fromEntries(outcomes), now)
    for (const [seq, outcome] of outcomes) {
      // Recipients that are no longer in flight in this window stay unchanged.
      if (model.get(seq)?.windowId !== window.id) continue
      const dueAt =
        outcome.kind === "pending" ? (DateTime.toEpochMillis(outcome.dueAt) - DateTime.toEpochMillis(dawn)) / 1_000 : 0
      const counters = { sent: "sent", failed: "failed", in_doubt: "inDoubt", pending: "pending" } as const
      const counter = outcome.kind === "pending" && status === "cancelled" ? "neverSent" : counters[outcome.kind]
      model.set(seq, { counter, dueAt, windowId: null })
    }
  })

  const takeOverAll = Effect.fnUntraced(function* () {
    fence += 1
    const lost = yield* takeOver(account, fence)
    assert.strictEqual(lost, inModel("inFlight"), `seed ${seed}`)
    for (const each of model.values()) {
      if (each.counter === "inFlight") Object.assign(each, { counter: "inDoubt", windowId: null })
    }
  })

  const pauseOrGoOn = Effect.fnUntraced(function* () {
    if (status === "cancelled") return
    status = status === "sending" ? "paused" : "sending"
    yield* move(id, status)
  })

  const cancel = Effect.fnUntraced(function* () {
    if (status === "cancelled") return
    status = "cancelled"
    yield* end(id)
    for (const each of model.values()) if (each.counter === "pending") each.counter = "neverSent"
  })

  for (let operation = 0; operation < operations; operation += 1) {
    now += draw(3)
    const kind = draw(40)
    if (kind < 8 && status !== "cancelled") yield* addSome()
    else if (kind < 22) yield* claimSome()
    else if (kind < 35) yield* settleSome()
    else if (kind < 37) yield* takeOverAll()
    else if (kind < 39) yield* pauseOrGoOn()
    else if (operation > operations / 2) yield* cancel()
    const stats = yield* statsOf(id)
    assert.deepStrictEqual(stats, { ...expected() }, `seed ${seed}, operation ${operation}`)
    assert.strictEqual(stats.matched, sumOf(stats), `seed ${seed}, operation ${operation}`)
  }
})

export const recipientLedger: StorageContract = {
  port: "RecipientLedger",
  promises: (it) => {
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
}

export const recipientLedgerContract = runContract(recipientLedger)
