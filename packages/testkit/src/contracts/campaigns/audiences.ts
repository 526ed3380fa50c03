import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { Contact, ContactId, Contacts, type Filter, noContact } from "@parley/domain/crm"
import {
  type AudiencePlan,
  Audiences,
  AudienceSnapshotId,
  Broadcast,
  type BroadcastId,
  Broadcasts,
  ContactRecipients,
  type ExclusionReason,
  RecipientLedger,
  RecipientList,
  type SliceBounds
} from "@parley/domain/campaigns"
import { Arbitrary, DateTime, Duration, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { crowds, filtersOver } from "../../fixtures/crowds.ts"
import { runContract, type StorageContract } from "../contract.ts"
import { all, everyone, givenContact, givenTag, holds, idsOf, identity, insertContacts, listed } from "../crm/given.ts"
import { freshId, givenOrganization, inside } from "../given.ts"
import { evening, givenBroadcast, morning, newBroadcast, planned } from "./given.ts"

const inNewOrganization = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(givenOrganization(), (organization) => inside(organization)(effect))

const subscribed = { marketing: "subscribed", source: "api", changedAt: morning } as const
const named = (name: string): Filter => ({ kind: "textIs", field: "name", anyOf: [name] })
const without = (of: Filter): Filter => ({ kind: "not", of })

const freeze = (id: BroadcastId, plan: AudiencePlan, bounds: Partial<SliceBounds> = {}) =>
  Effect.flatMap(Audiences, (audiences) =>
    transact(audiences.freeze(id, plan, { limit: 100, room: null, snapshotId: null, ...bounds }))
  )

const givenSending = (said = {}) =>
  Effect.map(givenBroadcast(newBroadcast({ status: "sending", startedAt: morning, ...said })), ({ id }) => id)

const everyRecipient = { status: null, reason: null, variant: null, replied: null, contactId: null }

const statsOf = (id: BroadcastId) =>
  Effect.flatMap(Broadcasts, (broadcasts) => Effect.map(broadcasts.get(id), ({ stats }) => ({ ...stats })))

/** Returns the pending recipients in list order. */
const pending = (id: BroadcastId, now = DateTime.add(evening, { days: 30 })) =>
  Effect.map(
    Effect.flatMap(RecipientLedger, (ledger) => ledger.next(id, { now, limit: 1_000 })),
    ({ candidates }) => candidates
  )

/** Sends a message of the broadcast to a contact at that time. */
const givenMessage = Effect.fnUntraced(function* (id: BroadcastId, contactId: ContactId, claimedAt: DateTime.Utc) {
  const ledger = yield* RecipientLedger
  const address = { kind: "phone", value: "+491701234567" } as const
  yield* transact(ledger.list(id, [{ contactId, address, variant: null, dueAt: null, left: null }]))
  const candidates = (yield* pending(id)).filter((each) => each.contactId === contactId)
  const calls = candidates.map(({ contactId, seq }) => ({ contactId, seq, values: {} }))
  const window = { id: SecureRandom.uuidV7Unsafe(), broadcastId: id, fence: 1, claimedAt, calls }
  const mark = calls[0]?.seq ?? 0
  yield* transact(ledger.begin({ revision: 0, mark, window, excluded: [], postponed: [] }))
  const outcome = { kind: "sent", providerMessageId: freshId({ make: (id: string) => id }) } as const
  yield* transact(
    ledger.settle(id, [{ windowId: window.id, seq: mark, at: DateTime.add(claimedAt, { seconds: 1 }), outcome }])
  )
})

/** One contact for each reason, and two who are reached. */
const givenAudience = Effect.gen(function* () {
  const earlier = yield* givenSending()
  const contact = (name: string, phone: string | null, said: Partial<Contact> = {}) =>
    givenContact({ name, phone, consent: subscribed, ...said })
  const reached = yield* contact("Ada", "+491701000001", { attributes: { city: "Quito" } })
  const chatUser = yield* contact("Bo", null, {
    attributes: { city: "", level: "gold" },
    identities: [identity("external", "7"), identity("chat_user", "DE.7:a"), identity("chat_user", "DE.8")]
  })
  const excluded: Array<readonly [Contact, ExclusionReason]> = [
    [yield* contact("Out", null, { blockedAt: morning }), "excluded_by_filter"],
    [yield* contact("Mail", null, { email: "mail@people.test", blockedAt: morning }), "no_identity"],
    [
      yield* contact("Unknown", "+12025550101", {
        consent: { ...subscribed, marketing: "unknown" },
        blockedAt: morning
      }),
      "not_subscribed"
    ],
    [yield* contact("Blocked", "+12025550102", { blockedAt: morning }), "blocked"],
    [yield* contact("Region", "+12025550103"), "region_blocked"],
    [yield* contact("Lacking", "+491701000002"), "missing_variable"]
  ]
  const capped = yield* contact("Capped", "+491701000003", { attributes: { city: "Lima" } })
  yield* givenMessage(earlier, capped.id, DateTime.subtract(evening, { days: 2, minutes: -1 }))
  const rested = yield* contact("Rested", "+491701000004", { attributes: { city: "Lima" } })
  yield* givenMessage(earlier, rested.id, DateTime.subtract(evening, { days: 2 }))
  excluded.push([capped, "frequency_cap"])
  const plan = planned({
    exclude: named("out"),
    lacking: without({ kind: "attributeSet", key: "city" }),
    caps: [
      { max: 1, days: 2, automated: false, of: [earlier] },
      { max: 1, days: 30, automated: false, of: [] }
    ]
  })
  return { chatUser, earlier, excluded, plan, reached, rested }
})

const counted = (excluded: ReadonlyArray<readonly [Contact, ExclusionReason]>) =>
  Object.fromEntries(excluded.map(([, reason]) => [reason, 1]))

/** Contract of broadcast audiences: the preview count and the recipient list. */
export const audiences: StorageContract = {
  port: "Audiences",
  promises: (it) => {
    it.effect("count excluded contacts by their first reason, and sample the others", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const audiences = yield* Audiences
          const { chatUser, excluded, plan, reached, rested } = yield* givenAudience
          assert.deepStrictEqual(yield* audiences.count(plan), { matched: 10, excluded: counted(excluded) })
          const sample = yield* audiences.sample(plan, 10)
          assert.deepStrictEqual(
            sample.map(({ address, contact, variant }) => [contact.id, address, variant]),
            [
              [reached.id, { kind: "phone", value: "+491701000001" }, null],
              [chatUser.id, { kind: "chat_user", value: "DE.7:a" }, null],
              [rested.id, { kind: "phone", value: "+491701000004" }, null]
            ]
          )
          assert.deepStrictEqual(sample[0]?.contact.attributes, { city: "Quito" })
          assert.strictEqual((yield* audiences.sample(plan, 2)).length, 2)
          for (const [contact, reason] of excluded) {
            assert.deepStrictEqual(yield* audiences.outcomeOf(plan, contact.id), { kind: "excluded", reason })
          }
          const nobodys = { ...plan, audience: named("nobody") }
          assert.deepStrictEqual(yield* audiences.count(nobodys), { matched: 0, excluded: {} })
          assert.deepStrictEqual(yield* audiences.outcomeOf(nobodys, reached.id), { kind: "not_matched" })
          const free = { ...plan, isMarketing: false, exclude: noContact, lacking: noContact, caps: [] }
          assert.deepStrictEqual(yield* audiences.count(free), {
            matched: 10,
            excluded: { no_identity: 2, blocked: 2 }
          })
          assert.deepStrictEqual(yield* audiences.count({ ...free, reaches: ["external"] }), {
            matched: 10,
            excluded: { no_identity: 9 }
          })
          assert.deepStrictEqual(yield* audiences.count({ ...free, reaches: [] }), {
            matched: 10,
            excluded: { no_identity: 10 }
          })
        })
      )
    )

    it.effect("of other organizations are unknown", () =>
      Effect.gen(function* () {
        const { plan, reached } = yield* inNewOrganization(givenAudience)
        yield* inNewOrganization(
          Effect.gen(function* () {
            const audiences = yield* Audiences
            assert.deepStrictEqual(yield* audiences.count(plan), { matched: 0, excluded: {} })
            assert.deepStrictEqual(yield* audiences.sample(plan, 10), [])
            assert.deepStrictEqual(yield* audiences.outcomeOf(plan, reached.id), { kind: "not_matched" })
          })
        )
      })
    )

    it.effect("ask of each variant only what that one is made of", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const audiences = yield* Audiences
          const people = yield* Effect.forEach(Array.from({ length: 40 }), (_, place) =>
            givenContact({ phone: `+49170200${String(place).padStart(4, "0")}`, consent: subscribed })
          )
          const plan = planned({
            variants: [
              { key: "b", weight: 30, lacking: noContact },
              { key: "a", weight: 70, lacking: without({ kind: "textSet", field: "email" }) }
            ]
          })
          const free = { ...plan, variants: plan.variants.map((each) => ({ ...each, lacking: noContact })) }
          const drawn = yield* Effect.forEach(people, ({ id }) => audiences.outcomeOf(free, id))
          const keys = drawn.flatMap((outcome) => (outcome.kind === "sent" ? [outcome.variant] : []))
          assert.strictEqual(keys.length, people.length)
          assert.sameMembers([...new Set(keys)], ["a", "b"])
          const lacking = keys.filter((key) => key === "a").length
          assert.deepStrictEqual(yield* audiences.count(plan), {
            matched: people.length,
            excluded: { missing_variable: lacking }
          })
        })
      )
    )

    it.effect("are frozen slice by slice, each contact once, in the order of their ids", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const { chatUser, excluded, plan, reached, rested } = yield* givenAudience
          const id = yield* givenSending()
          assert.deepStrictEqual(yield* freeze(id, plan, { limit: 4 }), { listed: 4, toSend: 2, done: false })
          assert.deepStrictEqual(yield* freeze(id, plan, { limit: 4 }), { listed: 4, toSend: 0, done: false })
          assert.deepStrictEqual(yield* freeze(id, plan, { limit: 4 }), { listed: 2, toSend: 1, done: true })
          assert.deepStrictEqual(yield* freeze(id, plan, { limit: 4 }), { listed: 0, toSend: 0, done: true })
          const { excluded: out, matched, pending: waiting } = yield* statsOf(id)
          assert.deepStrictEqual([matched, waiting, out], [10, 3, excluded.length])
          assert.deepStrictEqual(
            (yield* pending(id)).map(({ address, contactId, seq }) => [seq, contactId, address?.value]),
            [
              [1, reached.id, "+491701000001"],
              [2, chatUser.id, "DE.7:a"],
              [10, rested.id, "+491701000004"]
            ]
          )
        })
      )
    )

    it.effect("go on after a slice that was lost as if it had never begun", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const { plan } = yield* givenAudience
          const id = yield* givenSending()
          yield* freeze(id, plan, { limit: 3 })
          const before = yield* statsOf(id)
          const lost = Effect.andThen(
            Effect.flatMap(Audiences, (audiences) =>
              audiences.freeze(id, plan, { limit: 3, room: null, snapshotId: null })
            ),
            Effect.fail("lost" as const)
          )
          assert.strictEqual(yield* Effect.flip(transact(lost)), "lost")
          assert.deepStrictEqual(yield* statsOf(id), before)
          assert.deepStrictEqual(yield* freeze(id, plan), { listed: 7, toSend: 1, done: true })
          assert.strictEqual((yield* statsOf(id)).matched, 10)
        })
      )
    )

    it.effect("hold out the same contacts with the same key, and let no more through than the plan has room for", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const audiences = yield* Audiences
          const people = yield* Effect.forEach(Array.from({ length: 30 }), (_, place) =>
            givenContact({ phone: `+49170300${String(place).padStart(4, "0")}`, consent: subscribed })
          )
          const plan = planned({ holdOut: 40 })
          const outcomes = yield* Effect.forEach(people, ({ id }) => audiences.outcomeOf(plan, id))
          const heldOut = outcomes.filter(({ kind }) => kind === "held_out").length
          assert.isTrue(heldOut > 0 && heldOut < people.length)
          const id = yield* givenSending()
          const toSend = people.length - heldOut
          assert.deepStrictEqual(yield* freeze(id, plan, { room: toSend - 3 }), {
            listed: people.length,
            toSend: toSend - 3,
            done: true
          })
          const stats = yield* statsOf(id)
          assert.deepStrictEqual([stats.heldOut, stats.excluded, stats.pending], [heldOut, 3, toSend - 3])
          assert.deepStrictEqual(yield* audiences.size(plan, null), { matched: people.length, toSend })
          const draft = yield* givenSending({ status: "cancelled" })
          assert.deepStrictEqual(yield* freeze(draft, plan), { listed: 0, toSend: 0, done: false })
          const other = yield* givenSending()
          yield* freeze(other, plan)
          assert.strictEqual((yield* statsOf(other)).heldOut, heldOut)
        })
      )
    )

    it.effect("return the time zones and the first digits of recipients, by contact and by stored list", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const audiences = yield* Audiences
          const people = [
            { phone: "+4915112340001", timezone: null },
            { phone: "+4915112340002", timezone: null },
            { phone: "+35191234567", timezone: null },
            { phone: "+4915112340003", timezone: "Asia/Tokyo" },
            { phone: "+35191234568", timezone: "Asia/Tokyo" },
            { phone: "+4915112340004", timezone: "Asia/Tokyo", consent: { ...subscribed, marketing: "unsubscribed" } }
          ] as const
          for (const each of people) yield* givenContact({ consent: subscribed, ...each })
          const plan = planned({ times: null })
          const shown = (snapshotId: AudienceSnapshotId | null) =>
            Effect.map(audiences.clocks(plan, snapshotId), (clocks) =>
              clocks.map(({ count, of }) => `${count} ${of.timezone ?? of.phone?.slice(0, 4)}`).toSorted()
            )
          const expected = ["1 +351", "2 +491", "2 Asia/Tokyo"]
          assert.deepStrictEqual(yield* shown(null), expected)
          const id = freshId(AudienceSnapshotId)
          yield* transact(audiences.keep({ id, madeFrom: {}, createdAt: morning, expiresAt: evening }, plan))
          assert.deepStrictEqual(yield* shown(id), expected)
          assert.deepStrictEqual(yield* audiences.clocks({ ...plan, audience: noContact }, null), [])
          const numbersIn = (snapshot: AudienceSnapshotId | null) =>
            Effect.map(audiences.numbers(plan, snapshot), (numbers) =>
              numbers.map(({ count, phone }) => `${count} ${phone?.slice(0, 7)}`).toSorted()
            )
          assert.deepStrictEqual(yield* numbersIn(null), ["2 +351912", "3 +491511"])
          assert.deepStrictEqual(yield* numbersIn(id), ["2 +351912", "3 +491511"])
        })
      )
    )

    it.effect("give each contact its local due time, and skip expired ones on request", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const late = yield* givenContact({ phone: "+491701000001", consent: subscribed, timezone: "Europe/Berlin" })
          const soon = yield* givenContact({ phone: "+351912345678", consent: subscribed })
          const dueAt = ({ timezone }: { readonly timezone: string | null }) => (timezone === null ? evening : morning)
          const plan = planned({ times: { dueAt, skips: (due) => due === morning } })
          const id = yield* givenSending()
          assert.deepStrictEqual(yield* freeze(id, plan, { limit: 1 }), { listed: 1, toSend: 0, done: false })
          assert.deepStrictEqual(yield* freeze(id, plan, { limit: 2 }), { listed: 1, toSend: 1, done: true })
          assert.deepStrictEqual(
            (yield* pending(id)).map(({ contactId, dueAt }) => [
              contactId,
              dueAt === null ? null : DateTime.formatIso(dueAt)
            ]),
            [[soon.id, DateTime.formatIso(evening)]]
          )
          const outcome = yield* Effect.flatMap(Audiences, (audiences) => audiences.outcomeOf(plan, late.id))
          assert.deepStrictEqual(outcome, { kind: "excluded", reason: "local_time_passed" })
        })
      )
    )

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
}

/** Runs the contract of audiences against an adapter. */
export const audiencesContract = runContract(audiences)
