import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { noContact } from "@parley/domain/crm"
import { Audiences, AudienceSnapshotId } from "@parley/domain/campaigns"
import { DateTime, Effect } from "effect"
import type { StorageContract } from "../contract.ts"
import { givenContact } from "../crm/given.ts"
import { freshId } from "../given.ts"
import { evening, morning, planned } from "./given.ts"
import {
  inNewOrganization,
  subscribed,
  named,
  without,
  freeze,
  givenSending,
  statsOf,
  pending,
  givenAudience,
  counted
} from "./audiencePlans.ts"

/** Counting and freezing of audiences. */
export const frozenAudiencesPromises: StorageContract["promises"] = (it) => {
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
}
