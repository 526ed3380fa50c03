import { assert, layer } from "@effect/vitest"
import { AuditLog, type Organization } from "@parley/domain/platform"
import {
  type Contact,
  ContactId,
  deleteContact,
  eraseContact,
  getContact,
  getTag,
  mergeContacts,
  tagContact,
  unmergeContacts,
  updateContact
} from "@parley/domain/crm"
import { exportContact, readTimeline } from "@parley/domain/composition"
import { asOperatorOf, givenContact, givenOrganization, givenTag, TestKit } from "@parley/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { tagOf } from "../tagOf.ts"
import { auditOf, eventsOf, ledgerOf, timelineOf, traced } from "./traces.ts"

const nobody = ContactId.make("01990000-0000-7000-8000-00000000dead")

const details = {
  name: "Ada Lovelace",
  phone: "+491701234567",
  email: "ada@example.org",
  identities: [{ kind: "external", value: "crm-17" }],
  marketing: { state: "subscribed", evidence: "Signed by Ada" }
} as const

/** Identifying data of a person in the trail or the events. */
const knownIn = (organization: Organization, contact: Contact) =>
  Effect.gen(function* () {
    const everything = JSON.stringify([yield* auditOf(organization), yield* eventsOf(organization)])
    return [contact.name, contact.phone, contact.email, ...contact.identities.map(({ value }) => value)].filter(
      (text) => text !== null && everything.includes(text)
    )
  })

layer(TestKit.layer)("a deleted contact", (it) => {
  it.effect("is deleted with its tags and identities; its marketing consent stays", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const tag = yield* givenTag(organization)
      const before = yield* givenContact(organization, { ...details, tags: [tag.id] })
      assert.strictEqual(yield* tagOf(deleteContact({ id: before.id, ifVersion: 2 })).pipe(inside), "VersionConflict")
      const { audit, events } = yield* traced(organization, deleteContact({ id: before.id, ifVersion: 1 })).pipe(inside)
      assert.deepStrictEqual(events, [{ type: "contact.deleted", contactId: before.id, erased: false }])
      assert.deepStrictEqual(
        audit.map(({ action, after, before, target }) => [action, target, before?.["name"], after]),
        [["contact.deleted", before.id, "Ada Lovelace", null]]
      )
      assert.strictEqual(yield* tagOf(getContact({ id: before.id })).pipe(inside), "NotFound")
      assert.strictEqual(yield* tagOf(deleteContact({ id: before.id, ifVersion: null })).pipe(inside), "NotFound")
      assert.strictEqual(
        yield* tagOf(readTimeline({ id: before.id, page: { limit: 5, cursor: null } })).pipe(inside),
        "NotFound"
      )
      assert.strictEqual((yield* getTag({ id: tag.id }).pipe(inside)).contactCount, 0)
      assert.lengthOf(yield* ledgerOf(organization, before.id), 1)
      assert.notStrictEqual((yield* givenContact(organization, details)).id, before.id)
    })
  )

  it.effect("is unknown in another organization", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { id } = yield* givenContact(organization, details)
      const elsewhere = asOperatorOf(yield* givenOrganization())
      for (const target of [id, nobody]) {
        assert.strictEqual(yield* tagOf(deleteContact({ id: target, ifVersion: null })).pipe(elsewhere), "NotFound")
        assert.strictEqual(yield* tagOf(eraseContact({ id: target, ifVersion: null })).pipe(elsewhere), "NotFound")
        assert.strictEqual(yield* tagOf(exportContact({ id: target })).pipe(elsewhere), "NotFound")
      }
      assert.strictEqual((yield* getContact({ id }).pipe(asOperatorOf(organization))).version, 1)
    })
  )
})

