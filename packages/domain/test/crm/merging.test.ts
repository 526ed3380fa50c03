import { assert, layer } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import {
  Contact,
  ContactHistory,
  ContactId,
  ContactMergeId,
  Contacts,
  createContact,
  deleteContact,
  deleteContactField,
  deleteTag,
  type FieldType,
  getContact,
  mergeContacts,
  defaultTagColor,
  Tag,
  tagContact,
  TagId,
  Tags,
  unmergeContacts,
  updateContact
} from "@parley/domain/crm"
import {
  asOperatorOf,
  crowds,
  givenContact,
  givenContactField,
  givenOrganization,
  givenTag,
  TestKit
} from "@parley/testkit"
import { Arbitrary, DateTime, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { tagOf } from "../tagOf.ts"
import { ledgerOf, substance, timelineOf, traced } from "./traces.ts"

const idOf = (at: number) => `01990000-0000-7000-8000-${String(at).padStart(12, "0")}`

const tagIds = [1, 2, 3].map((at) => TagId.make(idOf(at)))

const counter = () => {
  let count = 100
  return () => ContactId.make(idOf(count++))
}

const fields: ReadonlyArray<readonly [string, FieldType]> = [
  ["city", "text"],
  ["constructor", "text"],
  ["score", "number"],
  ["vip", "boolean"],
  ["born", "date"]
]

/** An organization with these contacts, and the tags and fields that the crowds have. */
const givenCrowd = Effect.fnUntraced(function* (crowd: ReadonlyArray<Contact>) {
  const organization = yield* givenOrganization()
  const now = yield* DateTime.now
  for (const [key, type] of fields) yield* givenContactField(organization, key, { type })
  yield* Effect.gen(function* () {
    const [contacts, tags] = [yield* Contacts, yield* Tags]
    for (const id of tagIds) {
      yield* tags.insert(
        new Tag({ id, name: id, color: defaultTagColor, contactCount: 0, createdAt: now, updatedAt: now, version: 1 })
      )
    }
    yield* contacts.insert(crowd)
  }).pipe(transact, asOperatorOf(organization), Effect.orDie)
  return organization
})

/** This number of contacts; some may be equal except for their identities. */
const people = (count: number) =>
  Arbitrary.map(
    crowds(count, tagIds, () => ContactId.make(idOf(0))),
    (crowd) => {
      const next = counter()
      return crowd.map((contact) => new Contact({ ...contact, id: next() }))
    }
  )

const read = (organization: Organization, id: ContactId) =>
  getContact({ id }).pipe(asOperatorOf(organization), Effect.orDie)

const merge = (organization: Organization, one: Contact, other: Contact) =>
  mergeContacts({ id: one.id, contactId: other.id, ifVersion: null }).pipe(asOperatorOf(organization), Effect.orDie)

const unmerge = (organization: Organization, one: Contact, mergeId: ContactMergeId) =>
  unmergeContacts({ id: one.id, mergeId, ifVersion: null }).pipe(asOperatorOf(organization), Effect.orDie)

/** Normalizes the content for comparison. */
const plain = (contact: Contact) => {
  const { attributes, ...rest } = substance(contact)
  return { ...rest, attributes: { ...attributes } }
}

/** Values that no crowd has: a later input must differ from the merged values. */
const patches = Schema.Struct({
  name: Schema.optionalKey(Schema.NullOr(Schema.Literal("Somebody Else"))),
  phone: Schema.optionalKey(Schema.NullOr(Schema.Literal("+4915112345678"))),
  email: Schema.optionalKey(Schema.NullOr(Schema.Literal("else@example.org"))),
  addIdentities: Schema.optionalKey(
    Schema.Tuple([Schema.Struct({ kind: Schema.Literal("external"), value: Schema.Literal("else") })])
  ),
  locale: Schema.optionalKey(Schema.NullOr(Schema.Literal("is"))),
  timezone: Schema.optionalKey(Schema.NullOr(Schema.Literal("Asia/Tokyo"))),
  attributes: Schema.optionalKey(
    Schema.Struct({
      city: Schema.optionalKey(Schema.NullOr(Schema.Literal("Reykjavík"))),
      score: Schema.optionalKey(Schema.NullOr(Schema.Literal(4711)))
    })
  ),
  marketing: Schema.optionalKey(
    Schema.Struct({ state: Schema.Literals(["subscribed", "unsubscribed", "unknown"]), evidence: Schema.Literal("x") })
  )
})

layer(TestKit.layer)("a merge", (it) => {
  it.effect.prop(
    "loses nothing of either, and undone gives both back as they were",
    { crowd: people(2) },
    ({ crowd }) =>
      Effect.gen(function* () {
        const [one, other] = crowd
        if (one === undefined || other === undefined) return assert.fail()
        const organization = yield* givenCrowd(crowd)
        const { contact, mergeId } = yield* merge(organization, one, other)
        assert.deepStrictEqual(contact, yield* read(organization, one.id))
        assert.strictEqual(yield* tagOf(getContact({ id: other.id })).pipe(asOperatorOf(organization)), "NotFound")

        for (const each of [one, other]) {
          for (const identity of each.identities) assert.deepInclude(contact.identities, identity)
          assert.includeMembers(Array.from(contact.tags), Array.from(each.tags))
          assert.includeMembers(Object.keys(contact.attributes), Object.keys(each.attributes))
          for (const field of ["name", "phone", "email", "locale", "timezone", "blockedAt"] as const) {
            if (each[field] !== null) assert.deepStrictEqual(contact[field], one[field] ?? other[field])
          }
          for (const field of ["lastSeenAt", "lastInboundAt"] as const) {
            const [mine, now] = [each[field], contact[field]]
            if (mine !== null) assert.isTrue(now !== null && DateTime.isGreaterThanOrEqualTo(now, mine))
          }
          if (each.consent.marketing === "unsubscribed") assert.strictEqual(contact.consent.marketing, "unsubscribed")
        }
        assert.deepStrictEqual({ ...contact.attributes }, { ...other.attributes, ...one.attributes })

        const { contact: left, restored } = yield* unmerge(organization, one, mergeId)
        assert.deepStrictEqual([plain(left), plain(restored)], [plain(one), plain(other)])
        assert.deepStrictEqual(yield* read(organization, one.id), left)
        assert.deepStrictEqual(yield* read(organization, other.id), restored)
        assert.isAbove(left.version, contact.version)
        assert.isAbove(restored.version, other.version)
        assert.isEmpty(yield* ledgerOf(organization, other.id))
      }),
    { arbitrary: { runs: 60, seed: "pairs" } }
  )

  it.effect.prop(
    "undone after a change leaves the change, as if the other one had never been there, and the other one as it was",
    { crowd: people(2), patch: patches },
    ({ crowd, patch }) =>
      Effect.gen(function* () {
        const [one, other] = crowd
        if (one === undefined || other === undefined) return assert.fail()
        const [organization, alone] = [yield* givenCrowd(crowd), yield* givenCrowd([one])]
        const { mergeId } = yield* merge(organization, one, other)
        const changes = [organization, alone].map((place) =>
          tagOf(updateContact({ id: one.id, ...patch, ifVersion: null })).pipe(asOperatorOf(place))
        )
        const outcomes = yield* Effect.all(changes)
        if (outcomes.some((outcome) => outcome !== "ok")) return
        const { contact, restored } = yield* unmerge(organization, one, mergeId)
        assert.deepStrictEqual(plain(contact), plain(yield* read(alone, one.id)))
        const isRefusal = patch.marketing?.state === "unsubscribed"
        const { consent, ...rest } = plain(restored)
        const { consent: consentBefore, ...restBefore } = plain(other)
        assert.deepStrictEqual(rest, restBefore)
        // An identity that is removed from an opted-out contact keeps the opt-out.
        const isSuppressed = consent.source === "suppression_list"
        if (isSuppressed) {
          assert.include([one.consent.marketing, other.consent.marketing], "unsubscribed")
          assert.isTrue(patch.phone !== undefined || patch.email !== undefined)
        } else assert.deepStrictEqual(consent, isRefusal ? contact.consent : consentBefore)
        assert.lengthOf(yield* ledgerOf(organization, other.id), isRefusal || isSuppressed ? 1 : 0)
      }),
    { arbitrary: { runs: 80, seed: "between" } }
  )

  it.effect.prop(
    "can be undone in any order without an effect on the remaining merges",
    {
      crowd: people(4),
      order: Schema.Literals(["012", "021", "102", "120", "201", "210"]),
      pause: Schema.Literals([0, 1])
    },
    ({ crowd, order, pause }) =>
      Effect.gen(function* () {
        const [survivor, ...others] = crowd
        if (survivor === undefined) return assert.fail()
        const organization = yield* givenCrowd(crowd)
        const merges = yield* Effect.forEach(others, (other) =>
          Effect.map(merge(organization, survivor, other), ({ mergeId }) => ({ other, mergeId }))
        )
        let standing = merges
        for (const index of Array.from(order, Number)) {
          const undone = merges[index]
          if (undone === undefined) return assert.fail()
          yield* TestClock.adjust(pause)
          standing = standing.filter((each) => each !== undone)
          const { contact, restored } = yield* unmerge(organization, survivor, undone.mergeId)
          assert.deepStrictEqual(plain(restored), plain(undone.other))
          const elsewhere = yield* givenCrowd([survivor, ...standing.map(({ other }) => other)])
          for (const { other } of standing) yield* merge(elsewhere, survivor, other)
          assert.deepStrictEqual(plain(contact), plain(yield* read(elsewhere, survivor.id)))
        }
        assert.deepStrictEqual(plain(yield* read(organization, survivor.id)), plain(survivor))
      }),
    { arbitrary: { runs: 50, seed: "stacks" } }
  )

  it.effect.prop(
    "of a contact that has others in it takes them along, and gives them back with it",
    { crowd: people(3) },
    ({ crowd }) =>
      Effect.gen(function* () {
        const [inner, middle, outer] = crowd
        if (inner === undefined || middle === undefined || outer === undefined) return assert.fail()
        const organization = yield* givenCrowd(crowd)
        const first = yield* merge(organization, middle, inner)
        const second = yield* merge(organization, outer, middle)
        for (const identity of inner.identities) assert.deepInclude(second.contact.identities, identity)
        assert.strictEqual(
          yield* tagOf(unmergeContacts({ id: outer.id, mergeId: first.mergeId, ifVersion: null })).pipe(
            asOperatorOf(organization)
          ),
          "NotFound"
        )
        const { contact, restored } = yield* unmerge(organization, outer, second.mergeId)
        assert.deepStrictEqual([plain(contact), plain(restored)], [plain(outer), plain(first.contact)])
        const apart = yield* unmerge(organization, middle, first.mergeId)
        assert.deepStrictEqual([plain(apart.contact), plain(apart.restored)], [plain(middle), plain(inner)])
      }),
    { arbitrary: { runs: 30, seed: "nests" } }
  )

  const pair = Effect.gen(function* () {
    const organization = yield* givenOrganization()
    const one = yield* givenContact(organization, { name: "Ada", identities: [{ kind: "external", value: "one" }] })
    const other = yield* givenContact(organization, {
      name: "Ada L.",
      phone: "+491701234567",
      email: "ada@example.org",
      identities: [{ kind: "external", value: "other" }]
    })
    return { organization, one, other, inside: asOperatorOf(organization) }
  })

  it.effect("moves the history and records itself without identities", () =>
    Effect.gen(function* () {
      const { inside, one, organization, other } = yield* pair
      yield* updateContact({ id: one.id, marketing: { state: "subscribed" }, ifVersion: null }).pipe(inside)
      yield* updateContact({ id: other.id, blocked: true, marketing: { state: "unsubscribed" }, ifVersion: null }).pipe(
        inside
      )
      yield* TestClock.adjust("1 minute")
      const merged = yield* traced(organization, mergeContacts({ id: one.id, contactId: other.id, ifVersion: 2 })).pipe(
        inside
      )
      const { contact, mergeId } = merged.answer
      assert.deepStrictEqual(merged.events, [
        { type: "contact.merged", contactId: one.id, mergedId: other.id, mergeId }
      ])
      assert.deepStrictEqual(merged.audit, [
        { action: "contact.merged", target: one.id, before: null, after: { contactId: other.id, mergeId } }
      ])
      assert.deepStrictEqual(yield* timelineOf(organization, one.id), ["consent", "consent", "blocked", "merged"])
      assert.deepStrictEqual(yield* timelineOf(organization, other.id), [])
      assert.strictEqual(contact.consent.marketing, "unsubscribed")

      yield* updateContact({ id: one.id, blocked: false, ifVersion: null }).pipe(inside)
      const unmerged = yield* traced(organization, unmergeContacts({ id: one.id, mergeId, ifVersion: null })).pipe(
        inside
      )
      assert.deepStrictEqual(unmerged.events, [
        { type: "contact.unmerged", contactId: one.id, restoredId: other.id, mergeId }
      ])
      assert.deepStrictEqual(
        unmerged.audit.map(({ action, target }) => [action, target]),
        [["contact.unmerged", one.id]]
      )
      assert.deepStrictEqual(yield* timelineOf(organization, one.id), ["consent", "merged", "unblocked", "unmerged"])
      assert.deepStrictEqual(yield* timelineOf(organization, other.id), ["consent", "blocked"])
      assert.isNotNull(unmerged.answer.restored.blockedAt)
    })
  )

  it.effect("needs two contacts of the organization, at the expected version", () =>
    Effect.gen(function* () {
      const { inside, one, organization, other } = yield* pair
      const stranger = yield* givenContact(yield* givenOrganization())
      const outcome = (id: ContactId, otherId: ContactId, version: number | null) =>
        Effect.map(
          traced(organization, Effect.flip(mergeContacts({ id, contactId: otherId, ifVersion: version }))),
          ({ answer, audit, events }) => {
            assert.deepStrictEqual([audit, events], [[], []])
            return answer._tag === "NotFound" || answer._tag === "ValidationFailed"
              ? [answer._tag, answer._tag === "NotFound" ? answer.pointer : answer.errors[0]?.pointer]
              : [answer._tag]
          }
        ).pipe(inside)
      assert.deepStrictEqual(yield* outcome(one.id, one.id, null), ["ValidationFailed", "/contactId"])
      assert.deepStrictEqual(yield* outcome(one.id, stranger.id, null), ["NotFound", "/contactId"])
      assert.deepStrictEqual(yield* outcome(stranger.id, one.id, null), ["NotFound", undefined])
      assert.deepStrictEqual(yield* outcome(one.id, other.id, 7), ["VersionConflict"])
    })
  )

  it.effect("is undone once, from any survivor, at the expected version", () =>
    Effect.gen(function* () {
      const { inside, one, organization, other } = yield* pair
      const third = yield* givenContact(organization)
      const { contact, mergeId } = yield* merge(organization, one, other)
      const nobodys = ContactMergeId.make(idOf(999))
      const tags = yield* Effect.forEach(
        [
          unmergeContacts({ id: one.id, mergeId, ifVersion: contact.version - 1 }),
          unmergeContacts({ id: third.id, mergeId, ifVersion: null }),
          unmergeContacts({ id: one.id, mergeId: nobodys, ifVersion: null }),
          unmergeContacts({ id: other.id, mergeId, ifVersion: null }),
          unmergeContacts({ id: one.id, mergeId, ifVersion: contact.version }),
          unmergeContacts({ id: one.id, mergeId, ifVersion: null })
        ],
        tagOf
      ).pipe(inside)
      assert.deepStrictEqual(tags, ["VersionConflict", "NotFound", "NotFound", "NotFound", "ok", "MergeUndone"])
      const elsewhere = asOperatorOf(yield* givenOrganization())
      assert.strictEqual(
        yield* tagOf(unmergeContacts({ id: one.id, mergeId, ifVersion: null })).pipe(elsewhere),
        "NotFound"
      )
    })
  )

  it.effect("cannot be undone while another contact has an identity of the merged one; nothing changes", () =>
    Effect.gen(function* () {
      const { inside, one, organization, other } = yield* pair
      const { mergeId } = yield* merge(organization, one, other)
      yield* updateContact({
        id: one.id,
        removeIdentities: [{ kind: "external", value: "other" }],
        ifVersion: null
      }).pipe(inside)
      const thief = yield* givenContact(organization, { identities: [{ kind: "external", value: "other" }] })
      const before = yield* read(organization, one.id)
      const { answer, audit, events } = yield* traced(
        organization,
        Effect.flip(unmergeContacts({ id: one.id, mergeId, ifVersion: null }))
      ).pipe(inside)
      assert.deepStrictEqual(answer._tag === "ContactExists" ? [answer.kind, answer.contactId] : answer._tag, [
        "external",
        thief.id
      ])
      assert.deepStrictEqual([audit, events, yield* read(organization, one.id)], [[], [], before])
      const history = yield* ContactHistory
      assert.isNull((yield* history.getMerge(mergeId).pipe(inside)).undoneAt)
      yield* deleteContact({ id: thief.id, ifVersion: null }).pipe(inside)
      assert.strictEqual(yield* tagOf(unmergeContacts({ id: one.id, mergeId, ifVersion: null })).pipe(inside), "ok")
    })
  )

  it.effect("gives back no tag and no value of a field that was deleted in between", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const [kept, gone] = [yield* givenTag(organization), yield* givenTag(organization)]
      const city = yield* givenContactField(organization, "city")
      yield* givenContactField(organization, "score", { type: "number" })
      const one = yield* givenContact(organization)
      const other = yield* givenContact(organization, {
        tags: [kept.id, gone.id].toSorted(),
        attributes: { city: "Rome", score: 5 }
      })
      const { mergeId } = yield* merge(organization, one, other)
      yield* deleteTag({ id: gone.id, ifVersion: null }).pipe(inside)
      yield* deleteContactField({ id: city.id, ifVersion: null }).pipe(inside)
      const { contact, restored } = yield* unmerge(organization, one, mergeId)
      assert.deepStrictEqual([contact.tags, restored.tags, { ...restored.attributes }], [[], [kept.id], { score: 5 }])
    })
  )

  it.effect("leaves tags that the survivor had itself, and those it got since", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const [both, brought, later] = [
        yield* givenTag(organization),
        yield* givenTag(organization),
        yield* givenTag(organization)
      ]
      const one = yield* givenContact(organization, { tags: [both.id] })
      const other = yield* givenContact(organization, { tags: [both.id, brought.id].toSorted() })
      const { mergeId } = yield* merge(organization, one, other)
      yield* tagContact({ id: one.id, tags: [later.id] }).pipe(inside)
      const { contact, restored } = yield* unmerge(organization, one, mergeId)
      assert.deepStrictEqual(contact.tags, [both.id, later.id].toSorted())
      assert.deepStrictEqual(restored.tags, other.tags)
    })
  )

  it.effect("keeps an opt-out for both, because its owner is unknown", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const input = { marketing: { state: "subscribed" } } as const
      const [one, other] = [yield* givenContact(organization, input), yield* givenContact(organization, input)]
      const { mergeId } = yield* merge(organization, one, other)
      yield* TestClock.adjust("1 minute")
      yield* updateContact({ id: one.id, marketing: { state: "unsubscribed", source: "link" }, ifVersion: null }).pipe(
        inside
      )
      yield* TestClock.adjust("1 minute")
      const { contact, restored } = yield* unmerge(organization, one, mergeId)
      assert.deepStrictEqual([contact.consent.marketing, restored.consent.marketing], ["unsubscribed", "unsubscribed"])
      for (const { id } of [one, other]) {
        assert.deepStrictEqual(
          (yield* ledgerOf(organization, id)).map(([state, source]) => [state, source]),
          [
            ["subscribed", "api"],
            ["unsubscribed", "link"]
          ]
        )
      }
    })
  )

  it.effect("is not undone if the survivor would have no identity", () =>
    Effect.gen(function* () {
      const { inside, organization, other } = yield* pair
      const one = yield* givenContact(organization, { name: null, identities: [{ kind: "chat_user", value: "1" }] })
      const { mergeId } = yield* merge(organization, one, other)
      yield* updateContact({ id: one.id, removeIdentities: [{ kind: "chat_user", value: "1" }], ifVersion: null }).pipe(
        inside
      )
      assert.strictEqual(
        yield* tagOf(unmergeContacts({ id: one.id, mergeId, ifVersion: null })).pipe(inside),
        "ValidationFailed"
      )
      yield* updateContact({ id: one.id, name: "Grace", ifVersion: null }).pipe(inside)
      const { contact } = yield* unmerge(organization, one, mergeId)
      assert.strictEqual(contact.name, "Grace")
    })
  )

  it.effect("is refused where the identities would be too many", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const twenty = (word: string) =>
        Array.from({ length: 20 }, (_, at) => ({ kind: "external" as const, value: `${word} ${at}` }))
      const three = yield* Effect.forEach(["a", "b", "c"], (word) =>
        createContact({ identities: twenty(word) }).pipe(inside)
      )
      const [a, b, c] = three
      if (a === undefined || b === undefined || c === undefined) return assert.fail()
      yield* merge(organization, a, b)
      assert.strictEqual(
        yield* tagOf(mergeContacts({ id: a.id, contactId: c.id, ifVersion: null })).pipe(inside),
        "ValidationFailed"
      )
      assert.lengthOf((yield* read(organization, a.id)).identities, 40)
    })
  )
})
