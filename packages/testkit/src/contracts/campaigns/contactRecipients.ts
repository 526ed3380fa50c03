import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactId, ContactMergeId } from "@parley/domain/crm"
import { ChatAccountId } from "@parley/domain/messaging"
import {
  AudienceSnapshotId,
  Audiences,
  Broadcast,
  type BroadcastId,
  Broadcasts,
  type BroadcastStats,
  type BroadcastStatus,
  ContactRecipients,
  type ContactRecipient,
  type ListedRecipient,
  emptyBroadcastStats,
  type RecipientEntry,
  recipientIdAt,
  RecipientLedger,
  RecipientList,
  type RecipientOutcome,
  recipientPrefix
} from "@parley/domain/campaigns"
import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { runContract, type StorageContract } from "../contract.ts"
import { givenContact, identity } from "../crm/given.ts"
import { freshId, givenOrganization, inside } from "../given.ts"
import { givenBroadcast, newBroadcast, planned } from "./given.ts"

const dawn = DateTime.makeUnsafe("2026-03-01T06:00:00Z")
const at = (seconds: number) => DateTime.add(dawn, { seconds })

const inNewOrganization = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(givenOrganization(), (organization) => inside(organization)(effect))

const everybody = { status: null, reason: null, variant: null, replied: null, contactId: null }
const phone = (value: string) => ({ kind: "phone", value }) as const

const listed = (contactId: ContactId, said: Partial<ListedRecipient> = {}): ListedRecipient => ({
  contactId,
  address: phone("+491701234567"),
  variant: null,
  dueAt: null,
  left: null,
  ...said
})

const givenSending = (said: Partial<Broadcast> = {}) =>
  Effect.map(
    givenBroadcast(newBroadcast({ status: "sending", startedAt: dawn, frozenAt: dawn, ...said })),
    ({ id }) => id
  )

const givenListed = Effect.fnUntraced(function* (
  recipients: ReadonlyArray<ListedRecipient>,
  said: Partial<Broadcast> = {}
) {
  const id = yield* givenSending(said)
  yield* transact((yield* RecipientLedger).list(id, recipients))
  return id
})

const move = Effect.fnUntraced(function* (id: BroadcastId, status: BroadcastStatus) {
  const broadcasts = yield* Broadcasts
  yield* transact(
    Effect.flatMap(broadcasts.lock(id), (before) => broadcasts.save(new Broadcast({ ...before, status }), null))
  )
})

const claim = Effect.fnUntraced(function* (id: BroadcastId, limit = 100, now = at(100)) {
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

const settle = Effect.fnUntraced(function* (
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

const sent = { kind: "sent", providerMessageId: "wamid.1" } as const
const inDoubt = { kind: "in_doubt" } as const
const again = { kind: "pending", dueAt: dawn, counts: true } as const

const merge = Effect.fnUntraced(function* (from: ContactId, to: ContactId) {
  const mergeId = freshId(ContactMergeId)
  const changed = yield* transact((yield* ContactRecipients).handOver({ mergeId, from, to }))
  return { mergeId, changed, undone: { mergeId, from: to, to: from, later: [] } }
})

const unmerge = (undone: Effect.Success<ReturnType<typeof merge>>["undone"]) =>
  Effect.flatMap(ContactRecipients, (port) => transact(port.handBack(undone, at(50))))

const rowsOf = Effect.fnUntraced(function* (id: BroadcastId) {
  const { rows } = yield* (yield* RecipientList).list(id, everybody, { limit: 100, after: null })
  return rows.map(({ contactId, reason, status }) => [contactId, reason ?? status] as const)
})

const statsOf = (id: BroadcastId) =>
  Effect.flatMap(Broadcasts, (broadcasts) => Effect.map(broadcasts.get(id), ({ stats }) => ({ ...stats })))

const two = () => [freshId(ContactId), freshId(ContactId)] as const

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
const schedule = Effect.fnUntraced(function* (seed: number, operations: number) {
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

export const contactRecipients: StorageContract = {
  port: "ContactRecipients",
  promises: (it) => {
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
        const begun = yield* Effect.flip(
          transact(ledger.begin({ revision, mark, window, excluded: [], postponed: [] }))
        )
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
        if (one === undefined || other === undefined || third === undefined || fourth === undefined)
          return assert.fail()
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
}

export const contactRecipientsContract = runContract(contactRecipients)
