import { assert, describe } from "@effect/vitest"
import { type Organization, runLanes } from "@parley/domain/platform"
import {
  type ContactId,
  type ContactMergeId,
  eraseContact,
  mergeContacts,
  unmergeContacts,
  updateContact
} from "@parley/domain/crm"
import { sendTask } from "@parley/domain/messaging"
import {
  type BroadcastId,
  layerBulkSender,
  emptyBroadcastStats,
  RecipientList,
  RecipientReservations,
  sendBroadcast
} from "@parley/domain/campaigns"
import { exportContact, readTimeline } from "@parley/domain/composition"
import { asOperatorOf, MemoryChat } from "@parley/testkit"
import { Effect } from "effect"
import { test } from "../messaging/inbox/given.ts"
import { givenCampaign, givenFrozen, givenReader, listedAs, pass, readBroadcast } from "./given.ts"

/** While a process sends. */
const whileSending = <A, E, R>(body: Effect.Effect<A, E, R>) =>
  Effect.scoped(
    Effect.andThen(Effect.provide(runLanes([sendTask], { name: "one", lookMillis: 1_000 }), layerBulkSender), body)
  )

const send = (organization: Organization, id: BroadcastId) =>
  sendBroadcast({ id, ifVersion: null }).pipe(asOperatorOf(organization))

const sentTo = Effect.map(
  Effect.flatMap(MemoryChat.ChatScript, ({ sent }) => sent),
  (sent) => sent.map(({ message }) => message.to.value)
)

const statsOf = (organization: Organization, id: BroadcastId) =>
  Effect.map(readBroadcast(organization, id), ({ stats }) => ({ ...stats }))

const everybody = { status: null, reason: null, variant: null, replied: null, contactId: null }

const rowsOf = (organization: Organization, id: BroadcastId) =>
  Effect.flatMap(RecipientList, (list) => list.list(id, everybody, { limit: 100, after: null })).pipe(
    Effect.map(({ rows }) => rows),
    asOperatorOf(organization)
  )

const takenBy = (organization: Organization, id: BroadcastId) =>
  Effect.flatMap(RecipientReservations, (port) => port.takenBy(id)).pipe(asOperatorOf(organization))

const page = { limit: 50, cursor: null }

/** A broadcast to this number of readers. Its list is created while it is sent at this pace. */
const givenLive = Effect.fnUntraced(function* (readers: number, throughputPerSecond: number) {
  const given = yield* givenCampaign(0, {}, { throughputPerSecond })
  const { account, organization, template } = given
  const contacts = yield* Effect.forEach(Array.from({ length: readers }), () => givenReader(organization))
  const { id } = yield* givenFrozen(organization, account, template, [], { frozenAt: null })
  return { contacts, id, organization, within: asOperatorOf(organization) }
})

/** Numbers that look random and are the same for the same seed. */
const drawsOf = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const called: ReadonlySet<string> = new Set(["in_flight", "in_doubt", "sent", "delivered", "read", "failed"])

