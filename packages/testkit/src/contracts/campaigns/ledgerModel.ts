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
import { freshId, givenOrganization, inside } from "../given.ts"
import { givenBroadcast, newBroadcast } from "./given.ts"

export const dawn = DateTime.makeUnsafe("2026-03-01T06:00:00Z")
export const at = (seconds: number) => DateTime.add(dawn, { seconds })

export const inNewOrganization = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(givenOrganization(), (organization) => inside(organization)(effect))

export const listed = (overrides: Partial<ListedRecipient> = {}): ListedRecipient => ({
  contactId: freshId(ContactId),
  address: { kind: "phone", value: "+491701234567" },
  variant: null,
  dueAt: null,
  left: null,
  ...overrides
})

export const givenSending = (account = freshId(ChatAccountId)) =>
  givenBroadcast(newBroadcast({ status: "sending", chatAccountId: account, startedAt: dawn }))

export const list = (id: BroadcastId, recipients: ReadonlyArray<ListedRecipient>) =>
  Effect.flatMap(RecipientLedger, (ledger) => transact(ledger.list(id, recipients)))

export const statsOf = (id: BroadcastId) =>
  Effect.flatMap(Broadcasts, (broadcasts) => Effect.map(broadcasts.get(id), ({ stats }) => ({ ...stats })))

export const move = Effect.fnUntraced(function* (id: BroadcastId, status: BroadcastStatus) {
  const broadcasts = yield* Broadcasts
  return yield* transact(
    Effect.flatMap(broadcasts.lock(id), (before) => broadcasts.save(new Broadcast({ ...before, status }), null))
  )
})

export const end = Effect.fnUntraced(function* (id: BroadcastId) {
  const [broadcasts, ledger] = [yield* Broadcasts, yield* RecipientLedger]
  yield* transact(
    Effect.gen(function* () {
      const before = yield* broadcasts.lock(id)
      yield* broadcasts.save(new Broadcast({ ...before, status: "cancelled" }), null)
      yield* ledger.end(id)
    })
  )
})

export const next = (id: BroadcastId, seconds: number, limit = 100) =>
  Effect.flatMap(RecipientLedger, (ledger) => ledger.next(id, { now: at(seconds), limit }))

export const windowOf = (broadcastId: BroadcastId, calls: ReadonlyArray<Candidate>, fence = 1) => ({
  id: SecureRandom.uuidV7Unsafe(),
  broadcastId,
  fence,
  claimedAt: dawn,
  calls: calls.map(({ contactId, seq }) => ({ seq, contactId, values: { "body.1": `“${seq}” 🥐` } }))
})

export const begin = (claim: Claim) => Effect.flatMap(RecipientLedger, (ledger) => transact(ledger.begin(claim)))

/** Claims all due recipients. */
export const claim = Effect.fnUntraced(function* (id: BroadcastId, seconds: number, limit = 100, fence = 1) {
  const { candidates, mark, revision } = yield* next(id, seconds, limit)
  const window = windowOf(id, candidates, fence)
  const hasBegun = yield* begin({ revision, mark, window, excluded: [], postponed: [] })
  return { window, hasBegun, seqs: candidates.map(({ seq }) => seq) }
})

export const settle = (
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

export const takeOver = (account: ChatAccountId, fence: number) =>
  Effect.flatMap(RecipientLedger, (ledger) => transact(ledger.takeOver(account, fence, at(60))))

export const sent = { kind: "sent", providerMessageId: "wamid.1" } as const
export const failed = {
  kind: "failed",
  error: { code: "recipient_unreachable", providerCode: 131_026, reason: "“Nobody” is there" }
} as const
export const inDoubt = { kind: "in_doubt" } as const
export const again = (seconds: number, counts = true) => ({ kind: "pending", dueAt: at(seconds), counts }) as const

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
export const schedule = Effect.fnUntraced(function* (seed: number, operations: number) {
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
