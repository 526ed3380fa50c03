import { transact } from "@parley/domain/kernel"
import type { Contact, ContactId, Filter } from "@parley/domain/crm"
import {
  type AudiencePlan,
  Audiences,
  type BroadcastId,
  Broadcasts,
  type ExclusionReason,
  RecipientLedger,
  type SliceBounds
} from "@parley/domain/campaigns"
import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { givenContact, identity } from "../crm/given.ts"
import { freshId, givenOrganization, inside } from "../given.ts"
import { evening, givenBroadcast, morning, newBroadcast, planned } from "./given.ts"

export const inNewOrganization = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(givenOrganization(), (organization) => inside(organization)(effect))

export const subscribed = { marketing: "subscribed", source: "api", changedAt: morning } as const
export const named = (name: string): Filter => ({ kind: "textIs", field: "name", anyOf: [name] })
export const without = (of: Filter): Filter => ({ kind: "not", of })

export const freeze = (id: BroadcastId, plan: AudiencePlan, bounds: Partial<SliceBounds> = {}) =>
  Effect.flatMap(Audiences, (audiences) =>
    transact(audiences.freeze(id, plan, { limit: 100, room: null, snapshotId: null, ...bounds }))
  )

export const givenSending = (overrides = {}) =>
  Effect.map(givenBroadcast(newBroadcast({ status: "sending", startedAt: morning, ...overrides })), ({ id }) => id)

export const everyRecipient = { status: null, reason: null, variant: null, replied: null, contactId: null }

export const statsOf = (id: BroadcastId) =>
  Effect.flatMap(Broadcasts, (broadcasts) => Effect.map(broadcasts.get(id), ({ stats }) => ({ ...stats })))

/** Returns the pending recipients in list order. */
export const pending = (id: BroadcastId, now = DateTime.add(evening, { days: 30 })) =>
  Effect.map(
    Effect.flatMap(RecipientLedger, (ledger) => ledger.next(id, { now, limit: 1_000 })),
    ({ candidates }) => candidates
  )

/** Sends a message of the broadcast to a contact at that time. */
export const givenMessage = Effect.fnUntraced(function* (
  id: BroadcastId,
  contactId: ContactId,
  claimedAt: DateTime.Utc
) {
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
export const givenAudience = Effect.gen(function* () {
  const earlier = yield* givenSending()
  const contact = (name: string, phone: string | null, overrides: Partial<Contact> = {}) =>
    givenContact({ name, phone, consent: subscribed, ...overrides })
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

export const counted = (excluded: ReadonlyArray<readonly [Contact, ExclusionReason]>) =>
  Object.fromEntries(excluded.map(([, reason]) => [reason, 1]))