/** Merges, unmerges and erasures at random while a broadcast is sent. */
const schedule = Effect.fnUntraced(function* (seed: number) {
  const draw = drawsOf(seed)
  const { contacts, id, organization, within } = yield* givenLive(20, 5)
  const standing: Array<{ readonly from: ContactId; readonly to: ContactId; readonly mergeId: ContactMergeId }> = []
  const erased = new Set<ContactId>()
  /** The places that had been called when they became one person's. */
  const late = new Set<string>()
  const pairOf = (one: number, other: number) => `${Math.min(one, other)} ${Math.max(one, other)}`
  const isThere = (each: ContactId) => !erased.has(each) && standing.every(({ from }) => from !== each)
  const any = () => contacts[draw(contacts.length)]?.id ?? assert.fail()

  const mergeSome = Effect.fnUntraced(function* () {
    const [to, from] = [any(), any()]
    if (from === to || !isThere(from) || !isThere(to)) return
    const rows = (yield* rowsOf(organization, id)).filter(({ status }) => called.has(status))
    for (const one of rows.filter(({ contactId }) => contactId === to)) {
      for (const other of rows.filter(({ contactId }) => contactId === from)) late.add(pairOf(one.seq, other.seq))
    }
    standing.push({
      from,
      to,
      mergeId: (yield* mergeContacts({ id: to, contactId: from, ifVersion: null }).pipe(within)).mergeId
    })
  })

  const unmergeSome = Effect.fnUntraced(function* () {
    const place = draw(Math.max(standing.length, 1))
    const merge = standing[place]
    if (merge === undefined || !isThere(merge.to)) return
    standing.splice(place, 1)
    yield* unmergeContacts({ id: merge.to, mergeId: merge.mergeId, ifVersion: null }).pipe(within)
  })

  const eraseSome = Effect.fnUntraced(function* () {
    const contactId = any()
    if (!isThere(contactId) || standing.some(({ to }) => to === contactId)) return
    erased.add(contactId)
    yield* eraseContact({ id: contactId, ifVersion: null }).pipe(within)
  })

  yield* send(organization, id)
  for (let operation = 0; operation < 30; operation += 1) {
    const kind = draw(10)
    if (kind < 4) yield* mergeSome()
    else if (kind < 6) yield* unmergeSome()
    else if (kind < 7) yield* eraseSome()
    yield* pass(0.15)
    const { matched, ...counters } = yield* statsOf(organization, id)
    const sum = Object.values(counters).reduce((all, count) => all + count, 0)
    assert.strictEqual(matched, sum, `seed ${seed}, operation ${operation}`)
    const rows = (yield* rowsOf(organization, id)).filter(({ status }) => called.has(status))
    for (const one of rows) {
      const twice = rows.filter(
        ({ contactId, seq }) => contactId === one.contactId && seq > one.seq && !late.has(pairOf(one.seq, seq))
      )
      assert.isEmpty(twice, `seed ${seed}, operation ${operation}`)
    }
  }
  yield* pass(4)
  const sent = yield* sentTo
  assert.strictEqual(new Set(sent).size, sent.length, `seed ${seed}`)
  assert.strictEqual((yield* readBroadcast(organization, id)).status, "completed", `seed ${seed}`)
  assert.isTrue(
    (yield* rowsOf(organization, id)).every(({ contactId, address }) => !erased.has(contactId) || address === null)
  )
})

