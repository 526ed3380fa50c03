import { assert, describe } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { type Organization, InboundDeliveryId } from "@parley/domain/platform"
import {
  createContact,
  deleteContact,
  eraseContact,
  getContact,
  type NewContact,
  updateContact
} from "@parley/domain/crm"
import { applyMessages, type ContactEvent } from "@parley/domain/messaging"
import { asOperatorOf, givenContact, givenOrganization } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { tagOf } from "../../tagOf.ts"
import { givenChatAccount, test } from "./given.ts"
import { storyEnd } from "./story.ts"
import { readStage } from "./telling.ts"

const phone = "+491701234561"
const result = { phone, chatUser: "DE.1", name: null }

const at = (secondsAgo: number) => DateTime.subtract(storyEnd, { seconds: secondsAgo })

const given = Effect.gen(function* () {
  yield* TestClock.setTime(DateTime.toEpochMillis(storyEnd))
  const organization = yield* givenOrganization({ plan: "scale" })
  const { externalPhoneId: phoneId } = yield* givenChatAccount(organization)
  let count = 0
  const arrival = () => ({
    deliveryId: InboundDeliveryId.make("01990000-0000-7000-8000-000000000001"),
    at: DateTime.add(storyEnd, { days: 1 }),
    position: (count += 1)
  })
  const says = (text: string, secondsAgo: number, from = result): ContactEvent => ({
    kind: "message",
    phoneId,
    arrival: arrival(),
    id: `wamid.${count}`,
    at: at(secondsAgo),
    from,
    content: { kind: "text", text },
    replyTo: null,
    fromAdvertisement: false
  })
  const prefers = (marketing: "stop" | "resume", secondsAgo: number, from = result): ContactEvent => ({
    kind: "preference",
    phoneId,
    arrival: arrival(),
    at: at(secondsAgo),
    from,
    marketing
  })
  return { organization, says, prefers }
})

const tell = (organization: Organization, ...events: ReadonlyArray<ContactEvent>) =>
  transact(applyMessages("whatsapp", events)).pipe(asOperatorOf(organization))

const onlyContact = (organization: Organization) =>
  Effect.flatMap(readStage(organization), ({ contacts: [contact, ...others] }) => {
    assert.isEmpty(others)
    return contact === undefined ? assert.fail("There is no contact.") : Effect.succeed(contact)
  })

const consentOf = (organization: Organization, input: NewContact) =>
  Effect.map(createContact(input).pipe(asOperatorOf(organization), Effect.orDie), ({ consent }) => consent)

describe("an opt-out that is kept", () => {
  for (const leave of [deleteContact, eraseContact]) {
    test("applies to the writer and ends only with the writer's later consent", () =>
      Effect.gen(function* () {
        const { organization, prefers, says } = yield* given
        const inside = asOperatorOf(organization)
        yield* tell(organization, says("stop", 100))
        yield* leave({ id: (yield* onlyContact(organization)).id, ifVersion: null }).pipe(inside)
        yield* tell(organization, says("Hello", 50), prefers("resume", 101))
        const back = yield* onlyContact(organization)
        assert.deepStrictEqual(
          { ...back.consent },
          { marketing: "unsubscribed", source: "suppression_list", changedAt: at(100) }
        )
        assert.strictEqual(
          yield* tagOf(updateContact({ id: back.id, marketing: { state: "subscribed" }, ifVersion: null })).pipe(
            inside
          ),
          "ContactOptedOut"
        )
        yield* tell(organization, prefers("resume", 99))
        assert.strictEqual((yield* onlyContact(organization)).consent.marketing, "subscribed")
        yield* leave({ id: back.id, ifVersion: null }).pipe(inside)
        assert.strictEqual((yield* consentOf(organization, { phone })).marketing, "unknown")
      }))
  }

  test("applies to all identities of the person, including later ones", () =>
    Effect.gen(function* () {
      const { organization, prefers, says } = yield* given
      const inside = asOperatorOf(organization)
      const known = yield* givenContact(organization, { phone, email: "ada@example.org" })
      yield* tell(organization, prefers("stop", 100, { ...result, chatUser: "" }))
      yield* tell(organization, says("Hello", 50))
      yield* updateContact({
        id: known.id,
        email: null,
        phone: null,
        removeIdentities: [{ kind: "chat_user", value: "DE.1" }],
        name: "Ada",
        ifVersion: null
      }).pipe(inside)
      for (const input of [
        { phone },
        { email: "ada@example.org" },
        { identities: [{ kind: "chat_user", value: "DE.1" }] }
      ] as const) {
        assert.strictEqual((yield* consentOf(organization, input)).marketing, "unsubscribed")
      }
    }))

  test("of a later identity ends an entry of another member, but not the person's later consent", () =>
    Effect.gen(function* () {
      const { organization, prefers, says } = yield* given
      const inside = asOperatorOf(organization)
      const leaver = yield* givenContact(organization, { phone, marketing: { state: "unsubscribed" } })
      yield* deleteContact({ id: leaver.id, ifVersion: null }).pipe(inside)
      const marketing = { state: "subscribed" } as const
      const claimed = yield* givenContact(organization, {
        identities: [{ kind: "chat_user", value: "DE.1" }],
        marketing
      })
      yield* TestClock.adjust("1 hour")
      yield* tell(organization, says("Hello", 0))
      assert.strictEqual((yield* getContact({ id: claimed.id }).pipe(inside)).consent.source, "suppression_list")

      const other = yield* givenContact(organization, { identities: [{ kind: "chat_user", value: "DE.2" }] })
      const otherPhone = { ...result, phone: "+491701234562", chatUser: "DE.2" }
      const gone = yield* givenContact(organization, { phone: otherPhone.phone, marketing: { state: "unsubscribed" } })
      yield* deleteContact({ id: gone.id, ifVersion: null }).pipe(inside)
      yield* TestClock.adjust("1 hour")
      const resumed = { ...prefers("resume", 0, { ...otherPhone, phone: "" }), at: yield* DateTime.now }
      yield* tell(organization, resumed)
      yield* tell(organization, says("Hello", 0, otherPhone))
      assert.strictEqual((yield* getContact({ id: other.id }).pipe(inside)).consent.marketing, "subscribed")
      yield* deleteContact({ id: other.id, ifVersion: null }).pipe(inside)
      assert.strictEqual((yield* consentOf(organization, { phone: otherPhone.phone })).marketing, "unknown")
    }))
})
