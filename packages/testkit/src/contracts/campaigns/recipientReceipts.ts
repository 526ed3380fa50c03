import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import { ChatAccountId, type ReferringReceipt } from "@parley/domain/messaging"
import {
  type BroadcastId,
  Broadcasts,
  type CalledRecipient,
  emptyBroadcastStats,
  applyReceipt,
  recipientIdAt,
  RecipientLedger,
  recipientPrefix,
  RecipientReceipts
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

const idOf = (id: BroadcastId, place: number) => recipientIdAt(recipientPrefix(id), place)

/** Stores a broadcast with this number of recipients in flight and further recipients that are not. */
export const givenInHand = Effect.fnUntraced(function* (calls: number, others = 0) {
  const ledger = yield* RecipientLedger
  const account = freshId(ChatAccountId)
  const { id } = yield* givenBroadcast(newBroadcast({ status: "sending", chatAccountId: account, startedAt: dawn }))
  const contacts = Array.from({ length: calls + others }, () => freshId(ContactId))
  const recipients = contacts.map((contactId) => {
    return {
      contactId,
      address: { kind: "phone", value: "+491701234567" },
      variant: null,
      dueAt: null,
      left: null
    } as const
  })
  yield* transact(ledger.list(id, recipients))
  const window = {
    id: SecureRandom.uuidV7Unsafe(),
    broadcastId: id,
    fence: 1,
    claimedAt: dawn,
    calls: contacts
      .slice(0, calls)
      .map((contactId, place) => ({ seq: place + 1, contactId, values: { "body.1": "🥐" } }))
  }
  yield* transact(ledger.begin({ revision: 0, mark: calls, window, excluded: [], postponed: [] }))
  return { account, id, window }
})

/** Creates a receipt for the recipient at a place, this number of seconds after dawn. */
export const reported = (
  place: number,
  status: ReferringReceipt["status"],
  seconds: number
): readonly [number, Omit<ReferringReceipt, "chatAccountId" | "reference">] => [
  place,
  {
    providerMessageId: `wamid.${place}`,
    status,
    at: at(seconds),
    error: status === "failed" ? { code: 131_026, reason: "“Nobody” is there", remedy: "skip_recipient" } : null
  }
]

/** Stores what receipts tell. */
export const tell = Effect.fnUntraced(function* (
  account: ChatAccountId,
  id: BroadcastId,
  receipts: ReadonlyArray<readonly [number, Omit<ReferringReceipt, "chatAccountId" | "reference">]>
) {
  const port = yield* RecipientReceipts
  return yield* transact(
    Effect.gen(function* () {
      const found = yield* port.lock(account, Array.from(new Set(receipts.map(([place]) => idOf(id, place)))))
      return yield* port.save(
        found.map((before) => ({
          before,
          after: receipts
            .filter(([place]) => place === before.seq)
            .reduce<CalledRecipient>((current, [, receipt]) => applyReceipt(current, receipt), before)
        }))
      )
    })
  )
})

const lock = (account: ChatAccountId, id: BroadcastId, places: ReadonlyArray<number>) =>
  Effect.flatMap(RecipientReceipts, (port) =>
    transact(
      port.lock(
        account,
        places.map((place) => idOf(id, place))
      )
    )
  )

const statsOf = (id: BroadcastId) =>
  Effect.flatMap(Broadcasts, (broadcasts) => Effect.map(broadcasts.get(id), ({ stats }) => ({ ...stats })))

const settle = (windowId: string, id: BroadcastId, place: number, outcome: "sent" | "failed" | "in_doubt") =>
  Effect.flatMap(RecipientLedger, (ledger) => {
    const error = { code: "refused", providerCode: 1, reason: "No" }
    const all = {
      sent: { kind: "sent", providerMessageId: `wamid.${place}` },
      failed: { kind: "failed", error },
      in_doubt: { kind: "in_doubt" }
    } as const
    return transact(ledger.settle(id, [{ windowId, seq: place, at: at(1), outcome: all[outcome] }]))
  })

export const recipientReceipts: StorageContract = {
  port: "RecipientReceipts",
  promises: (it) => {
    it.effect("finds recipients by their ids, of the broadcasts over the account only", () =>
      Effect.gen(function* () {
        const { account, id } = yield* givenInHand(2, 1)
        const other = yield* givenInHand(1)
        const found = yield* lock(account, id, [3, 1, 4, 0, 0xffff_ffff])
        assert.sameDeepMembers(
          found.map(({ calledAt, id: recipient, seq, status }) => [recipient, seq, status, calledAt]),
          [
            [idOf(id, 1), 1, "in_flight", dawn],
            [idOf(id, 3), 3, "pending", null]
          ]
        )
        assert.isEmpty(yield* lock(other.account, id, [1]))
        assert.isEmpty(yield* lock(account, other.id, [1]))
      }).pipe(inNewOrganization)
    )

    it.effect("moves recipients together with the statistics of their broadcast, and says how far it is", () =>
      Effect.gen(function* () {
        const { account, id, window } = yield* givenInHand(4)
        yield* settle(window.id, id, 1, "sent")
        yield* settle(window.id, id, 2, "in_doubt")
        yield* settle(window.id, id, 3, "failed")
        const progressed = yield* tell(account, id, [
          reported(1, "read", 5),
          reported(2, "delivered", 4),
          reported(3, "delivered", 3),
          reported(4, "failed", 2)
        ])
        const stats = { ...emptyBroadcastStats, matched: 4, read: 1, delivered: 2, failed: 1 }
        assert.deepStrictEqual(
          progressed.map((each) => [each.broadcastId, { ...each.stats }, each.toldAt]),
          [[id, stats, null]]
        )
        assert.deepStrictEqual(yield* statsOf(id), stats)
        const [first, second, third, fourth] = (yield* lock(account, id, [1, 2, 3, 4])).toSorted(
          (one, other) => one.seq - other.seq
        )
        assert.deepStrictEqual([first?.sentAt, first?.deliveredAt, first?.readAt], [at(1), at(5), at(5)])
        assert.deepStrictEqual([second?.status, second?.sentAt], ["delivered", at(4)])
        assert.deepStrictEqual([third?.failedAt, third?.error, third?.providerMessageId], [null, null, "wamid.3"])
        assert.deepStrictEqual(
          [fourth?.status, fourth?.failedAt, fourth?.error?.providerCode, fourth?.calledAt],
          ["failed", at(2), 131_026, dawn]
        )
      }).pipe(inNewOrganization)
    )

    it.effect("takes a recipient out of hand, so that the later answer of its call changes nothing", () =>
      Effect.gen(function* () {
        const { account, id, window } = yield* givenInHand(3)
        yield* tell(account, id, [reported(2, "delivered", 2)])
        assert.deepStrictEqual(yield* statsOf(id), { ...emptyBroadcastStats, matched: 3, inFlight: 2, delivered: 1 })
        yield* settle(window.id, id, 2, "in_doubt")
        yield* settle(window.id, id, 1, "sent")
        assert.deepStrictEqual(yield* statsOf(id), {
          ...emptyBroadcastStats,
          matched: 3,
          inFlight: 1,
          sent: 1,
          delivered: 1
        })
        yield* tell(account, id, [reported(3, "sent", 2)])
        assert.isTrue(yield* (yield* RecipientLedger).isStopped(id))
        assert.deepStrictEqual(yield* statsOf(id), { ...emptyBroadcastStats, matched: 3, sent: 2, delivered: 1 })
      }).pipe(inNewOrganization)
    )

    it.effect("moves no recipient that was not called", () =>
      Effect.gen(function* () {
        const { account, id } = yield* givenInHand(1, 1)
        yield* tell(account, id, [reported(2, "delivered", 2)])
        assert.deepStrictEqual(yield* statsOf(id), { ...emptyBroadcastStats, matched: 2, inFlight: 1, pending: 1 })
      }).pipe(inNewOrganization)
    )

    it.effect("settles concurrent receipts and answers", () =>
      Effect.gen(function* () {
        const { account, id, window } = yield* givenInHand(12)
        const places = Array.from({ length: 12 }, (_, index) => index + 1)
        yield* Effect.forEach(
          places,
          (place) =>
            Effect.all([settle(window.id, id, place, "sent"), tell(account, id, [reported(place, "read", 3)])], {
              concurrency: 2
            }),
          { concurrency: "unbounded", discard: true }
        )
        assert.deepStrictEqual(yield* statsOf(id), { ...emptyBroadcastStats, matched: 12, read: 12 })
      }).pipe(inNewOrganization)
    )
  }
}

export const recipientReceiptsContract = runContract(recipientReceipts)