describe("contacts that are merged while a broadcast is sent", () => {
  test("get one message, release the plan limit, and continue separately after the undo", () =>
    whileSending(
      Effect.gen(function* () {
        const { contacts, id, organization, within } = yield* givenLive(30, 4)
        yield* send(organization, id)
        assert.strictEqual(yield* takenBy(organization, id), 30)
        yield* pass(1.5)
        const rows = yield* rowsOf(organization, id)
        const [sent, alsoSent] = rows.filter(({ status }) => status === "sent").map(({ contactId }) => contactId)
        const waiting = rows.filter(({ status }) => status === "pending").map(({ contactId }) => contactId)
        const [one, other, third, fourth] = waiting.toReversed()
        if (sent === undefined || alsoSent === undefined || one === undefined || other === undefined)
          return assert.fail()
        if (third === undefined || fourth === undefined) return assert.fail()
        yield* mergeContacts({ id: one, contactId: other, ifVersion: null }).pipe(within)
        yield* mergeContacts({ id: sent, contactId: third, ifVersion: null }).pipe(within)
        const { mergeId } = yield* mergeContacts({ id: fourth, contactId: alsoSent, ifVersion: null }).pipe(within)
        assert.strictEqual(yield* takenBy(organization, id), 27)
        assert.strictEqual((yield* statsOf(organization, id)).excluded, 3)
        yield* unmergeContacts({ id: fourth, mergeId, ifVersion: null }).pipe(within)
        assert.strictEqual(yield* takenBy(organization, id), 28)
        yield* pass(12)
        assert.deepStrictEqual(yield* statsOf(organization, id), {
          ...emptyBroadcastStats,
          matched: 30,
          sent: 28,
          excluded: 2
        })
        const phoneOf = (contactId: ContactId) => contacts.find((each) => each.id === contactId)?.phone
        const reached = yield* sentTo
        assert.strictEqual(new Set(reached).size, 28)
        assert.includeMembers([...reached], [phoneOf(one), phoneOf(fourth)])
        assert.strictEqual((yield* readBroadcast(organization, id)).status, "completed")
        const lost = [other, third]
        for (const contactId of lost) assert.notInclude(reached, phoneOf(contactId))
      })
    ))

  test("get it at the address on the list as long as it is theirs", () =>
    whileSending(
      Effect.gen(function* () {
        const { account, contacts, organization, template } = yield* givenCampaign(4)
        const within = asOperatorOf(organization)
        const [one, other, third, fourth] = contacts
        if (one === undefined || other === undefined || third === undefined || fourth === undefined)
          return assert.fail()
        const { id } = yield* givenFrozen(organization, account, template, [listedAs(other), listedAs(fourth)])
        yield* mergeContacts({ id: one.id, contactId: other.id, ifVersion: null }).pipe(within)
        yield* mergeContacts({ id: third.id, contactId: fourth.id, ifVersion: null }).pipe(within)
        const value = fourth.phone ?? assert.fail()
        yield* updateContact({ id: third.id, removeIdentities: [{ kind: "phone", value }], ifVersion: null }).pipe(
          within
        )
        yield* send(organization, id)
        yield* pass(2)
        assert.deepStrictEqual(yield* sentTo, [other.phone ?? assert.fail()])
        assert.deepStrictEqual(
          (yield* rowsOf(organization, id)).map(({ contactId, reason, status }) => [contactId, reason ?? status]),
          [
            [one.id, "sent"],
            [third.id, "no_identity"]
          ]
        )
      })
    ))

  test("appear in the timeline and export of the survivor, and are blanked by its erasure", () =>
    whileSending(
      Effect.gen(function* () {
        const { contacts, id, organization } = yield* givenCampaign(2)
        const within = asOperatorOf(organization)
        const [one, other] = contacts
        if (one === undefined || other === undefined) return assert.fail()
        yield* send(organization, id)
        yield* pass(2)
        yield* mergeContacts({ id: one.id, contactId: other.id, ifVersion: null }).pipe(within)
        const { data } = yield* readTimeline({ id: one.id, page }).pipe(within)
        const result = data.flatMap((entry) => (entry.kind === "broadcast" ? [[entry.broadcastId, entry.status]] : []))
        assert.deepStrictEqual(result, [
          [id, "sent"],
          [id, "sent"]
        ])
        const { broadcasts, complete } = yield* exportContact({ id: one.id }).pipe(within)
        assert.deepStrictEqual(
          broadcasts.map(({ address, values }) => [address, { ...values }]),
          [other, one].map(({ name, phone }) => [phone, { "body.1": name ?? assert.fail() }])
        )
        assert.isTrue(complete)
        yield* eraseContact({ id: one.id, ifVersion: null }).pipe(within)
        assert.deepStrictEqual(
          (yield* rowsOf(organization, id)).map(({ address, status }) => [address, status]),
          [
            [null, "sent"],
            [null, "sent"]
          ]
        )
        assert.deepStrictEqual(yield* statsOf(organization, id), { ...emptyBroadcastStats, matched: 2, sent: 2 })
      })
    ))

  test("keep consistent sums in every history, and never get a message twice", () =>
    Effect.forEach([1, 2, 3, 4], (seed) => whileSending(schedule(seed)), { discard: true }))
})
