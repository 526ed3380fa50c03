import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import type { LaneLease } from "@parley/domain/platform"
import { type Contact, Contacts } from "@parley/domain/crm"
import { ChatAccountId } from "@parley/domain/messaging"
import {
  Broadcast,
  type BroadcastId,
  Broadcasts,
  type BroadcastStatus,
  type FoundCandidates,
  emptyBroadcastStats,
  RecipientLedger,
  type RecipientResult
} from "@parley/domain/campaigns"
import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId } from "../given.ts"
import { givenContact, inNewOrganization } from "../crm/given.ts"
import { claimOf, freshWork, givenOwner, open, takeOver } from "../platform/background/given.ts"
import { givenBroadcast, newBroadcast } from "./given.ts"

const dawn = DateTime.makeUnsafe("2026-03-01T06:00:00Z")
const at = (seconds: number) => DateTime.add(dawn, { seconds })

/** Stores a sending broadcast with this number of contacts and a process that owns its account. */
const givenOwned = Effect.fnUntraced(function* (count: number) {
  const ledger = yield* RecipientLedger
  const account = freshId(ChatAccountId)
  const { id } = yield* givenBroadcast(newBroadcast({ status: "sending", chatAccountId: account, startedAt: dawn }))
  const contacts = yield* Effect.forEach(Array.from({ length: count }), () => givenContact())
  const address = { kind: "phone", value: "+491701234567" } as const
  const recipients = contacts.map(({ id }) => ({ contactId: id, address, variant: null, dueAt: null, left: null }))
  yield* transact(ledger.list(id, recipients))
  const work = freshWork()
  const owner = yield* givenOwner(work)
  yield* open(work, account)
  const [lane] = yield* claimOf(owner, 0)
  return { id, account, contacts, work, owner, lane: lane ?? assert.fail() }
})

type Owned = Effect.Success<ReturnType<typeof givenOwned>>

const first = (id: BroadcastId, limit: number) =>
  Effect.flatMap(RecipientLedger, (ledger) => ledger.next(id, { now: dawn, limit }))

/** Claims the found recipients with these results, and reads as many after them. */
const advance = Effect.fnUntraced(function* (
  { contacts, id, lane }: Pick<Owned, "id"> & { readonly contacts: ReadonlyArray<Contact>; readonly lane: LaneLease },
  { candidates, mark, revision }: FoundCandidates,
  results: ReadonlyArray<RecipientResult> = []
) {
  const read = new Map(contacts.map((contact) => [contact.id, contact.version]))
  const calls = candidates.map(({ contactId, seq }) => ({ seq, contactId, values: { "body.1": `${seq}` } }))
  const windowId = SecureRandom.uuidV7Unsafe()
  const window = { id: windowId, broadcastId: id, fence: lane.fence, claimedAt: dawn, calls }
  const known = candidates.map(({ contactId }) => ({ id: contactId, version: read.get(contactId) ?? 0 }))
  const ahead = { now: at(60), limit: candidates.length }
  const ledger = yield* RecipientLedger
  const advanced = yield* ledger.advance({ lane, mark, revision, window, contacts: known, results, ahead })
  return { ...advanced, windowId, seqs: calls.map(({ seq }) => seq) }
})

const sent = (windowId: string, seqs: ReadonlyArray<number>) =>
  seqs.map((seq): RecipientResult => {
    return { windowId, seq, at: at(1), outcome: { kind: "sent", providerMessageId: `wamid.${seq}` } }
  })

const aheadOf = (advanced: Effect.Success<ReturnType<typeof advance>>) =>
  advanced.outcome === "begun" ? advanced.ahead : assert.fail(advanced.outcome)

const statsOf = (id: BroadcastId) =>
  Effect.flatMap(Broadcasts, (broadcasts) => Effect.map(broadcasts.get(id), ({ stats }) => ({ ...stats })))

const move = Effect.fnUntraced(function* (id: BroadcastId, status: BroadcastStatus) {
  const broadcasts = yield* Broadcasts
  return yield* transact(
    Effect.flatMap(broadcasts.lock(id), (before) => broadcasts.save(new Broadcast({ ...before, status }), null))
  )
})

const change = (contact: Contact, input: Partial<Contact>) =>
  Effect.flatMap(Contacts, (contacts) => transact(contacts.save({ ...contact, ...input } as Contact, null)))

