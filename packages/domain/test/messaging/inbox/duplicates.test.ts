import { assert, describe, it } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { InboundDeliveryId, type Organization } from "@parley/domain/platform"
import {
  CrmEvent,
  type Contact,
  deleteContact,
  dismissDuplicate,
  eraseContact,
  getContact,
  listDuplicates,
  mergeContacts,
  unmergeContacts,
  updateContact
} from "@parley/domain/crm"
import { applyMessages, type ContactEvent } from "@parley/domain/messaging"
import { exportContact } from "@parley/domain/composition"
import { among, asOperatorOf, givenContact, givenOrganization } from "@parley/testkit"
import { Arbitrary, DateTime, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { ledgerOf, timelineOf } from "../../crm/traces.ts"
import { importAll } from "../../crm/importing.ts"
import { tagOf } from "../../tagOf.ts"
import { alone, eventsIn, givenChatAccount, givenConversation, test } from "./given.ts"
import { retold, seeds, storyEnd } from "./story.ts"
import { readStage } from "./telling.ts"

const phone = "+491701234561"
const user = { kind: "chat_user", value: "DE.1" } as const
const both = { phone, chatUser: user.value, name: null }
const [byPhone, byUser] = [
  { ...both, chatUser: null },
  { ...both, phone: null }
]
type Way = typeof both | typeof byPhone | typeof byUser

const all = { limit: 100, cursor: null }

const isCrmEvent = Schema.is(CrmEvent)

const given = Effect.gen(function* () {
  yield* TestClock.setTime(DateTime.toEpochMillis(storyEnd))
  const organization = yield* givenOrganization({ plan: "scale" })
  const account = yield* givenChatAccount(organization)
  let count = 0
  const result = (from: Way, secondsAgo: number) => ({
    phoneId: account.externalPhoneId,
    at: DateTime.subtract(storyEnd, { seconds: secondsAgo }),
    from,
    arrival: {
      deliveryId: InboundDeliveryId.make("01990000-0000-7000-8000-000000000001"),
      at: storyEnd,
      position: (count += 1)
    }
  })
  const says = (from: Way, secondsAgo = 100, text = "Hello"): ContactEvent => ({
    ...result(from, secondsAgo),
    kind: "message",
    id: `wamid.${(count += 1)}`,
    content: { kind: "text", text },
    replyTo: null,
    fromAdvertisement: false
  })
  const prefers = (marketing: "stop" | "resume", from: Way, secondsAgo: number): ContactEvent => ({
    ...result(from, secondsAgo),
    kind: "preference",
    marketing
  })
  return { organization, inside: asOperatorOf(organization), account, says, prefers }
})

const tell = (organization: Organization, ...events: ReadonlyArray<ContactEvent>) =>
  transact(applyMessages("whatsapp", events)).pipe(asOperatorOf(organization))

const read = (organization: Organization, { id }: Pick<Contact, "id">) =>
  getContact({ id }).pipe(asOperatorOf(organization), Effect.orDie)

const duplicatesOf = (organization: Organization, { id }: Pick<Contact, "id">) =>
  listDuplicates({ id, page: all }).pipe(
    asOperatorOf(organization),
    Effect.orDie,
    Effect.map(({ data }) => data)
  )

/** Two people who have both been written with, one by number and one by user id. */
const givenTwo = Effect.gen(function* () {
  const stage = yield* given
  const { account, organization } = stage
  const numbered = yield* givenContact(organization, { phone, name: "Ada" })
  const named = yield* givenContact(organization, { identities: [user], name: "A. King" })
  for (const contact of [numbered, named]) yield* givenConversation(organization, contact, account)
  return { ...stage, numbered, named }
})

const typesIn = (organization: Organization) =>
  Effect.map(eventsIn(organization), (events) => events.map(({ type }) => type))

describe("two contacts whom the provider tells as one", () => {
  test("are merged if either contact has no history, and can be separated permanently", () =>
    Effect.gen(function* () {
      const { account, inside, organization, says } = yield* given
      const older = yield* givenContact(organization, { phone, name: "Ada", email: "ada@example.org" })
      yield* TestClock.adjust("1 minute")
      const newer = yield* givenContact(organization, { identities: [user], name: "A. King" })
      yield* givenConversation(organization, newer, account)
      yield* tell(organization, says(both))
      const joined = yield* read(organization, older)
      assert.deepStrictEqual(
        joined.identities.map(({ value }) => value),
        [phone, "ada@example.org", user.value]
      )
      const { contacts, conversations } = yield* readStage(organization)
      assert.lengthOf(contacts, 1)
      assert.deepStrictEqual(
        conversations.map(({ contactId, inboundCount }) => [contactId, inboundCount]),
        [[older.id, 1]]
      )
      assert.deepStrictEqual(yield* timelineOf(organization, older.id), ["merged"])
      assert.notInclude(yield* typesIn(organization), "contact.duplicate_found")
      assert.deepStrictEqual(yield* duplicatesOf(organization, older), [])

      const merged = (yield* eventsIn(organization)).filter(isCrmEvent).find((event) => event.type === "contact.merged")
      if (merged?.type !== "contact.merged") return assert.fail("They were not merged.")
      yield* unmergeContacts({ id: older.id, mergeId: merged.mergeId, ifVersion: null }).pipe(inside)
      yield* tell(organization, says(both))
      assert.lengthOf((yield* readStage(organization)).contacts, 2)
      assert.deepStrictEqual(yield* duplicatesOf(organization, older), [])
    }))

  test("are proposed once with the evidence if both have messages", () =>
    Effect.gen(function* () {
      const { inside, named, numbered, organization, says } = yield* givenTwo
      for (const event of [says(both), says(both)]) yield* tell(organization, event)
      const [duplicate, ...others] = yield* duplicatesOf(organization, numbered)
      assert.isEmpty(others)
      assert.deepStrictEqual(
        [duplicate?.contact.id, duplicate?.source, duplicate?.identity, duplicate?.otherIdentity, duplicate?.foundAt],
        [named.id, "chat", { kind: "phone", value: phone }, user, storyEnd]
      )
      assert.deepStrictEqual(
        (yield* eventsIn(organization)).filter(({ type }) => type === "contact.duplicate_found"),
        [{ type: "contact.duplicate_found", contactId: named.id, otherId: numbered.id, source: "chat" }]
      )
      const { duplicates } = yield* exportContact({ id: named.id }).pipe(inside)
      assert.deepStrictEqual(
        duplicates.map(({ contact }) => contact.id),
        [numbered.id]
      )
      const { mergeId } = yield* mergeContacts({ id: numbered.id, contactId: named.id, ifVersion: null }).pipe(inside)
      assert.deepStrictEqual(yield* duplicatesOf(organization, numbered), [])
      yield* unmergeContacts({ id: numbered.id, mergeId, ifVersion: null }).pipe(inside)
      yield* tell(organization, says(both))
      assert.deepStrictEqual(yield* duplicatesOf(organization, numbered), [])
    }))

  test("are proposed where they are known by different identities of one kind", () =>
    Effect.gen(function* () {
      const { organization, says } = yield* given
      const numbered = yield* givenContact(organization, { phone })
      const named = yield* givenContact(organization, { identities: [user], phone: "+491701234999" })
      yield* tell(organization, says(both))
      assert.lengthOf(yield* duplicatesOf(organization, numbered), 1)
      assert.lengthOf(yield* duplicatesOf(organization, named), 1)
    }))

  test("are not proposed again after a member separated them, except for new evidence", () =>
    Effect.gen(function* () {
      const { inside, named, numbered, organization, says } = yield* givenTwo
      assert.strictEqual(
        yield* tagOf(dismissDuplicate({ id: numbered.id, otherId: named.id })).pipe(inside),
        "NotFound"
      )
      yield* tell(organization, says(both))
      yield* dismissDuplicate({ id: numbered.id, otherId: named.id }).pipe(inside)
      assert.strictEqual(
        yield* tagOf(dismissDuplicate({ id: numbered.id, otherId: named.id })).pipe(inside),
        "NotFound"
      )
      yield* tell(organization, says(both))
      assert.deepStrictEqual(yield* duplicatesOf(organization, named), [])
      yield* updateContact({
        id: numbered.id,
        addIdentities: [{ kind: "phone", value: "+491701234888" }],
        ifVersion: null
      }).pipe(inside)
      yield* tell(organization, says({ ...both, phone: "+491701234888" }))
      assert.lengthOf(yield* duplicatesOf(organization, named), 1)
      const elsewhere = asOperatorOf(yield* givenOrganization())
      assert.strictEqual(
        yield* tagOf(dismissDuplicate({ id: numbered.id, otherId: named.id })).pipe(elsewhere),
        "NotFound"
      )
      assert.strictEqual(yield* tagOf(listDuplicates({ id: numbered.id, page: all })).pipe(elsewhere), "NotFound")
    }))

  for (const leave of [deleteContact, eraseContact]) {
    test("are no duplicates after the deletion of one", () =>
      Effect.gen(function* () {
        const { inside, named, numbered, organization, says } = yield* givenTwo
        yield* tell(organization, says(both))
        yield* leave({ id: named.id, ifVersion: null }).pipe(inside)
        assert.deepStrictEqual(yield* duplicatesOf(organization, numbered), [])
        const again = yield* givenContact(organization, { identities: [user] })
        assert.deepStrictEqual(yield* duplicatesOf(organization, again), [])
      }))
  }

  test("are proposed by a row of a file that is about both", () =>
    Effect.gen(function* () {
      const { organization } = yield* given
      const numbered = yield* givenContact(organization, { phone })
      const other = yield* givenContact(organization, {
        identities: [{ kind: "external", value: "x-1" }],
        marketing: { state: "unsubscribed" }
      })
      const file = `phone,external\r\n${phone},x-1`
      yield* importAll(organization, file, { dryRun: true })
      assert.deepStrictEqual(yield* duplicatesOf(organization, numbered), [])
      const { counts } = yield* importAll(organization, file)
      assert.deepInclude(counts, { rows: 1, bad: 1 })
      const [duplicate] = yield* duplicatesOf(organization, other)
      assert.deepStrictEqual([duplicate?.source, duplicate?.contact.id], ["import", numbered.id])
      assert.strictEqual((yield* read(organization, numbered)).consent.marketing, "unsubscribed")
    }))
})

describe("an opt-out of a possible duplicate", () => {
  const states = (organization: Organization, ...contacts: ReadonlyArray<Contact>) =>
    Effect.forEach(contacts, (contact) =>
      Effect.map(read(organization, contact), ({ consent }) => `${consent.marketing} ${consent.source}`)
    )

  test("counts for both from when they are found, and later ones too", () =>
    Effect.gen(function* () {
      const { inside, named, numbered, organization, says } = yield* givenTwo
      yield* updateContact({ id: named.id, marketing: { state: "subscribed" }, ifVersion: null }).pipe(inside)
      yield* tell(organization, says(byPhone, 50, "stop"))
      assert.deepStrictEqual(yield* states(organization, numbered, named), [
        "unsubscribed chat_keyword",
        "subscribed api"
      ])
      yield* tell(organization, says(both))
      assert.deepStrictEqual(yield* states(organization, numbered, named), [
        "unsubscribed chat_keyword",
        "unsubscribed duplicate"
      ])
      assert.deepStrictEqual((yield* ledgerOf(organization, named.id)).at(-1)?.slice(0, 3), [
        "unsubscribed",
        "duplicate",
        `contact ${numbered.id}`
      ])
      assert.strictEqual(
        yield* tagOf(updateContact({ id: named.id, marketing: { state: "subscribed" }, ifVersion: null })).pipe(inside),
        "ContactOptedOut"
      )
      const { contact } = yield* mergeContacts({ id: named.id, contactId: numbered.id, ifVersion: null }).pipe(inside)
      assert.strictEqual(contact.consent.source, "chat_keyword")
    }))

  test("that is said while they are proposed counts for both, and is over for both with the person's own later word", () =>
    Effect.gen(function* () {
      const { named, numbered, organization, prefers, says } = yield* givenTwo
      yield* tell(organization, says(both))
      yield* tell(organization, prefers("stop", byUser, 50))
      assert.deepStrictEqual(yield* states(organization, numbered, named), [
        "unsubscribed duplicate",
        "unsubscribed chat_preferences"
      ])
      yield* tell(organization, prefers("resume", byUser, 40))
      assert.deepStrictEqual(yield* states(organization, numbered, named), [
        "unknown not_duplicate",
        "subscribed chat_preferences"
      ])
    }))

  test("counts for its own contact only, once they are said to be two", () =>
    Effect.gen(function* () {
      const { inside, named, numbered, organization, says } = yield* givenTwo
      yield* updateContact({ id: named.id, marketing: { state: "subscribed" }, ifVersion: null }).pipe(inside)
      yield* tell(organization, says(both))
      yield* updateContact({ id: numbered.id, marketing: { state: "unsubscribed" }, ifVersion: null }).pipe(inside)
      assert.deepStrictEqual(yield* states(organization, numbered, named), [
        "unsubscribed api",
        "unsubscribed duplicate"
      ])
      yield* dismissDuplicate({ id: numbered.id, otherId: named.id }).pipe(inside)
      assert.deepStrictEqual(yield* states(organization, numbered, named), [
        "unsubscribed api",
        "subscribed not_duplicate"
      ])
    }))
})

describe("deliveries in any order and any batches", () => {
  const ways = among([both, byPhone, byUser])
  const drawn = { seed: seeds, tellings: Arbitrary.array(ways, { minLength: 1, maxLength: 5 }), stops: ways }

  interface Drawn {
    readonly seed: number
    readonly tellings: ReadonlyArray<Way>
    readonly stops: Way
  }

  const world = (knows: "nobody" | "details" | "activity", { seed, stops, tellings }: Drawn) =>
    alone(
      Effect.gen(function* () {
        const { account, organization, says } = yield* given
        const known = knows === "nobody" ? null : yield* givenContact(organization, { phone, name: "Ada" })
        if (known !== null && knows === "activity") yield* givenConversation(organization, known, account)
        const events = [...tellings.map((from) => says(from)), says(both), says(stops, 5, "stop")]
        for (const batch of retold(events, seed)) yield* tell(organization, ...batch)
        const { contacts, messages } = yield* readStage(organization)
        return { contacts, count: events.length, messages, known }
      })
    )

  // By number alone, the known contact would get the messages, so both could have messages before they are reported as
  // one.
  const namedWays = among([both, byUser])

  it.effect.prop(
    "move completely to one contact that was known by details only",
    { ...drawn, tellings: Arbitrary.array(namedWays, { minLength: 1, maxLength: 5 }), stops: namedWays },
    (values) =>
      Effect.map(world("details", values), ({ contacts, count, known, messages }) => {
        assert.deepStrictEqual(
          contacts.map(({ consent, id }) => [id, consent.marketing]),
          [[known?.id, "unsubscribed"]]
        )
        assert.lengthOf(messages, count)
      }),
    { arbitrary: { runs: 60, seed: "joined" } }
  )

  it.effect.prop(
    "lose no message and no opt-out for any known contact",
    drawn,
    (values) =>
      Effect.gen(function* () {
        for (const knows of ["nobody", "activity"] as const) {
          const { contacts, count, messages } = yield* world(knows, values)
          assert.lengthOf(messages, count)
          assert.isAtMost(contacts.length, 2)
          for (const { consent } of contacts) assert.strictEqual(consent.marketing, "unsubscribed")
        }
      }),
    { arbitrary: { runs: 40, seed: "shared" } }
  )
})