layer(TestKit.layer)("an erased contact", (it) => {
  it.effect("leaves a record of the erasure without personal data", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const tag = yield* givenTag(organization)
      const before = yield* givenContact(organization, { ...details, tags: [tag.id] })
      yield* updateContact({ id: before.id, name: "Ada King", blocked: true, ifVersion: null }).pipe(inside)
      assert.strictEqual(yield* tagOf(eraseContact({ id: before.id, ifVersion: 1 })).pipe(inside), "VersionConflict")
      assert.isNotEmpty(yield* knownIn(organization, before))
      const { audit, events } = yield* traced(organization, eraseContact({ id: before.id, ifVersion: 2 })).pipe(inside)
      assert.deepStrictEqual(events, [{ type: "contact.deleted", contactId: before.id, erased: true }])
      assert.deepStrictEqual(audit, [{ action: "contact.erased", target: before.id, before: null, after: null }])
      assert.deepStrictEqual(yield* knownIn(organization, before), [])
      assert.deepStrictEqual(
        (yield* auditOf(organization)).filter(({ target }) => target === before.id),
        ["contact.created", "contact.updated", "contact.erased"].map((action) => ({
          action,
          target: before.id,
          before: null,
          after: null
        }))
      )
      assert.strictEqual(yield* tagOf(getContact({ id: before.id })).pipe(inside), "NotFound")
      assert.deepStrictEqual(yield* ledgerOf(organization, before.id), [])
      assert.deepStrictEqual(yield* timelineOf(organization, before.id), [])
      assert.strictEqual((yield* getTag({ id: tag.id }).pipe(inside)).contactCount, 0)
      assert.deepStrictEqual(
        yield* traced(organization, tagOf(eraseContact({ id: before.id, ifVersion: null }))).pipe(inside),
        {
          answer: "NotFound",
          audit: [],
          events: []
        }
      )
    })
  )

  it.effect("may have been deleted before", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const before = yield* givenContact(organization, details)
      yield* deleteContact({ id: before.id, ifVersion: null }).pipe(inside)
      const { events } = yield* traced(organization, eraseContact({ id: before.id, ifVersion: null })).pipe(inside)
      assert.deepStrictEqual(events, [{ type: "contact.deleted", contactId: before.id, erased: true }])
      assert.deepStrictEqual(yield* knownIn(organization, before), [])
      assert.deepStrictEqual(yield* ledgerOf(organization, before.id), [])
    })
  )

  it.effect("takes along all who became a part of it, in the trail too", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const [outer, middle, inner] = [
        yield* givenContact(organization, { name: "Outer", email: "outer@example.org" }),
        yield* givenContact(organization, { name: "Middle", email: "middle@example.org" }),
        yield* givenContact(organization, { ...details, name: "Inner" })
      ]
      const first = yield* mergeContacts({ id: middle.id, contactId: inner.id, ifVersion: null }).pipe(inside)
      const second = yield* mergeContacts({ id: outer.id, contactId: middle.id, ifVersion: null }).pipe(inside)
      yield* eraseContact({ id: outer.id, ifVersion: null }).pipe(inside)
      for (const contact of [outer, middle, inner]) {
        assert.deepStrictEqual(yield* knownIn(organization, contact), [])
        assert.deepStrictEqual(yield* ledgerOf(organization, contact.id), [])
      }
      for (const { mergeId } of [first, second]) {
        assert.strictEqual(
          yield* tagOf(unmergeContacts({ id: outer.id, mergeId, ifVersion: null })).pipe(inside),
          "NotFound"
        )
      }
    })
  )

  it.effect("cannot be deleted while it is part of a merged contact, whose data would remain", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const [outer, middle, inner] = [
        yield* givenContact(organization, { name: "Outer" }),
        yield* givenContact(organization, { name: "Middle" }),
        yield* givenContact(organization, details)
      ]
      yield* mergeContacts({ id: middle.id, contactId: inner.id, ifVersion: null }).pipe(inside)
      const { mergeId } = yield* mergeContacts({ id: outer.id, contactId: middle.id, ifVersion: null }).pipe(inside)
      for (const { id } of [middle, inner]) {
        assert.deepStrictEqual(yield* traced(organization, tagOf(eraseContact({ id, ifVersion: null }))).pipe(inside), {
          answer: "NotFound",
          audit: [],
          events: []
        })
      }
      yield* unmergeContacts({ id: outer.id, mergeId, ifVersion: null }).pipe(inside)
      assert.strictEqual(yield* tagOf(eraseContact({ id: middle.id, ifVersion: null })).pipe(inside), "ok")
      assert.deepStrictEqual(yield* knownIn(organization, inner), [])
    })
  )

  it.effect("leaves those alone who had been parted from it", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const one = yield* givenContact(organization, { name: "One" })
      const other = yield* givenContact(organization, details)
      const { mergeId } = yield* mergeContacts({ id: one.id, contactId: other.id, ifVersion: null }).pipe(inside)
      yield* unmergeContacts({ id: one.id, mergeId, ifVersion: null }).pipe(inside)
      yield* eraseContact({ id: one.id, ifVersion: null }).pipe(inside)
      assert.strictEqual((yield* getContact({ id: other.id }).pipe(inside)).name, "Ada Lovelace")
      assert.lengthOf(yield* ledgerOf(organization, other.id), 1)
    })
  )
})

