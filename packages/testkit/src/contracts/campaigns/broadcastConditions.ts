import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { type ContactId, Contacts, type Filter } from "@parley/domain/crm"
import { type BroadcastId, RecipientLedger } from "@parley/domain/campaigns"
import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { all, everyone, givenContact, idsOf, listed } from "../crm/given.ts"
import { runContract, type StorageContract } from "../contract.ts"
import { givenOrganization, inside } from "../given.ts"
import { evening, givenBroadcast, morning, newBroadcast } from "./given.ts"

const known = (condition: string, ...values: ReadonlyArray<string>): Filter => ({ kind: "known", condition, values })

const without = (of: Filter): Filter => ({ kind: "not", of })

/** Sends the broadcast to each contact, except the refused ones. */
const givenSent = Effect.fnUntraced(function* (
  contacts: ReadonlyArray<{ readonly contactId: ContactId; readonly at: DateTime.Utc | null }>
) {
  const ledger = yield* RecipientLedger
  const { id } = yield* givenBroadcast(newBroadcast({ status: "sending", startedAt: morning }))
  const address = { kind: "phone", value: "+491701234567" } as const
  const recipients = contacts.map(({ contactId }) => ({ contactId, address, variant: null, dueAt: null, left: null }))
  yield* transact(ledger.list(id, recipients))
  const calls = contacts.map(({ contactId }, place) => ({ contactId, seq: place + 1, values: {} }))
  const window = { id: SecureRandom.uuidV7Unsafe(), broadcastId: id, fence: 1, claimedAt: morning, calls }
  yield* transact(ledger.begin({ revision: 0, mark: calls.length, window, excluded: [], postponed: [] }))
  const results = contacts.map(({ at }, place) => ({
    windowId: window.id,
    seq: place + 1,
    at: at ?? morning,
    outcome:
      at === null
        ? ({
            kind: "failed",
            error: { code: "recipient_unreachable", providerCode: null, reason: "Nobody is there" }
          } as const)
        : ({ kind: "sent", providerMessageId: `wamid.${place}` } as const)
  }))
  yield* transact(ledger.settle(id, results))
  return id
})

/** Contract of contact filters on received broadcasts. */
export const broadcastConditions: StorageContract = {
  port: "Contacts (by what is known of their broadcasts)",
  promises: (it) => {
    it.effect("are found by the broadcasts that they got, and when that was last", () =>
      Effect.gen(function* () {
        const elsewhere: BroadcastId = yield* Effect.gen(function* () {
          const { id: contactId } = yield* givenContact()
          return yield* givenSent([{ contactId, at: morning }])
        }).pipe(inside(yield* givenOrganization()))
        yield* Effect.gen(function* () {
          const contacts = yield* Contacts
          const [never, refused, once, twice] = [
            (yield* givenContact()).id,
            (yield* givenContact()).id,
            (yield* givenContact()).id,
            (yield* givenContact()).id
          ]
          const everybody = [never, refused, once, twice]
          const spring = yield* givenSent([
            { contactId: refused, at: null },
            { contactId: once, at: morning },
            { contactId: twice, at: morning }
          ])
          const summer = yield* givenSent([{ contactId: twice, at: evening }])
          const left = yield* givenBroadcast(newBroadcast({ status: "cancelled" }))
          const leftOver = [never, once].map((contactId) => {
            return { contactId, address: null, variant: null, dueAt: null, left: null }
          })
          yield* transact((yield* RecipientLedger).list(left.id, leftOver))
          const at = (time: DateTime.Utc) => DateTime.formatIso(time)
          const cases: ReadonlyArray<readonly [Filter, ReadonlyArray<ContactId>]> = [
            [known("broadcast_received", spring), [once, twice]],
            [known("broadcast_received", summer, elsewhere), [twice]],
            [known("broadcast_received", elsewhere), []],
            [known("broadcast_received"), []],
            [known("broadcast_read", spring, summer), []],
            [known("broadcast_replied", spring, summer), []],
            [known("broadcast_retried", spring, "failed"), [refused]],
            [known("broadcast_retried", spring, "never_sent failed", "recipient_unreachable"), [refused]],
            [known("broadcast_retried", spring, "failed", "recipient_busy"), []],
            [known("broadcast_retried", spring, "in_doubt never_sent"), []],
            [known("broadcast_retried", left.id, "never_sent in_doubt", "recipient_busy"), [never, once]],
            [known("broadcast_retried", elsewhere, "failed never_sent in_doubt"), []],
            [known("broadcast_ever"), [once, twice]],
            [known("broadcast_since", at(evening)), [twice]],
            [known("broadcast_since", at(DateTime.add(evening, { milliseconds: 1 }))), []],
            [known("broadcast_before", at(evening)), [once]],
            [known("broadcast_before", at(morning)), []]
          ]
          for (const [filter, met] of cases) {
            const others = everybody.filter((id) => !met.includes(id))
            const text = JSON.stringify(filter)
            assert.deepStrictEqual(idsOf(yield* listed({ ...everyone, filter }, all)), met, text)
            assert.deepStrictEqual(idsOf(yield* listed({ ...everyone, filter: without(filter) }, all)), others, text)
            assert.strictEqual(yield* contacts.countOf({ filter, search: null }), met.length, text)
          }
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}

/** Runs the contract of broadcast filters against an adapter. */
export const broadcastConditionsContract = runContract(broadcastConditions)
