import { assert } from "@effect/vitest"
import { Currency, transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import {
  BroadcastReports,
  type BroadcastReport,
  type BroadcastId,
  Broadcasts,
  ContactRecipients,
  ExpiredRecipients,
  RecipientLedger,
  RecipientList
} from "@parley/domain/campaigns"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, givenOrganization, inside } from "../given.ts"
import { evening, givenBroadcast, morning, newBroadcast } from "./given.ts"

const everybody = { status: null, reason: null, variant: null, replied: null, contactId: null }

const noon = DateTime.add(morning, { hours: 4 })

const inNewOrganization = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(givenOrganization(), (organization) => inside(organization)(effect))

/** A broadcast that has ended, with three recipients. */
const givenEnded = Effect.fnUntraced(function* (recipientsKeptUntil: DateTime.Utc | null) {
  const { id } = yield* givenBroadcast(newBroadcast({ status: "completed", recipientsKeptUntil }))
  const contactIds = [freshId(ContactId), freshId(ContactId), freshId(ContactId)]
  const recipients = contactIds.map((contactId) => {
    return { contactId, address: null, variant: null, dueAt: null, left: { kind: "held_out" } as const }
  })
  yield* transact((yield* RecipientLedger).list(id, recipients))
  return { id, contactIds }
})

const placesOf = (id: BroadcastId) =>
  Effect.flatMap(RecipientList, (list) =>
    Effect.map(list.list(id, everybody, { limit: 10, after: null }), ({ rows }) => rows.map(({ seq }) => seq))
  )

const reportOf = (broadcastId: BroadcastId, matched = 3): BroadcastReport => {
  const funnel = {
    matched,
    excluded: 0,
    heldOut: matched,
    attempted: 0,
    accepted: 0,
    failed: 0,
    inDoubt: 0,
    delivered: 0,
    read: 0,
    replied: 0,
    optedOut: 0,
    neverSent: 0
  }
  const parts = {
    funnel,
    excluded: { blocked: 1 },
    failures: { recipient_busy: 2 },
    taps: { Yes: 1 },
    attributedOrders: 3,
    attributed: [{ amountMinor: 4_500, currency: Currency.make("EUR") }]
  }
  const costs = { currency: Currency.make("EUR"), amount: 73_300, messages: 1, free: 0, withoutRate: 0 }
  return {
    broadcastId,
    asOf: morning,
    ...parts,
    costs,
    variants: [{ key: "a", ...parts, costs, uplift: null, upliftReason: "too_few" }],
    clicks: null,
    uplift: {
      value: 0.25,
      treated: { assigned: 9_500, converted: 285 },
      heldOut: { assigned: 500, converted: 12 },
      difference: [-0.0118, 0.0168],
      significant: false
    },
    upliftReason: null
  }
}

export const expiredRecipients: StorageContract = {
  port: "ExpiredRecipients",
  promises: (it) => {
    it.effect("finds recipients past their retention until they are deleted", () =>
      Effect.gen(function* () {
        const expired = yield* ExpiredRecipients
        const late = yield* givenEnded(noon)
        const early = yield* givenEnded(morning)
        const kept = yield* givenEnded(evening)
        yield* givenEnded(null)
        assert.deepStrictEqual(yield* expired.find(noon, 10), [early.id, late.id])
        assert.deepStrictEqual(yield* expired.find(noon, 1), [early.id])
        assert.deepStrictEqual(yield* expired.find(DateTime.subtract(morning, { milliseconds: 1 }), 10), [])

        assert.strictEqual(yield* transact(expired.remove(early.id, 2)), 2)
        assert.deepStrictEqual(yield* placesOf(early.id), [3])
        assert.deepStrictEqual(yield* expired.find(noon, 10), [early.id, late.id])
        assert.strictEqual(yield* transact(expired.remove(early.id, 2)), 1)
        assert.strictEqual(yield* transact(expired.remove(early.id, 2)), 0)
        yield* transact(expired.close(early.id, noon))
        assert.deepStrictEqual(yield* expired.find(noon, 10), [late.id])
        assert.isEmpty(yield* (yield* RecipientList).tally(early.id))
        assert.deepStrictEqual(yield* placesOf(kept.id), [1, 2, 3])
        const { stats } = yield* (yield* Broadcasts).get(early.id)
        assert.deepStrictEqual([stats.matched, stats.heldOut], [3, 3])
        // Contacts erased afterwards were on a deleted list.
        yield* transact((yield* ContactRecipients).forget(early.contactIds))
      }).pipe(inNewOrganization)
    )

    it.effect("finds and deletes nothing of another organization", () =>
      Effect.gen(function* () {
        const expired = yield* ExpiredRecipients
        const { id } = yield* inNewOrganization(givenEnded(morning))
        yield* Effect.gen(function* () {
          assert.isEmpty(yield* expired.find(evening, 10))
          assert.strictEqual(yield* transact(expired.remove(id, 10)), 0)
          yield* transact(expired.close(id, evening))
        }).pipe(inNewOrganization)
      })
    )
  }
}

export const broadcastReports: StorageContract = {
  port: "BroadcastReports",
  promises: (it) => {
    it.effect("keeps the first report of a broadcast", () =>
      Effect.gen(function* () {
        const reports = yield* BroadcastReports
        const { id } = yield* givenBroadcast()
        assert.isNull(yield* reports.find(id))
        yield* transact(reports.keep(reportOf(id)))
        yield* transact(reports.keep(reportOf(id, 4)))
        assert.deepStrictEqual(yield* reports.find(id), reportOf(id))
        return id
      }).pipe(
        inNewOrganization,
        Effect.flatMap((id) =>
          inNewOrganization(
            Effect.gen(function* () {
              assert.isNull(yield* (yield* BroadcastReports).find(id))
            })
          )
        )
      )
    )
  }
}

export const expiredRecipientsContract = runContract(expiredRecipients)

export const broadcastReportsContract = runContract(broadcastReports)