layer(TestKit.layer)("the data of a contact", (it) => {
  it.effect("is exported completely, with an audit entry", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const tag = yield* givenTag(organization)
      const { id } = yield* givenContact(organization, details)
      const other = yield* givenContact(organization, { name: "Ada L." })
      yield* tagContact({ id, tags: [tag.id] }).pipe(inside)
      yield* updateContact({ id, blocked: true, marketing: { state: "unsubscribed" }, ifVersion: null }).pipe(inside)
      const { mergeId } = yield* mergeContacts({ id, contactId: other.id, ifVersion: null }).pipe(inside)
      const { answer, audit, events } = yield* traced(organization, exportContact({ id })).pipe(inside)
      assert.deepStrictEqual(answer.contact, yield* getContact({ id }).pipe(inside))
      assert.deepStrictEqual(
        answer.tags.map((each) => [each.id, each.name]),
        [[tag.id, tag.name]]
      )
      assert.deepStrictEqual(
        answer.consents.map(({ evidence, state }) => [state, evidence]),
        [
          ["unsubscribed", null],
          ["subscribed", "Signed by Ada"]
        ]
      )
      assert.deepStrictEqual(
        answer.timeline.map(({ kind }) => kind),
        ["merged", "blocked", "consent", "consent"]
      )
      assert.deepStrictEqual(
        answer.merges.map((merge) => [merge.id, merge.merged.id]),
        [[mergeId, other.id]]
      )
      assert.deepStrictEqual(
        answer.audit.map(({ action }) => action),
        ["contact.merged", "contact.updated", "contact.tagged", "contact.created", "contact.created"]
      )
      assert.isTrue(answer.complete)
      assert.deepStrictEqual(audit, [{ action: "contact.exported", target: id, before: null, after: null }])
      assert.deepStrictEqual(events, [])
    })
  )

  it.effect("is marked incomplete above the size limit", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const { id } = yield* givenContact(organization)
      const real = yield* AuditLog
      const much = AuditLog.of({
        ...real,
        list: (filter, slice) =>
          Effect.map(real.list(filter, slice), (events) =>
            Array.from({ length: slice.limit }, () => events[0]).filter((event) => event !== undefined)
          )
      })
      const exported = yield* exportContact({ id }).pipe(Effect.provideService(AuditLog, much), inside)
      assert.deepStrictEqual([exported.complete, exported.audit.length], [false, 10_000])
    })
  )

  it.effect("is listed newest first in pages, for that contact only", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const [{ id }, other] = [yield* givenContact(organization), yield* givenContact(organization, details)]
      for (const patch of [
        { blocked: true },
        { marketing: { state: "subscribed", source: "form", evidence: "yes" } },
        { blocked: false }
      ] as const) {
        yield* TestClock.adjust("1 second")
        yield* updateContact({ id, ...patch, ifVersion: null }).pipe(inside)
      }
      const page = (of: ContactId, cursor: string | null) =>
        readTimeline({ id: of, page: { limit: 2, cursor } }).pipe(inside)
      const one = yield* page(id, null)
      const two = yield* page(id, one.nextCursor)
      const entries = [...one.data, ...two.data]
      assert.deepStrictEqual(
        entries.map(({ kind }) => kind),
        ["unblocked", "consent", "blocked"]
      )
      assert.isNull(two.nextCursor)
      for (const entry of entries) assert.strictEqual("actor" in entry && entry.actor.kind, "operator")
      const consent = entries[1]
      assert.deepStrictEqual(
        consent?.kind === "consent" ? [consent.state, consent.source, consent.evidence] : consent?.kind,
        ["subscribed", "form", "yes"]
      )
      assert.strictEqual(yield* tagOf(page(other.id, one.nextCursor)), "CursorInvalid")
      assert.strictEqual(yield* tagOf(page(nobody, null)), "NotFound")
    })
  )
})
