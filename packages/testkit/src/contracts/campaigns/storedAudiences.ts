import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { Contact, ContactId, Contacts, noContact } from "@parley/domain/crm"
import {
  Audiences,
  AudienceSnapshotId,
  Broadcast,
  type BroadcastId,
  Broadcasts,
  ContactRecipients,
  RecipientLedger,
  RecipientList
} from "@parley/domain/campaigns"
import { Arbitrary, DateTime, Duration, Effect } from "effect"
import { crowds, filtersOver } from "../../fixtures/crowds.ts"
import type { StorageContract } from "../contract.ts"
import { all, everyone, givenContact, givenTag, holds, idsOf, insertContacts, listed } from "../crm/given.ts"
import { freshId } from "../given.ts"
import { evening, givenBroadcast, morning, newBroadcast, planned } from "./given.ts"
import {
  inNewOrganization,
  subscribed,
  freeze,
  givenSending,
  everyRecipient,
  statsOf,
  pending,
  givenMessage,
  givenAudience
} from "./audiencePlans.ts"

/** Stored lists of audiences, and their end. */
export const storedAudiencesPromises: StorageContract["promises"] = (it) => {
  it.effect("keep exactly who was matched, less who has opted out or gone since", () =>
    inNewOrganization(
      Effect.gen(function* () {
        const [audiences, contacts] = [yield* Audiences, yield* Contacts]
        const { chatUser, excluded, plan, reached, rested } = yield* givenAudience
        const snapshotId = freshId(AudienceSnapshotId)
        const snapshot = { id: snapshotId, madeFrom: { "“a”": [1] }, createdAt: morning, expiresAt: evening }
        const kept = yield* transact(audiences.keep(snapshot, plan))
        assert.strictEqual(kept.matched, 10)
        assert.deepStrictEqual(yield* transact(audiences.kept(snapshotId)), kept)
        assert.deepStrictEqual(yield* audiences.size(plan, null), { matched: 10, toSend: 3 })
        assert.deepStrictEqual(yield* audiences.size(plan, snapshotId), { matched: 10, toSend: 3 })
        yield* givenContact({
          name: "Late",
          phone: "+491701000009",
          consent: subscribed,
          attributes: { city: "Quito" }
        })
        yield* transact(contacts.remove([chatUser.id]))
        yield* transact(
          contacts.save(new Contact({ ...reached, consent: { ...subscribed, marketing: "unsubscribed" } }), null)
        )
        yield* transact(contacts.save(new Contact({ ...rested, phone: "+491701000010" }), null))
        const id = yield* givenSending()
        assert.deepStrictEqual(yield* freeze(id, plan, { snapshotId, limit: 6 }), {
          listed: 6,
          toSend: 0,
          done: false
        })
        assert.deepStrictEqual(yield* freeze(id, plan, { snapshotId, limit: 6 }), {
          listed: 4,
          toSend: 1,
          done: true
        })
        const stats = yield* statsOf(id)
        assert.deepStrictEqual([stats.matched, stats.excluded], [10, excluded.length + 2])
        assert.deepStrictEqual(
          (yield* pending(id)).map(({ address, contactId }) => [contactId, address?.value]),
          [[rested.id, "+491701000004"]]
        )
      })
    )
  )

  it.effect("forget lists that were kept long enough, and for a while know that there were any", () =>
    inNewOrganization(
      Effect.gen(function* () {
        const audiences = yield* Audiences
        const { plan } = yield* givenAudience
        const [gone, used] = [freshId(AudienceSnapshotId), freshId(AudienceSnapshotId)]
        for (const id of [gone, used]) {
          yield* transact(audiences.keep({ id, madeFrom: {}, createdAt: morning, expiresAt: evening }, plan))
        }
        yield* transact(audiences.keepUntil(used, null))
        assert.strictEqual(yield* transact(audiences.forget(morning, 100)), 0)
        assert.strictEqual(yield* transact(audiences.forget(evening, 6)), 6)
        assert.strictEqual(yield* transact(audiences.forget(evening, 100)), 4)
        assert.strictEqual((yield* transact(audiences.kept(gone))).matched, 10)
        assert.strictEqual((yield* transact(audiences.kept(used))).expiresAt, null)
        assert.strictEqual(yield* transact(audiences.forget(DateTime.add(evening, { days: 30 }), 100)), 1)
        assert.deepStrictEqual((yield* Effect.flip(transact(audiences.kept(gone))))._tag, "NotFound")
        const id = yield* givenSending()
        assert.strictEqual((yield* freeze(id, plan, { snapshotId: used })).listed, 10)
      })
    )
  )

  it.effect("expire when no broadcast is scheduled or sent any more that they were kept for", () =>
    inNewOrganization(
      Effect.gen(function* () {
        const [audiences, broadcasts] = [yield* Audiences, yield* Broadcasts]
        const ids = [freshId(AudienceSnapshotId), freshId(AudienceSnapshotId), freshId(AudienceSnapshotId)] as const
        const [shared, used, unused] = ids
        for (const id of ids) {
          yield* transact(audiences.keep({ id, madeFrom: {}, createdAt: morning, expiresAt: evening }, planned()))
        }
        for (const id of [shared, used]) yield* transact(audiences.keepUntil(id, null))
        yield* givenBroadcast(newBroadcast({ status: "completed", audienceSnapshotId: shared }))
        const waiting = yield* givenBroadcast(newBroadcast({ status: "scheduled", audienceSnapshotId: shared }))
        yield* givenBroadcast(newBroadcast({ status: "cancelled", audienceSnapshotId: used }))
        const release = transact(audiences.release(Duration.hours(24), 100))
        const expiries = Effect.forEach(ids, (id) =>
          Effect.map(transact(audiences.kept(id)), ({ expiresAt }) => expiresAt)
        )
        assert.strictEqual(yield* release, 1)
        const next = DateTime.add(morning, { hours: 24 })
        assert.deepStrictEqual(yield* expiries, [null, next, evening])
        yield* transact(broadcasts.save(new Broadcast({ ...waiting, status: "paused" }), null))
        assert.strictEqual(yield* release, 0)
        yield* transact(broadcasts.save(new Broadcast({ ...waiting, status: "cancelled" }), null))
        assert.strictEqual(yield* release, 1)
        assert.deepStrictEqual(yield* expiries, [next, next, evening])
        assert.strictEqual((yield* transact(audiences.kept(unused))).matched, 0)
      })
    )
  )

  it.effect("keep the variant of the retried broadcast", () =>
    inNewOrganization(
      Effect.gen(function* () {
        const contacts = yield* Effect.forEach([1, 2, 3, 4], (number) =>
          givenContact({ name: `Reader ${number}`, phone: `+49170300000${number}`, consent: subscribed })
        )
        const before = yield* givenSending()
        const was = ["b", "b", "c", null] as const
        yield* transact(
          (yield* RecipientLedger).list(
            before,
            contacts.map(({ id: contactId }, place) => {
              return { contactId, address: null, variant: was[place] ?? null, dueAt: null, left: null }
            })
          )
        )
        const variants = [
          { key: "a", weight: 99, lacking: noContact },
          { key: "b", weight: 1, lacking: noContact }
        ] as const
        const drawn = yield* givenSending()
        yield* freeze(drawn, planned({ variants }))
        const kept = yield* givenSending()
        yield* freeze(kept, planned({ variants, keepsVariantsOf: before }))
        const variantsOf = (id: BroadcastId) =>
          Effect.map(pending(id), (candidates) => candidates.map(({ variant }) => variant))
        const own = yield* variantsOf(drawn)
        assert.deepStrictEqual(yield* variantsOf(kept), ["b", "b", own[2] ?? null, own[3] ?? null])
      })
    )
  )

  it.effect("hold no address of contacts that were forgotten since", () =>
    inNewOrganization(
      Effect.gen(function* () {
        const audiences = yield* Audiences
        const { plan } = yield* givenAudience
        const snapshotId = freshId(AudienceSnapshotId)
        const snapshot = { id: snapshotId, madeFrom: {}, createdAt: morning, expiresAt: evening }
        yield* transact(audiences.keep(snapshot, plan))
        const list = yield* RecipientList
        const before = yield* givenSending()
        yield* freeze(before, plan, { snapshotId })
        const { rows: known } = yield* list.list(before, everyRecipient, { limit: 100, after: null })
        assert.isTrue(known.some(({ address }) => address !== null))
        yield* transact((yield* ContactRecipients).forget(known.map(({ contactId }) => contactId)))
        const since = yield* givenSending()
        yield* freeze(since, plan, { snapshotId })
        const { rows } = yield* list.list(since, everyRecipient, { limit: 100, after: null })
        assert.lengthOf(rows, known.length)
        assert.isTrue(rows.every(({ address }) => address === null))
      })
    )
  )

  it.effect("of another organization are not there", () =>
    Effect.gen(function* () {
      const snapshotId = freshId(AudienceSnapshotId)
      yield* inNewOrganization(
        Effect.gen(function* () {
          const { plan } = yield* givenAudience
          const snapshot = { id: snapshotId, madeFrom: {}, createdAt: morning, expiresAt: evening }
          yield* transact(Effect.flatMap(Audiences, (audiences) => audiences.keep(snapshot, plan)))
        })
      )
      yield* inNewOrganization(
        Effect.gen(function* () {
          const audiences = yield* Audiences
          assert.deepStrictEqual((yield* Effect.flip(transact(audiences.kept(snapshotId))))._tag, "NotFound")
          assert.strictEqual(yield* transact(audiences.forget(DateTime.add(evening, { days: 90 }), 100)), 0)
          const id = yield* givenSending()
          assert.strictEqual((yield* freeze(id, planned(), { snapshotId })).listed, 0)
        })
      )
    })
  )

  it.effect("find the broadcasts whose messages may count, and whether they are marketing", () =>
    inNewOrganization(
      Effect.gen(function* () {
        const audiences = yield* Audiences
        const running = yield* givenSending()
        const over = yield* givenSending({ status: "completed", endedAt: morning })
        yield* givenSending({ status: "draft", startedAt: null })
        const found = yield* audiences.earlier(morning)
        assert.deepStrictEqual(found, [
          { id: running, category: "utility" },
          { id: over, category: "utility" }
        ])
        assert.deepStrictEqual(idsOf(yield* audiences.earlier(evening)), [running])
      })
    )
  )

  it.effect(
    "give one result counted, checked singly and stored, for every audience",
    () =>
      inNewOrganization(
        Effect.gen(function* () {
          const audiences = yield* Audiences
          const tags = idsOf([yield* givenTag(), yield* givenTag()])
          const earlier = yield* givenSending()
          const ids = Array.from({ length: 16 }, () => freshId(ContactId))
          let given = 0
          const nextId = () => ids[given++ % ids.length] ?? freshId(ContactId)
          const [crowd = []] = yield* Arbitrary.sampleEffect(crowds(16, tags, nextId), { count: 1, seed: 3 }).pipe(
            Effect.orDie
          )
          yield* insertContacts(crowd)
          for (const { id } of crowd.filter((_, place) => place % 3 === 0)) yield* givenMessage(earlier, id, morning)
          yield* holds(
            Arbitrary.all({ audience: filtersOver(crowd, tags, 2), exclude: filtersOver(crowd, tags, 2) }),
            Effect.fnUntraced(function* (filters) {
              const plan = planned({
                ...filters,
                holdOut: 20,
                lacking: { kind: "not", of: { kind: "textSet", field: "name" } },
                caps: [{ max: 1, days: 2, automated: false, of: [earlier] }]
              })
              const outcomes = yield* Effect.forEach(crowd, ({ id }) => audiences.outcomeOf(plan, id))
              const there = outcomes.filter(({ kind }) => kind !== "not_matched")
              const members = yield* listed({ ...everyone, filter: plan.audience }, all)
              assert.strictEqual(there.length, members.length)
              const reasons = outcomes.flatMap((outcome) => (outcome.kind === "excluded" ? [outcome.reason] : []))
              const excluded = Object.groupBy(reasons, (reason) => reason)
              assert.deepStrictEqual(yield* audiences.count(plan), {
                matched: there.length,
                excluded: Object.fromEntries(Object.entries(excluded).map(([reason, { length }]) => [reason, length]))
              })
              const toSend = there.filter(({ kind }) => kind === "sent").length
              assert.deepStrictEqual(yield* audiences.size(plan, null), { matched: there.length, toSend })
              const id = yield* givenSending()
              yield* freeze(id, plan)
              const stats = yield* statsOf(id)
              assert.deepStrictEqual(
                [stats.matched, stats.excluded, stats.heldOut],
                [there.length, reasons.length, there.filter(({ kind }) => kind === "held_out").length]
              )
            }),
            { runs: 16, size: 20, seed: "audiences", maxShrinks: 50 }
          )
        })
      ),
    30_000
  )
}
