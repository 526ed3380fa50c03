import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import { type ContactId, getContact } from "@parley/domain/crm"
import type { ChatAccount } from "@parley/domain/messaging"
import { StoredBroadcastSettings } from "@parley/domain/campaigns"
import { applyReportedEvents, asOperatorOf, givenContact, givenOrganization, type ReportedEvent } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { givenChatAccount, test } from "../messaging/inbox/given.ts"

const phone = "+491701234561"
const dawn = DateTime.makeUnsafe("2026-03-01T06:00:00Z")

const given = Effect.gen(function* () {
  yield* TestClock.setTime(DateTime.toEpochMillis(dawn) + 60_000)
  const organization = yield* givenOrganization({ plan: "scale" })
  const settings = Effect.flatMap(StoredBroadcastSettings, (port) =>
    Effect.flatMap(port.get(), (before) =>
      transact(
        port.save({ ...before, optOutKeywords: { de: ["Keine Werbung"] }, optInKeywords: { de: ["Bin dabei"] } }, null)
      )
    )
  )
  yield* settings.pipe(asOperatorOf(organization), Effect.orDie)
  const account = yield* givenChatAccount(organization)
  return { organization, account, contact: yield* givenContact(organization, { phone }) }
})

const write = (
  organization: Organization,
  { externalPhoneId: phoneId }: ChatAccount,
  text: string,
  seconds: number
) => {
  const event: ReportedEvent = {
    kind: "message",
    phoneId,
    id: `wamid.${seconds}`,
    at: DateTime.add(dawn, { seconds }),
    from: { phone, chatUser: null, name: null },
    content: { kind: "text", text },
    replyTo: null,
    fromAdvertisement: false
  }
  return applyReportedEvents([event]).pipe(asOperatorOf(organization))
}

const consentOf = (organization: Organization, id: ContactId) =>
  Effect.map(getContact({ id }).pipe(asOperatorOf(organization), Effect.orDie), ({ consent }) => consent.marketing)

test("a keyword of the organization unsubscribes, and another one reverses it", () =>
  Effect.gen(function* () {
    const { account, contact, organization } = yield* given
    yield* write(organization, account, " keine WERBUNG!", 1)
    assert.strictEqual(yield* consentOf(organization, contact.id), "unsubscribed")
    yield* write(organization, account, "bin dabei", 3)
    assert.strictEqual(yield* consentOf(organization, contact.id), "subscribed")
    yield* write(organization, account, "Stop", 5)
    assert.strictEqual(yield* consentOf(organization, contact.id), "unsubscribed")
    yield* write(organization, account, "Keine Werbung, sondern eine Frage", 7)
    yield* write(organization, account, "Start", 9)
    assert.strictEqual(yield* consentOf(organization, contact.id), "subscribed")
  }))

test("a keyword reverses no other opt-out and subscribes no contact that was never asked", () =>
  Effect.gen(function* () {
    const { account, contact, organization } = yield* given
    yield* write(organization, account, "Start", 1)
    assert.strictEqual(yield* consentOf(organization, contact.id), "unknown")
    const preference: ReportedEvent = {
      kind: "preference",
      phoneId: account.externalPhoneId,
      at: DateTime.add(dawn, { seconds: 3 }),
      from: { phone, chatUser: null },
      marketing: "stop"
    }
    yield* applyReportedEvents([preference]).pipe(asOperatorOf(organization))
    yield* write(organization, account, "Start", 5)
    assert.strictEqual(yield* consentOf(organization, contact.id), "unsubscribed")
  }))