export const nextClaims: StorageContract = {
  port: "RecipientLedger",
  promises: (it) => {
    it.effect("claims the next recipients together with the last results, and returns their successors", () =>
      Effect.gen(function* () {
        const owned = yield* givenOwned(5)
        const one = yield* advance(owned, yield* first(owned.id, 2))
        assert.deepStrictEqual(yield* statsOf(owned.id), {
          ...emptyBroadcastStats,
          matched: 5,
          pending: 3,
          inFlight: 2
        })
        const two = yield* advance(owned, aheadOf(one), sent(one.windowId, [1, 2]))
        assert.deepStrictEqual(two.seqs, [3, 4])
        assert.deepStrictEqual(yield* statsOf(owned.id), {
          ...emptyBroadcastStats,
          matched: 5,
          pending: 1,
          inFlight: 2,
          sent: 2
        })
        const again: RecipientResult = {
          windowId: two.windowId,
          seq: 3,
          at: at(1),
          outcome: { kind: "pending", dueAt: at(30), counts: true }
        }
        const three = yield* advance(owned, aheadOf(two), [again, ...sent(two.windowId, [4])])
        assert.deepStrictEqual(three.seqs, [5])
        const last = yield* (yield* RecipientLedger).next(owned.id, { now: at(60), limit: 5 })
        assert.deepStrictEqual(
          last.candidates.map(({ attempts, seq }) => [seq, attempts]),
          [[3, 1]]
        )
        assert.deepStrictEqual(yield* statsOf(owned.id), {
          ...emptyBroadcastStats,
          matched: 5,
          pending: 1,
          inFlight: 1,
          sent: 3
        })
      }).pipe(inNewOrganization)
    )

    it.effect("claims none of a stopped broadcast, and stores the last results", () =>
      Effect.gen(function* () {
        const owned = yield* givenOwned(4)
        const one = yield* advance(owned, yield* first(owned.id, 2))
        yield* move(owned.id, "paused")
        const two = yield* advance(owned, aheadOf(one), sent(one.windowId, [1]))
        assert.strictEqual(two.outcome, "not_sending")
        assert.deepStrictEqual(yield* statsOf(owned.id), {
          ...emptyBroadcastStats,
          matched: 4,
          pending: 2,
          inFlight: 1,
          sent: 1
        })
      }).pipe(inNewOrganization)
    )

    it.effect("claims none if a contact changed or was deleted since the read", () =>
      Effect.gen(function* () {
        const owned = yield* givenOwned(2)
        const found = yield* first(owned.id, 2)
        const [contact = assert.fail()] = owned.contacts
        yield* change(contact, { blockedAt: at(1) })
        assert.strictEqual((yield* advance(owned, found)).outcome, "list_changed")
        assert.deepStrictEqual(yield* statsOf(owned.id), { ...emptyBroadcastStats, matched: 2, pending: 2 })
        const read = yield* (yield* Contacts).find(owned.contacts.map(({ id }) => id))
        assert.strictEqual((yield* advance({ ...owned, contacts: read }, found)).outcome, "begun")
      }).pipe(inNewOrganization)
    )

    it.effect("claims none without the shard lease or with an older fence", () =>
      Effect.gen(function* () {
        const ledger = yield* RecipientLedger
        const owned = yield* givenOwned(6)
        const one = yield* advance(owned, yield* first(owned.id, 2))
        const owner = yield* takeOver(owned.work, owned.owner.id)
        const lost = yield* advance(owned, aheadOf(one), sent(one.windowId, [1, 2]))
        assert.strictEqual(lost.outcome, "lease_lost")
        assert.deepStrictEqual(yield* statsOf(owned.id), { ...emptyBroadcastStats, matched: 6, pending: 4, sent: 2 })
        const [lane = assert.fail()] = yield* claimOf(owner, 0)
        yield* ledger.fenceOff(owned.account, lane.fence + 1)
        assert.strictEqual((yield* advance({ ...owned, lane }, aheadOf(one))).outcome, "lease_lost")
        assert.deepStrictEqual(yield* statsOf(owned.id), { ...emptyBroadcastStats, matched: 6, pending: 4, sent: 2 })
        yield* ledger.fenceOff(owned.account, lane.fence)
        assert.strictEqual((yield* advance({ ...owned, lane }, aheadOf(one))).outcome, "lease_lost")
      }).pipe(inNewOrganization)
    )
  }
}

/** Checks an adapter against the contract of consecutive claims of `RecipientLedger`. */
export const nextClaimsContract = runContract(nextClaims)
