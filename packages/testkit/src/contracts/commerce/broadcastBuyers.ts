import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import {
  BroadcastBuyers,
  type BroadcastId,
  type ExclusionReason,
  type ListedRecipient,
  RecipientLedger
} from "@parley/domain/campaigns"
import { DateTime, Effect, Order } from "effect"
import { SecureRandom } from "effect/crypto"
import { givenBroadcast, newBroadcast } from "../campaigns/given.ts"
import { runContract, type StorageContract } from "../contract.ts"
import { inNewOrganization } from "../crm/given.ts"
import { freshId } from "../given.ts"
import { givenConnection, newOrder, putOrders } from "./given.ts"

const due = DateTime.makeUnsafe("2026-03-01T06:00:00.125Z")
const days = 7
const over = DateTime.add(due, { days })
const justBefore = (at: DateTime.Utc) => DateTime.subtract(at, { milliseconds: 1 })

const held = { kind: "held_out" } as const
const excluded = (reason: ExclusionReason) => ({ kind: "excluded", reason }) as const

const listed = (overrides: Partial<ListedRecipient> = {}): ListedRecipient => ({
  contactId: freshId(ContactId),
  address: null,
  variant: "a",
  dueAt: null,
  left: null,
  ...overrides
})

const given = (recipients: ReadonlyArray<ListedRecipient>, holdOut = 10) =>
  Effect.gen(function* () {
    const { id } = yield* givenBroadcast(newBroadcast({ status: "sending", startedAt: due, holdOut }))
    yield* transact((yield* RecipientLedger).list(id, recipients))
    return id
  })

const counted = (id: BroadcastId) =>
  Effect.gen(function* () {
    const groups = yield* (yield* BroadcastBuyers).count(id, days)
    return groups
      .map(({ lastDueAt, ...rest }) => ({ ...rest, lastDueAt: DateTime.formatIso(lastDueAt) }))
      .toSorted(Order.mapInput(Order.String, ({ isHeldOut, variant }) => `${isHeldOut} ${variant}`))
  })

export const broadcastBuyers: StorageContract = {
  port: "BroadcastBuyers",
  promises: (it) => {
    it.effect("counts buyers between their due time and the end of the days, in their group", () =>
      Effect.gen(function* () {
        const store = yield* givenConnection()
        const later = DateTime.add(due, { hours: 9 })
        const bought = [
          listed(),
          listed({ variant: "b", dueAt: later }),
          listed({ left: held }),
          listed({ left: excluded("plan_limit") })
        ]
        const [first, second, third, fourth] = bought.map(({ contactId }) => contactId)
        const [early, late] = [listed(), listed()]
        const [test, cancelled, deleted] = [listed(), listed(), listed({ left: held })]
        const unlisted = listed({ left: excluded("blocked") })
        const order = (contactId: ContactId | undefined, placedAt: DateTime.Utc, overrides = {}, kept = {}) =>
          newOrder(store, { placedAt, ...overrides }, { contactId: contactId ?? assert.fail(), ...kept })
        yield* putOrders(
          order(first, due),
          order(first, justBefore(over)),
          order(second, DateTime.add(later, { hours: 24 * days - 1 })),
          order(third, due),
          order(fourth, due),
          order(early.contactId, justBefore(due)),
          order(late.contactId, over),
          order(test.contactId, due, { test: true }),
          order(cancelled.contactId, due, { cancelledAt: due }),
          order(deleted.contactId, due, {}, { deletedAt: due }),
          order(unlisted.contactId, due)
        )
        const id = yield* given([...bought, early, late, test, cancelled, deleted, unlisted])
        const lastDueAt = DateTime.formatIso(due)
        assert.deepStrictEqual(yield* counted(id), [
          { variant: "a", isHeldOut: false, assigned: 6, converted: 2, lastDueAt },
          { variant: "b", isHeldOut: false, assigned: 1, converted: 1, lastDueAt: DateTime.formatIso(later) },
          { variant: "a", isHeldOut: true, assigned: 2, converted: 1, lastDueAt }
        ])
      }).pipe(inNewOrganization)
    )

    it.effect("counts contacts by their drawn group, despite later postponement or exclusion", () =>
      Effect.gen(function* () {
        const store = yield* givenConnection()
        const [putOff, gone, duplicate] = [listed(), listed(), listed()]
        const id = yield* given([putOff, gone, duplicate])
        const window = { id: SecureRandom.uuidV7Unsafe(), broadcastId: id, fence: 1, claimedAt: due, calls: [] }
        const claim = {
          revision: 0,
          mark: 3,
          window,
          excluded: [
            { seq: 2, reason: "not_subscribed" as const },
            { seq: 3, reason: "duplicate" as const }
          ],
          postponed: [{ seq: 1, dueAt: over }]
        }
        yield* transact((yield* RecipientLedger).begin(claim))
        yield* putOrders(newOrder(store, { placedAt: due }, { contactId: putOff.contactId }))
        const lastDueAt = DateTime.formatIso(due)
        assert.deepStrictEqual(yield* counted(id), [
          { variant: "a", isHeldOut: false, assigned: 2, converted: 1, lastDueAt }
        ])
      }).pipe(inNewOrganization)
    )

    it.effect("counts none without a hold-out, and nothing of another organization", () =>
      Effect.gen(function* () {
        const theirs = yield* Effect.tap(given([listed()]), givenConnection()).pipe(inNewOrganization)
        yield* Effect.gen(function* () {
          const buyers = yield* BroadcastBuyers
          assert.isFalse(yield* buyers.areKnown())
          yield* givenConnection({ status: "pending" })
          assert.isFalse(yield* buyers.areKnown())
          yield* givenConnection({ status: "uninstalled" })
          assert.isTrue(yield* buyers.areKnown())
          assert.isEmpty(yield* counted(yield* given([listed()], 0)))
          assert.isEmpty(yield* counted(theirs))
        }).pipe(inNewOrganization)
      })
    )
  }
}

export const broadcastBuyersContract = runContract(broadcastBuyers)
