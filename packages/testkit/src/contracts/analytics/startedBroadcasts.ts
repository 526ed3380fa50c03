import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import { Broadcast, emptyBroadcastStats, RecipientLedger } from "@parley/domain/campaigns"
import { StartedBroadcasts } from "@parley/domain/analytics"
import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { givenBroadcast, newBroadcast } from "../campaigns/given.ts"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, givenOrganization, inside } from "../given.ts"

const dawn = DateTime.makeUnsafe("2026-03-01T06:00:00Z")
const later = (minutes: number) => DateTime.add(dawn, { minutes })
const error = { code: "recipient_unreachable", providerCode: 131_026, reason: "Nobody is there" }

const started = (minutes: number | null, name = "Sale") =>
  givenBroadcast(
    new Broadcast({
      ...newBroadcast({ status: minutes === null ? "draft" : "sending" }),
      name,
      stats: emptyBroadcastStats,
      startedAt: minutes === null ? null : later(minutes)
    })
  )

const names = (from: number, to: number, after: ReadonlyArray<string> | null = null, limit = 10) =>
  Effect.flatMap(StartedBroadcasts, (port) =>
    Effect.map(port.list(later(from), later(to), { after, limit }), (rows) => rows.map(({ name }) => name))
  )

export const startedBroadcasts: StorageContract = {
  port: "StartedBroadcasts",
  promises: (it) => {
    it.effect("lists broadcasts started in a range, newest first, page by page", () =>
      Effect.gen(function* () {
        const within = inside(yield* givenOrganization())
        const elsewhere = inside(yield* givenOrganization())
        yield* within(
          Effect.gen(function* () {
            yield* started(null, "Draft")
            yield* started(0, "First")
            yield* started(5, "Second")
            const third = yield* started(9, "Third")
            yield* started(10, "Fourth")
            assert.deepStrictEqual(yield* names(0, 10), ["Third", "Second", "First"])
            assert.deepStrictEqual(yield* names(1, 11), ["Fourth", "Third", "Second"])
            assert.deepStrictEqual(yield* names(0, 11, null, 2), ["Fourth", "Third"])
            const key = [String(DateTime.toEpochMillis(later(9))), third.id]
            assert.deepStrictEqual(yield* names(0, 11, key), ["Second", "First"])
          })
        )
        assert.isEmpty(yield* elsewhere(names(0, 11)))
      })
    )

    it.effect("says what came of each by now", () =>
      Effect.gen(function* () {
        const within = inside(yield* givenOrganization())
        yield* within(
          Effect.gen(function* () {
            const ledger = yield* RecipientLedger
            const { id } = yield* started(0)
            const contactIds = Array.from({ length: 4 }, () => freshId(ContactId))
            const recipients = contactIds.map((contactId, place) => ({
              contactId,
              address: { kind: "phone", value: `+49170123456${place}` } as const,
              variant: null,
              dueAt: null,
              left: place === 3 ? ({ kind: "excluded", reason: "no_identity" } as const) : null
            }))
            const calls = contactIds.slice(0, 2).map((contactId, place) => ({ seq: place + 1, contactId, values: {} }))
            const window = { id: SecureRandom.uuidV7Unsafe(), broadcastId: id, fence: 1, claimedAt: dawn, calls }
            yield* transact(
              Effect.gen(function* () {
                yield* ledger.list(id, recipients)
                yield* ledger.begin({ revision: 0, mark: 2, window, excluded: [], postponed: [] })
                yield* ledger.settle(id, [
                  { windowId: window.id, seq: 1, at: dawn, outcome: { kind: "sent", providerMessageId: "w.1" } },
                  { windowId: window.id, seq: 2, at: dawn, outcome: { kind: "failed", error } }
                ])
              })
            )
            const [row] = yield* (yield* StartedBroadcasts).list(later(0), later(1), { after: null, limit: 1 })
            assert.deepStrictEqual(row && { ...row, startedAt: DateTime.formatIso(row.startedAt) }, {
              id,
              name: "Sale",
              status: "sending",
              startedAt: DateTime.formatIso(dawn),
              matched: 4,
              failed: 1,
              inDoubt: 0,
              optedOut: 0,
              sent: 1,
              delivered: 0,
              read: 0,
              replied: 0
            })
          })
        )
      })
    )
  }
}

export const startedBroadcastsContract = runContract(startedBroadcasts)
