import { assert, it as plainly, layer } from "@effect/vitest"
import type { Organization } from "@parley/domain/platform"
import {
  changeContacts,
  createContact,
  deleteContact,
  eraseContact,
  getContact,
  mergeContacts,
  NewConsent,
  type NewContact,
  reservedSources,
  reencryptSuppressions,
  Suppressions,
  unmergeContacts,
  updateContact,
  upsertContactByPhone
} from "@parley/domain/crm"
import { asOperatorOf, givenContact, givenOrganization, TestKit } from "@parley/testkit"
import { DateTime, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { tagOf } from "../tagOf.ts"
import { faultLines, importAll } from "./importing.ts"
import { ledgerOf, traced } from "./traces.ts"

const phone = "+5511987654321"

const details = {
  phone,
  email: "ada@example.org",
  identities: [
    { kind: "chat_user", value: "BR.1" },
    { kind: "store_customer", value: "s-1" },
    { kind: "external", value: "x-1" }
  ]
} as const

const optedOut: NewContact = { ...details, marketing: { state: "unsubscribed", source: "link" } }

/** All identities that the person can return with, with phones in another spelling. */
const ways: ReadonlyArray<readonly [string, NewContact]> = [
  ["phone", { phone: "+551187654321" }],
  ["email", { email: details.email }],
  ...details.identities.map((identity) => [identity.kind, { identities: [identity] }] as const)
]

const start = DateTime.makeUnsafe("2026-03-01T08:00:00Z")

/** An organization with an opted-out contact. The clock is an hour later. */
const given = Effect.gen(function* () {
  yield* TestClock.setTime(DateTime.toEpochMillis(start))
  const organization = yield* givenOrganization()
  const contact = yield* givenContact(organization, optedOut)
  yield* TestClock.adjust("1 hour")
  return { organization, contact, inside: asOperatorOf(organization) }
})

const suppressed = { marketing: "unsubscribed", source: "suppression_list", changedAt: start } as const

const stateOf = (organization: Organization, input: NewContact) =>
  Effect.map(createContact(input).pipe(asOperatorOf(organization), Effect.orDie), ({ consent }) => consent.marketing)

layer(TestKit.layer)("an opt-out", (it) => {
  for (const [how, leave] of [
    ["deleted", deleteContact],
    ["erased", eraseContact]
  ] as const) {
    it.effect.each(ways)(`counts for whoever comes by the %s of a contact that was ${how}`, ([, input]) =>
      Effect.gen(function* () {
        const { contact, inside, organization } = yield* given
        yield* leave({ id: contact.id, ifVersion: null }).pipe(inside)
        const { answer, events } = yield* traced(organization, createContact(input).pipe(inside))
        assert.deepStrictEqual(answer.consent, suppressed)
        assert.deepStrictEqual(events, [{ type: "contact.created", contactId: answer.id }])
        assert.deepStrictEqual(yield* getContact({ id: answer.id }).pipe(inside), answer)
        assert.deepStrictEqual(yield* ledgerOf(organization, answer.id), [
          ["unsubscribed", "suppression_list", null, "2026-03-01T08:00:00.000Z"]
        ])
        assert.strictEqual(yield* stateOf(yield* givenOrganization(), input), "unknown")
      })
    )
  }

  it.effect("applies to later contacts after a bulk deletion", () =>
    Effect.gen(function* () {
      const { contact, inside, organization } = yield* given
      const other = yield* givenContact(organization, { email: "grace@example.org" })
      const target = { ids: [contact.id, other.id] }
      yield* changeContacts({ change: { action: "delete" }, target }).pipe(inside)
      assert.strictEqual(yield* stateOf(organization, { phone }), "unsubscribed")
      assert.strictEqual(yield* stateOf(organization, { email: "grace@example.org" }), "unknown")
    })
  )

  it.effect("can be reversed by the person only, in each way", () =>
    Effect.gen(function* () {
      const { contact, inside, organization } = yield* given
      yield* deleteContact({ id: contact.id, ifVersion: null }).pipe(inside)
      const claims = (["subscribed", "unknown"] as const).map((state) => ({
        marketing: { state, source: "form", evidence: "They said so on the phone." }
      }))
      for (const claim of claims) {
        assert.strictEqual(yield* tagOf(createContact({ phone, ...claim })).pipe(inside), "ContactOptedOut")
        assert.strictEqual(yield* tagOf(upsertContactByPhone({ phone, ...claim })).pipe(inside), "ContactOptedOut")
      }
      const back = yield* createContact({ phone }).pipe(inside)
      for (const claim of claims) {
        assert.strictEqual(
          yield* tagOf(updateContact({ id: back.id, ...claim, ifVersion: null })).pipe(inside),
          "ContactOptedOut"
        )
        assert.strictEqual(yield* tagOf(upsertContactByPhone({ phone, ...claim })).pipe(inside), "ContactOptedOut")
        const { answer } = yield* traced(
          organization,
          changeContacts({ change: { action: "consent", ...claim }, target: { ids: [back.id] } }).pipe(inside)
        )
        assert.deepStrictEqual(answer, { kind: "done", result: { matched: 1, changed: 0, missing: [] } })
      }
      assert.deepStrictEqual(yield* getContact({ id: back.id }).pipe(inside), back)
    })
  )

  it.effect("entered by a member can be corrected by members while the contact exists", () =>
    Effect.gen(function* () {
      const { contact, inside } = yield* given
      const { consent } = yield* updateContact({
        id: contact.id,
        marketing: { state: "subscribed" },
        ifVersion: null
      }).pipe(inside)
      assert.strictEqual(consent.marketing, "subscribed")
    })
  )

  it.effect("stays after its identity is removed, and applies to another contact with it", () =>
    Effect.gen(function* () {
      const { contact, inside, organization } = yield* given
      const moved = { phone: "+4915112345678", email: "else@example.org", removeIdentities: [details.identities[0]] }
      yield* updateContact({ id: contact.id, ...moved, ifVersion: null }).pipe(inside)
      assert.strictEqual(yield* stateOf(organization, { email: details.email }), "unsubscribed")
      const other = yield* givenContact(organization, { name: "Grace", marketing: { state: "subscribed" } })
      const { answer, events } = yield* traced(
        organization,
        updateContact({ id: other.id, phone, ifVersion: null }).pipe(inside)
      )
      assert.deepStrictEqual([answer.consent.marketing, answer.consent.source], ["unsubscribed", "suppression_list"])
      assert.deepInclude(events, {
        type: "contact.consent_changed",
        contactId: other.id,
        purpose: "marketing",
        from: "subscribed",
        to: "unsubscribed"
      })
      const third = yield* givenContact(organization, { name: "Joan" })
      const marketing = { state: "subscribed" } as const
      assert.strictEqual(
        yield* tagOf(
          updateContact({ id: third.id, addIdentities: [details.identities[0]], marketing, ifVersion: null })
        ).pipe(inside),
        "ContactOptedOut"
      )
      assert.deepStrictEqual(yield* getContact({ id: third.id }).pipe(inside), third)
    })
  )

  it.effect("of a merged contact applies to all identities, and returns to the separated one", () =>
    Effect.gen(function* () {
      const { contact, inside, organization } = yield* given
      const other = yield* givenContact(organization, { email: "grace@example.org" })
      const { mergeId } = yield* mergeContacts({ id: other.id, contactId: contact.id, ifVersion: null }).pipe(inside)
      yield* updateContact({ id: other.id, removeIdentities: [{ kind: "phone", value: phone }], ifVersion: null }).pipe(
        inside
      )
      const { contact: left, restored } = yield* unmergeContacts({ id: other.id, mergeId, ifVersion: null }).pipe(
        inside
      )
      assert.deepStrictEqual([left.consent.marketing, restored.consent.marketing], ["unknown", "unsubscribed"])
      yield* mergeContacts({ id: other.id, contactId: contact.id, ifVersion: null }).pipe(inside)
      yield* eraseContact({ id: other.id, ifVersion: null }).pipe(inside)
      for (const [, input] of ways) assert.strictEqual(yield* stateOf(organization, input), "unsubscribed")
      assert.strictEqual(yield* stateOf(organization, { email: "grace@example.org" }), "unsubscribed")
    })
  )

  it.effect("stands against an import, which says how many it stood against", () =>
    Effect.gen(function* () {
      const { contact, inside, organization } = yield* given
      yield* deleteContact({ id: contact.id, ifVersion: null }).pipe(inside)
      const text = [
        "name,phone,email,external,marketing",
        "Ada,+551187654321,,,subscribed",
        "Ada King,+5511987654321,,,subscribed",
        "Grace,,grace@example.org,,subscribed",
        "Joan,,joan@example.org,x-1,"
      ].join("\r\n")
      for (const dryRun of [true, false]) {
        const done = yield* importAll(organization, text, { dryRun })
        assert.deepInclude(done.counts, { rows: 4, created: 3, updated: 1, bad: 0, suppressed: 3 })
        assert.deepStrictEqual(yield* faultLines(organization, done), [])
      }
      const again = yield* importAll(organization, "phone,marketing\r\n+5511987654321,unknown")
      assert.deepInclude(again.counts, { rows: 1, updated: 0, unchanged: 1, suppressed: 1 })
    }).pipe(Effect.scoped)
  )

  it.effect("is kept by the number that an import has replaced", () =>
    Effect.gen(function* () {
      const { organization } = yield* given
      yield* importAll(organization, "external,phone\r\nx-1,+4915112345678")
      assert.strictEqual(yield* stateOf(organization, { phone }), "unsubscribed")
    })
  )

  it.effect("is kept as a digest by a key of the organization, which outlives what seals it", () =>
    Effect.gen(function* () {
      const { contact, inside, organization } = yield* given
      const suppressions = yield* Suppressions
      assert.isFalse(yield* reencryptSuppressions().pipe(inside))
      yield* deleteContact({ id: contact.id, ifVersion: null }).pipe(inside)
      const sealed = yield* suppressions.key().pipe(inside)
      assert.isTrue(yield* reencryptSuppressions().pipe(inside))
      assert.notStrictEqual(yield* suppressions.key().pipe(inside), sealed)
      assert.strictEqual(yield* stateOf(organization, { phone }), "unsubscribed")
    })
  )

  plainly("cannot be taken for the person's own word by a source that only Parley gives", () => {
    const isConsent = Schema.is(NewConsent)
    for (const source of reservedSources) assert.isFalse(isConsent({ state: "subscribed", source }), source)
    for (const source of ["chat", "chat_keyword 2", "Duplicate", "form"]) {
      assert.isTrue(isConsent({ state: "subscribed", source }), source)
    }
  })
})
