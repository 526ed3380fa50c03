import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import { type Contact, type ContactId, getContact } from "@parley/domain/crm"
import { type ChatAccount, Messages } from "@parley/domain/messaging"
import {
  type BroadcastId,
  Broadcasts,
  CampaignEvent,
  emptyBroadcastStats,
  recipientIdAt,
  RecipientLedger,
  recipientPrefix
} from "@parley/domain/campaigns"
import { applyReportedEvents, asOperatorOf, givenContact, givenOrganization, type ReportedEvent } from "@parley/testkit"
import { newBroadcast } from "@parley/testkit/contracts"
import { DateTime, Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { eventsIn, givenChatAccount, test } from "../messaging/inbox/given.ts"

const isCampaignEvent = Schema.is(CampaignEvent)

const phone = "+491701234561"
const dawn = DateTime.makeUnsafe("2026-03-01T06:00:00Z")

/** A broadcast that has these contacts in hand. */
const givenInHand = Effect.fnUntraced(function* (
  organization: Organization,
  { id: chatAccountId }: ChatAccount,
  contacts: ReadonlyArray<Contact>
) {
  const broadcast = newBroadcast({ status: "sending", chatAccountId, startedAt: dawn })
  const { id } = broadcast
  const ledger = yield* RecipientLedger
  const calls = contacts.map(({ id: contactId }, place) => ({ seq: place + 1, contactId, values: {} }))
  const window = { id: SecureRandom.uuidV7Unsafe(), broadcastId: id, fence: 1, claimedAt: dawn, calls }
  const recipients = contacts.map(({ id: contactId }) => {
    return { contactId, address: { kind: "phone", value: phone }, variant: null, dueAt: null, left: null } as const
  })
  yield* transact(
    Effect.gen(function* () {
      yield* (yield* Broadcasts).insert(broadcast)
      yield* ledger.list(id, recipients)
      yield* ledger.begin({ revision: 0, mark: contacts.length, window, excluded: [], postponed: [] })
    })
  ).pipe(asOperatorOf(organization))
  return id
})

type Receipt = Extract<ReportedEvent, { readonly kind: "receipt" }>

const receipt = (
  { externalPhoneId: phoneId }: ChatAccount,
  broadcastId: BroadcastId,
  place: number,
  fields: Partial<Receipt> = {}
): Receipt => ({
  kind: "receipt",
  phoneId,
  id: `wamid.${place}`,
  at: DateTime.add(dawn, { seconds: 1 }),
  status: "delivered",
  to: { phone, chatUser: null },
  reference: recipientIdAt(recipientPrefix(broadcastId), place),
  error: null,
  ...fields
})

const statsOf = (organization: Organization, id: BroadcastId) =>
  Effect.flatMap(Broadcasts, (broadcasts) => Effect.map(broadcasts.get(id), ({ stats }) => ({ ...stats }))).pipe(
    asOperatorOf(organization),
    Effect.orDie
  )

const consentOf = (organization: Organization, id: ContactId) =>
  Effect.map(getContact({ id }).pipe(asOperatorOf(organization), Effect.orDie), ({ consent }) => consent)

const given = Effect.gen(function* () {
  yield* TestClock.setTime(DateTime.toEpochMillis(dawn) + 5_000)
  const organization = yield* givenOrganization({ plan: "scale" })
  const account = yield* givenChatAccount(organization)
  const contact = yield* givenContact(organization, { phone })
  return { organization, account, contact }
})

const tell = (organization: Organization, ...events: ReadonlyArray<ReportedEvent>) =>
  applyReportedEvents(events).pipe(asOperatorOf(organization))

test("a receipt for a recipient moves it, and waits for no message of a conversation", () =>
  Effect.gen(function* () {
    const { account, contact, organization } = yield* given
    const id = yield* givenInHand(organization, account, [contact, yield* givenContact(organization)])
    yield* tell(organization, receipt(account, id, 1, { status: "read" }), receipt(account, id, 1))
    assert.deepStrictEqual(yield* statsOf(organization, id), {
      ...emptyBroadcastStats,
      matched: 2,
      inFlight: 1,
      read: 1
    })
    const early = Effect.flatMap(Messages, (messages) => transact(messages.removeEarly(account.id, ["wamid.1"])))
    assert.isEmpty(yield* early.pipe(asOperatorOf(organization)))
  }))

test("a receipt of another account moves no recipient", () =>
  Effect.gen(function* () {
    const { account, contact, organization } = yield* given
    const other = yield* givenChatAccount(organization)
    const id = yield* givenInHand(organization, account, [contact])
    yield* tell(organization, receipt(other, id, 1))
    assert.deepStrictEqual(yield* statsOf(organization, id), { ...emptyBroadcastStats, matched: 1, inFlight: 1 })
  }))

test("a receipt with an opt-out unsubscribes", () =>
  Effect.gen(function* () {
    const { account, contact, organization } = yield* given
    const id = yield* givenInHand(organization, account, [contact])
    const error = { code: 131_050, reason: "Opted out", remedy: "opt_out" } as const
    yield* tell(organization, receipt(account, id, 1, { status: "failed", error }))
    assert.deepStrictEqual(yield* statsOf(organization, id), { ...emptyBroadcastStats, matched: 1, failed: 1 })
    const { marketing, source } = yield* consentOf(organization, contact.id)
    assert.deepStrictEqual([marketing, source], ["unsubscribed", "chat_refusal"])
  }))

test("progress is published at most every ten seconds", () =>
  Effect.gen(function* () {
    const { account, contact, organization } = yield* given
    const id = yield* givenInHand(organization, account, [contact])
    const progressed = Effect.map(eventsIn(organization), (events) =>
      events.filter(isCampaignEvent).flatMap((event) => (event.type === "broadcast.progressed" ? [event.stats] : []))
    )
    yield* tell(organization, receipt(account, id, 1, { status: "sent" }))
    yield* TestClock.adjust("9 seconds")
    yield* tell(organization, receipt(account, id, 1))
    assert.lengthOf(yield* progressed, 1)
    yield* TestClock.adjust("1 second")
    // A receipt without a change is no progress.
    yield* tell(organization, receipt(account, id, 1))
    assert.lengthOf(yield* progressed, 1)
    yield* tell(organization, receipt(account, id, 1, { status: "read" }))
    assert.deepStrictEqual(
      (yield* progressed).map(({ delivered, read, sent }) => [sent, delivered, read]),
      [
        [1, 0, 0],
        [0, 0, 1]
      ]
    )
  }))
