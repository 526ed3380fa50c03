import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactId, ContactMergeId } from "@parley/domain/crm"
import {
  Broadcast,
  type BroadcastId,
  Broadcasts,
  type BroadcastStats,
  type BroadcastStatus,
  ContactRecipients,
  type ListedRecipient,
  RecipientLedger,
  RecipientList,
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

export const everybody = { status: null, reason: null, variant: null, replied: null, contactId: null }
const phone = (value: string) => ({ kind: "phone", value }) as const

export const listed = (contactId: ContactId, overrides: Partial<ListedRecipient> = {}): ListedRecipient => ({
  contactId,
  address: phone("+491701234567"),
  variant: null,
  dueAt: null,
  left: null,
  ...overrides
})

export const givenSending = (overrides: Partial<Broadcast> = {}) =>
  Effect.map(
    givenBroadcast(newBroadcast({ status: "sending", startedAt: dawn, frozenAt: dawn, ...overrides })),
    ({ id }) => id
  )

export const givenListed = Effect.fnUntraced(function* (
  recipients: ReadonlyArray<ListedRecipient>,
  overrides: Partial<Broadcast> = {}
) {
  const id = yield* givenSending(overrides)
  yield* transact((yield* RecipientLedger).list(id, recipients))
  return id
})

export const move = Effect.fnUntraced(function* (id: BroadcastId, status: BroadcastStatus) {
  const broadcasts = yield* Broadcasts
  yield* transact(
    Effect.flatMap(broadcasts.lock(id), (before) => broadcasts.save(new Broadcast({ ...before, status }), null))
  )
})

export const claim = Effect.fnUntraced(function* (id: BroadcastId, limit = 100, now = at(100)) {
  const ledger = yield* RecipientLedger
  const { candidates, mark, revision } = yield* ledger.next(id, { now, limit })
  const calls = candidates
    .filter(({ isSecond }) => !isSecond)
    .map(({ contactId, seq }) => ({ seq, contactId, values: { seq: `${seq}` } }))
  const excluded = candidates
    .filter(({ isSecond }) => isSecond)
    .map(({ seq }) => ({ seq, reason: "duplicate" }) as const)
  const window = { id: SecureRandom.uuidV7Unsafe(), broadcastId: id, fence: 1, claimedAt: dawn, calls }
  yield* transact(ledger.begin({ revision, mark, window, excluded, postponed: [] }))
  return window
})

export const settle = Effect.fnUntraced(function* (
  { broadcastId, id: windowId }: Effect.Success<ReturnType<typeof claim>>,
  outcomes: Readonly<Record<number, RecipientOutcome>>
) {
  const results = Object.entries(outcomes).map(([seq, outcome]) => ({
    windowId,
    seq: Number(seq),
    at: at(Number(seq)),
    outcome
  }))
  yield* transact((yield* RecipientLedger).settle(broadcastId, results))
})

export const sent = { kind: "sent", providerMessageId: "wamid.1" } as const
export const inDoubt = { kind: "in_doubt" } as const
export const again = { kind: "pending", dueAt: dawn, counts: true } as const

export const merge = Effect.fnUntraced(function* (from: ContactId, to: ContactId) {
  const mergeId = freshId(ContactMergeId)
  const changed = yield* transact((yield* ContactRecipients).handOver({ mergeId, from, to }))
  return { mergeId, changed, undone: { mergeId, from: to, to: from, later: [] } }
})

export const unmerge = (undone: Effect.Success<ReturnType<typeof merge>>["undone"]) =>
  Effect.flatMap(ContactRecipients, (port) => transact(port.handBack(undone, at(50))))

export const rowsOf = Effect.fnUntraced(function* (id: BroadcastId) {
  const { rows } = yield* (yield* RecipientList).list(id, everybody, { limit: 100, after: null })
  return rows.map(({ contactId, reason, status }) => [contactId, reason ?? status] as const)
})

export const statsOf = (id: BroadcastId) =>
  Effect.flatMap(Broadcasts, (broadcasts) => Effect.map(broadcasts.get(id), ({ stats }) => ({ ...stats })))

export const two = () => [freshId(ContactId), freshId(ContactId)] as const

const sumOf = ({ matched, ...counters }: BroadcastStats) =>
  Object.values(counters).reduce((sum, count) => sum + count, -matched)

const drawsOf = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Runs random merges, unmerges, erasures and calls. The statistics add up, and one person gets one message. */
export const schedule = Effect.fnUntraced(function* (seed: number, operations: number) {
  const draw = drawsOf(seed)
  const [ledger, port] = [yield* RecipientLedger, yield* ContactRecipients]
  const people = Array.from({ length: 6 }, () => freshId(ContactId))
  const id = yield* givenListed(people.map((each) => listed(each, draw(6) === 0 ? { left: { kind: "held_out" } } : {})))
  const standing: Array<Effect.Success<ReturnType<typeof merge>>["undone"]> = []
  const windows: Array<Effect.Success<ReturnType<typeof claim>>> = []
  /** Calls by place, with the contacts of the places at that time. */
  const called = new Set<number>()
  const isGone = (each: ContactId) => standing.some(({ to }) => to === each)
  for (let operation = 0; operation < operations; operation += 1) {
    const kind = draw(20)
    const rows = yield* rowsOf(id)
    if (kind < 5) {
      const [from, to] = [people[draw(6)] ?? assert.fail(), people[draw(6)] ?? assert.fail()]
      if (from !== to && !isGone(from) && !isGone(to)) standing.push((yield* merge(from, to)).undone)
    } else if (kind < 9) {
      const place = draw(Math.max(standing.length, 1))
      const undone = standing[place]
      // A contact that was merged into another contact must be unmerged from that contact first.
      if (undone !== undefined && !isGone(undone.from)) {
        standing.splice(place, 1)
        yield* unmerge(undone)
      }
    } else if (kind < 13) {
      const window = yield* claim(id, 1 + draw(2))
      for (const { contactId, seq } of window.calls) {
        const others = rows.filter(([each], index) => each === contactId && index + 1 !== seq)
        const isFurther = others.some(([, status]) => ["in_flight", "in_doubt", "sent", "held_out"].includes(status))
        assert.isFalse(isFurther, `seed ${seed}, operation ${operation}: ${contactId} gets it twice`)
        assert.isTrue(!called.has(seq), `seed ${seed}, operation ${operation}: place ${seq} is called twice`)
      }
      if (window.calls.length > 0) windows.push(window)
    } else if (kind < 19) {
      const window = windows.pop()
      for (const { seq } of window?.calls ?? []) {
        const outcome = [sent, inDoubt, again, sent][draw(4)] ?? sent
        if (outcome.kind !== "pending") called.add(seq)
        if (window !== undefined) yield* settle(window, { [seq]: outcome })
      }
    } else {
      yield* transact(port.forget([people[draw(6)] ?? assert.fail()]))
    }
    const stats = yield* statsOf(id)
    assert.strictEqual(sumOf(stats), 0, `seed ${seed}, operation ${operation}`)
    const shown = Object.groupBy(yield* rowsOf(id), ([, status]) => status)
    assert.deepStrictEqual(
      [stats.pending, stats.inFlight, stats.inDoubt, stats.sent, stats.excluded],
      [shown.pending, shown.in_flight, shown.in_doubt, shown.sent, shown.duplicate].map((each) => each?.length ?? 0),
      `seed ${seed}, operation ${operation}`
    )
  }
  for (const undone of standing.toReversed()) yield* unmerge(undone)
  assert.sameDeepMembers(
    (yield* rowsOf(id)).map(([contactId]) => contactId),
    people
  )
  assert.isFalse(
    (yield* rowsOf(id)).some(([, status]) => status === "duplicate"),
    `seed ${seed}`
  )
  assert.isTrue((yield* ledger.next(id, { now: at(100), limit: 100 })).candidates.every(({ isSecond }) => !isSecond))
})
