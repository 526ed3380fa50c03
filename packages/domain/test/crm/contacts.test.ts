import { assert, layer } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { plans } from "@parley/domain/platform"
import {
  Contact,
  ContactId,
  type ContactPatch,
  Contacts,
  createContact,
  deleteContactField,
  getContact,
  NewContact,
  isSameIdentity,
  TagId,
  updateContact,
  updateContactField,
  upsertContactByPhone,
  type ContactIdentity
} from "@parley/domain/crm"
import { asOperatorOf, givenContact, givenContactField, givenOrganization, givenTag, TestKit } from "@parley/testkit"
import { DateTime, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { tagOf } from "../tagOf.ts"
import { ledgerOf, substance, timelineOf, traced } from "./traces.ts"

const german = "+491701234567"
const brazilian = "+5511987654321"
const argentine = "+541123456789"
const argentineMobile = "+5491123456789"

const nobody = ContactId.make("01990000-0000-7000-8000-00000000dead")
const nobodysTag = TagId.make("01990000-0000-7000-8000-00000000dead")

const faultsOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) =>
    "errors" in error && Array.isArray(error.errors)
      ? error.errors.map((fault: { readonly pointer: string }) => fault.pointer)
      : error._tag
  )

const givenFields = Effect.fnUntraced(function* (organization: Parameters<typeof givenContactField>[0]) {
  return {
    city: yield* givenContactField(organization, "city"),
    score: yield* givenContactField(organization, "score", { type: "number" }),
    vip: yield* givenContactField(organization, "vip", { type: "boolean" }),
    born: yield* givenContactField(organization, "born", { type: "date" }),
    size: yield* givenContactField(organization, "size", { type: "enum", choices: ["S", "M"] })
  }
})

layer(TestKit.layer)("a new contact", (it) => {
  it.effect("equals its normalized input and is found by its identities", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const tags = [yield* givenTag(organization), yield* givenTag(organization)]
      yield* givenFields(organization)
      const input = yield* Schema.decodeEffect(NewContact)({
        name: "Ada",
        phone: " +55 (11) 8765-4321 ",
        email: " ADA@Example.ORG ",
        identities: [{ kind: "external", value: "Crm-17" }],
        locale: "pt-BR",
        timezone: "America/Sao_Paulo",
        attributes: { city: "São Paulo", score: 1.5, vip: false, born: "1815-12-10", size: "M" },
        tags: tags.map(({ id }) => id).toReversed(),
        marketing: { state: "subscribed", source: "fair", evidence: "Card 5" }
      })
      const { answer, audit, events } = yield* traced(organization, createContact(input)).pipe(
        asOperatorOf(organization)
      )
      const now = yield* DateTime.now
      const entry = { source: "api", addedAt: now } as const
      assert.deepStrictEqual(
        { ...answer },
        {
          id: answer.id,
          name: "Ada",
          phone: brazilian,
          email: "ada@example.org",
          username: null,
          identities: [
            { kind: "phone", value: brazilian, ...entry },
            { kind: "email", value: "ada@example.org", ...entry },
            { kind: "external", value: "Crm-17", ...entry }
          ],
          locale: "pt-BR",
          timezone: "America/Sao_Paulo",
          attributes: { city: "São Paulo", score: 1.5, vip: false, born: "1815-12-10", size: "M" },
          tags: tags.map(({ id }) => id),
          consent: { marketing: "subscribed", source: "fair", changedAt: now },
          blockedAt: null,
          lastSeenAt: null,
          lastInboundAt: null,
          createdAt: now,
          updatedAt: now,
          version: 1
        }
      )
      assert.deepStrictEqual(yield* getContact({ id: answer.id }).pipe(asOperatorOf(organization)), answer)
      assert.deepStrictEqual(events, [{ type: "contact.created", contactId: answer.id }])
      assert.deepStrictEqual(
        audit.map(({ action, before, target }) => [action, target, before]),
        [["contact.created", answer.id, null]]
      )
      assert.deepStrictEqual(yield* ledgerOf(organization, answer.id), [
        ["subscribed", "fair", "Card 5", DateTime.formatIso(now)]
      ])
    })
  )

  it.effect("needs something to be recognized by", () =>
    Effect.gen(function* () {
      const inside = asOperatorOf(yield* givenOrganization())
      for (const input of [{}, { name: null, phone: null, email: null }, { locale: "en" }, { identities: [] }]) {
        assert.deepStrictEqual(yield* faultsOf(createContact(input)).pipe(inside), [""])
      }
      for (const input of [
        { name: "Ada" },
        { phone: german },
        { email: "ada@example.org" },
        { identities: [{ kind: "chat_user", value: "u1" }] as const }
      ]) {
        assert.strictEqual(yield* tagOf(createContact(input)).pipe(inside), "ok")
      }
    })
  )

  it.effect("with a known identity of any kind is refused without a trace", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const first = yield* givenContact(organization, {
        phone: argentine,
        email: "ada@example.org",
        identities: [
          { kind: "chat_user", value: "one" },
          { kind: "store_customer", value: "one" },
          { kind: "external", value: "one" }
        ]
      })
      const clashes = [
        ["phone", { phone: argentine }],
        ["phone", { phone: argentineMobile }],
        ["email", { email: "ada@example.org" }],
        ["chat_user", { identities: [{ kind: "chat_user", value: "one" }] }],
        ["store_customer", { identities: [{ kind: "store_customer", value: "one" }] }],
        ["external", { identities: [{ kind: "external", value: "one" }] }]
      ] as const
      for (const [kind, input] of clashes) {
        const { answer, audit, events } = yield* traced(
          organization,
          Effect.flip(createContact({ name: "Grace", marketing: { state: "subscribed" }, ...input }))
        ).pipe(inside)
        if (answer._tag !== "ContactExists") return assert.fail(answer._tag)
        assert.deepStrictEqual([answer.kind, answer.contactId, audit, events], [kind, first.id, [], []])
      }
      assert.strictEqual(yield* Effect.flatMap(Contacts, (contacts) => contacts.count()).pipe(inside), 1)
      for (const input of [
        { kind: "external", value: "ONE" },
        { kind: "external", value: "two" }
      ] as const) {
        assert.strictEqual(yield* tagOf(createContact({ identities: [input] })).pipe(inside), "ok")
      }
      const elsewhere = asOperatorOf(yield* givenOrganization())
      for (const [, input] of clashes.slice(1)) {
        assert.strictEqual(yield* tagOf(createContact({ name: "Grace", ...input })).pipe(elsewhere), "ok")
      }
    })
  )

  it.effect("validates the types of field values and names every error", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      yield* givenFields(organization)
      const wrong = { city: 5, score: "5", vip: "true", born: "2026-02-30", size: "XL", "a/b~c": 1, City: "x" }
      assert.deepStrictEqual(yield* faultsOf(createContact({ name: "Ada", attributes: wrong })).pipe(inside), [
        "/attributes/city",
        "/attributes/score",
        "/attributes/vip",
        "/attributes/born",
        "/attributes/size",
        "/attributes/a~1b~0c",
        "/attributes/City"
      ])
      const { attributes } = yield* createContact({ name: "Ada", attributes: { city: null, score: 0 } }).pipe(inside)
      assert.deepStrictEqual(attributes, { score: 0 })
    })
  )

  it.effect("has tags of the organization", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const [mine, others] = [yield* givenTag(organization), yield* givenTag(yield* givenOrganization())]
      for (const id of [others.id, nobodysTag]) {
        const error = yield* Effect.flip(createContact({ name: "Ada", tags: [mine.id, id] })).pipe(
          asOperatorOf(organization)
        )
        assert.deepStrictEqual(error._tag === "NotFound" ? [error.resource, error.pointer] : error._tag, [
          "tag",
          "/tags/1"
        ])
      }
    })
  )

  it.effect("finds room on the plan, or is refused and leaves nothing", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "free" })
      const inside = asOperatorOf(organization)
      const one = yield* givenContact(organization)
      const { contacts: most } = plans.free.limits
      const ids = Array.from({ length: most - 2 }, (_, at) =>
        ContactId.make(`01990000-0000-7000-8000-${String(at).padStart(12, "0")}`)
      )
      yield* Effect.flatMap(Contacts, (contacts) =>
        transact(contacts.insert(ids.map((id) => new Contact({ ...one, id }))))
      ).pipe(inside, Effect.orDie)
      assert.strictEqual(yield* tagOf(createContact({ phone: german })).pipe(inside), "ok")
      const { answer, audit, events } = yield* traced(organization, Effect.flip(createContact({ name: "Grace" }))).pipe(
        inside
      )
      assert.deepStrictEqual(
        answer._tag === "PlanLimitReached" ? [answer.limit, answer.current, answer.max] : answer._tag,
        ["contacts", most, most]
      )
      assert.deepStrictEqual([audit, events], [[], []])
      const [created, changed] = [
        yield* tagOf(upsertContactByPhone({ phone: brazilian })).pipe(inside),
        yield* tagOf(upsertContactByPhone({ phone: german, name: "Ada" })).pipe(inside)
      ]
      assert.deepStrictEqual([created, changed], ["PlanLimitReached", "ok"])
    })
  )
})

const phones = Schema.Literals([german, brazilian, argentine, argentineMobile])
const emails = Schema.Literals(["a@example.org", "b@example.org"])
const others = Schema.Union([
  Schema.Struct({ kind: Schema.Literals(["external", "chat_user"]), value: Schema.Literals(["1", "2"]) }),
  Schema.Struct({ kind: Schema.Literal("phone"), value: phones }),
  Schema.Struct({ kind: Schema.Literal("email"), value: emails })
])
const names = Schema.Literals(["Ada", "Grace"])

const somePatch = Schema.Struct({
  name: Schema.optionalKey(Schema.NullOr(names)),
  phone: Schema.optionalKey(Schema.NullOr(phones)),
  email: Schema.optionalKey(Schema.NullOr(emails)),
  addIdentities: Schema.optionalKey(Schema.Array(others).check(Schema.isMaxLength(3))),
  removeIdentities: Schema.optionalKey(Schema.Array(others).check(Schema.isMaxLength(3))),
  locale: Schema.optionalKey(Schema.NullOr(Schema.Literals(["en", "de"]))),
  attributes: Schema.optionalKey(
    Schema.Struct({
      city: Schema.optionalKey(Schema.NullOr(Schema.Literals(["Rome", "Oslo"]))),
      score: Schema.optionalKey(Schema.NullOr(Schema.Literals([0, 1])))
    })
  ),
  marketing: Schema.optionalKey(Schema.Struct({ state: Schema.Literals(["subscribed", "unsubscribed", "unknown"]) })),
  blocked: Schema.optionalKey(Schema.Boolean)
})

layer(TestKit.layer)("a change of a contact", (it) => {
  it.effect.prop(
    "does what it says and nothing else, keeps what the contact is known by in order, and does nothing when repeated",
    { patches: Schema.Array(somePatch).check(Schema.isBetweenLength(1, 6)) },
    ({ patches }) =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const inside = asOperatorOf(organization)
        yield* givenFields(organization)
        let before = yield* givenContact(organization, { phone: german, email: "a@example.org" })
        for (const patch of patches) {
          yield* TestClock.adjust("1 second")
          const call = updateContact({ id: before.id, ...patch, ifVersion: before.version }).pipe(inside)
          if ((yield* tagOf(call)) !== "ok") continue
          const after = yield* getContact({ id: before.id }).pipe(inside)

          for (const [at, identity] of after.identities.entries()) {
            const same = after.identities.findIndex((each) => isSameIdentity(each, identity))
            assert.strictEqual(same, at, "one subscriber twice")
          }
          for (const kind of ["phone", "email"] as const) {
            const held = after.identities.filter((each) => each.kind === kind).map(({ value }) => value)
            if (after[kind] !== null) assert.include(held, after[kind])
            if (patch[kind] !== undefined) assert.strictEqual(after[kind], patch[kind])
            if (patch[kind] === undefined && after[kind] === null)
              assert.isTrue(before[kind] === null || held.length === 0)
          }
          for (const field of ["name", "locale"] as const) {
            assert.strictEqual(after[field], patch[field] === undefined ? before[field] : patch[field])
          }
          for (const key of ["city", "score"] as const) {
            const input = patch.attributes?.[key]
            assert.strictEqual(
              after.attributes[key],
              input === undefined ? before.attributes[key] : (input ?? undefined)
            )
          }
          const input = patch.marketing?.state ?? before.consent.marketing
          // An identity that was removed during the opt-out restores the opt-out with its return.
          const isSuppressed = after.consent.source === "suppression_list"
          assert.strictEqual(after.consent.marketing, isSuppressed ? "unsubscribed" : input)
          if (isSuppressed && before.consent.source !== "suppression_list") {
            const had = (each: ContactIdentity) => before.identities.some((identity) => isSameIdentity(identity, each))
            assert.isFalse(after.identities.every(had))
          }
          assert.strictEqual(after.blockedAt !== null, patch.blocked ?? before.blockedAt !== null)
          for (const identity of before.identities) {
            const kept = after.identities.find((each) => isSameIdentity(each, identity))
            const isNamed =
              (identity.kind === "phone" && patch.phone !== undefined) ||
              (identity.kind === "email" && patch.email !== undefined) ||
              patch.removeIdentities?.some((each) => isSameIdentity(each, identity)) === true
            if (!isNamed) assert.deepStrictEqual(kept, identity)
          }

          yield* TestClock.adjust("1 second")
          const { answer, audit, events } = yield* traced(
            organization,
            updateContact({ id: after.id, ...patch, ifVersion: null })
          ).pipe(inside)
          assert.deepStrictEqual([answer, audit, events], [after, [], []])
          before = after
        }
      }),
    { arbitrary: { runs: 100, seed: "patches" } }
  )

  it.effect("keeps absent fields, clears null fields, and leaves other attributes", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      yield* givenFields(organization)
      const before = yield* givenContact(organization, {
        name: "Ada",
        phone: german,
        locale: "en",
        timezone: "UTC",
        attributes: { city: "Rome", score: 5 }
      })
      yield* TestClock.adjust("1 minute")
      const { answer, audit, events } = yield* traced(
        organization,
        updateContact({
          id: before.id,
          name: null,
          timezone: null,
          attributes: { city: null, vip: true },
          ifVersion: 1
        })
      ).pipe(inside)
      assert.deepStrictEqual(substance(answer), {
        ...substance(before),
        name: null,
        timezone: null,
        attributes: { score: 5, vip: true }
      })
      assert.deepStrictEqual([answer.version, answer.updatedAt], [2, yield* DateTime.now])
      assert.deepStrictEqual(audit, [
        {
          action: "contact.updated",
          target: before.id,
          before: { name: "Ada", timezone: "UTC", attributes: { city: "Rome", score: 5 } },
          after: { name: null, timezone: null, attributes: { score: 5, vip: true } }
        }
      ])
      assert.deepStrictEqual(events, [
        {
          type: "contact.updated",
          contactId: before.id,
          fields: ["name", "timezone", "attributes"],
          attributes: ["city", "vip"]
        }
      ])
    })
  )

  it.effect("that changes nothing leaves no trace", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      yield* givenFields(organization)
      const before = yield* givenContact(organization, {
        name: "Ada",
        phone: german,
        identities: [{ kind: "external", value: "1" }],
        attributes: { city: "Rome" },
        marketing: { state: "subscribed", evidence: "Form" }
      })
      yield* TestClock.adjust("1 minute")
      const patches: ReadonlyArray<ContactPatch> = [
        {},
        { name: "Ada", phone: german, email: null, locale: null },
        { attributes: {} },
        { attributes: { city: "Rome", score: null } },
        {
          addIdentities: [
            { kind: "external", value: "1" },
            { kind: "phone", value: german }
          ]
        },
        {
          removeIdentities: [
            { kind: "external", value: "2" },
            { kind: "phone", value: brazilian }
          ]
        },
        { marketing: { state: "subscribed", source: "elsewhere" } },
        { blocked: false }
      ]
      for (const patch of patches) {
        const { answer, audit, events } = yield* traced(
          organization,
          updateContact({ id: before.id, ...patch, ifVersion: 1 })
        ).pipe(inside)
        assert.deepStrictEqual([answer, audit, events], [before, [], []])
      }
      assert.lengthOf(yield* ledgerOf(organization, before.id), 1)
    })
  )

  it.effect("replaces the phone number that the contact has by a new one, and chooses among those it is known by", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const { id } = yield* givenContact(organization, { phone: german })
      const change = (patch: ContactPatch) =>
        Effect.map(updateContact({ id, ...patch, ifVersion: null }), (contact) => [
          contact.phone,
          contact.identities.map(({ value }) => value)
        ]).pipe(inside)
      yield* change({ addIdentities: [{ kind: "phone", value: argentine }] })
      assert.deepStrictEqual(yield* change({ phone: brazilian }), [brazilian, [argentine, brazilian]])
      assert.deepStrictEqual(yield* change({ phone: argentineMobile }), [argentineMobile, [brazilian, argentineMobile]])
      assert.deepStrictEqual(yield* change({ phone: brazilian }), [brazilian, [brazilian, argentineMobile]])
      assert.deepStrictEqual(yield* change({ phone: null }), [null, [argentineMobile]])
      assert.deepStrictEqual(yield* change({ locale: "en" }), [null, [argentineMobile]])
      assert.deepStrictEqual(yield* change({ addIdentities: [{ kind: "phone", value: german }] }), [
        german,
        [argentineMobile, german]
      ])
      assert.deepStrictEqual(yield* change({ removeIdentities: [{ kind: "phone", value: german }] }), [
        argentineMobile,
        [argentineMobile]
      ])
    })
  )

  it.effect("makes the first address of a contact without one its own", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { id } = yield* givenContact(organization, { name: "Ada" })
      const after = yield* updateContact({
        id,
        addIdentities: [
          { kind: "email", value: "a@example.org" },
          { kind: "phone", value: german }
        ],
        ifVersion: null
      }).pipe(asOperatorOf(organization))
      assert.deepStrictEqual([after.email, after.phone], ["a@example.org", german])
    })
  )

  it.effect("is refused if another contact has an added identity, without changes", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const holder = yield* givenContact(organization, {
        phone: argentine,
        email: "a@example.org",
        identities: [{ kind: "external", value: "1" }]
      })
      const before = yield* givenContact(organization, { name: "Grace", phone: german })
      const patches: ReadonlyArray<readonly [string, ContactPatch]> = [
        ["phone", { name: "X", phone: argentineMobile }],
        ["email", { name: "X", email: "a@example.org" }],
        ["external", { name: "X", addIdentities: [{ kind: "external", value: "1" }] }],
        [
          "phone",
          { blocked: true, marketing: { state: "subscribed" }, addIdentities: [{ kind: "phone", value: argentine }] }
        ]
      ]
      for (const [kind, patch] of patches) {
        const { answer, audit, events } = yield* traced(
          organization,
          Effect.flip(updateContact({ id: before.id, ...patch, ifVersion: null }))
        ).pipe(inside)
        if (answer._tag !== "ContactExists") return assert.fail(answer._tag)
        assert.deepStrictEqual([answer.kind, answer.contactId, audit, events], [kind, holder.id, [], []])
      }
      assert.deepStrictEqual(yield* getContact({ id: before.id }).pipe(inside), before)
      assert.deepStrictEqual(yield* timelineOf(organization, before.id), [])
    })
  )

  it.effect("is made at the expected version only, when one is expected", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const { id } = yield* givenContact(organization, { name: "Ada" })
      yield* updateContact({ id, name: "Grace", ifVersion: null }).pipe(inside)
      const error = yield* Effect.flip(updateContact({ id, name: "X", ifVersion: 1 })).pipe(inside)
      assert.strictEqual(error._tag === "VersionConflict" ? error.current : error._tag, 2)
      assert.strictEqual((yield* updateContact({ id, name: "X", ifVersion: 2 }).pipe(inside)).version, 3)
      assert.strictEqual(yield* tagOf(updateContact({ id: nobody, name: "X", ifVersion: 1 })).pipe(inside), "NotFound")
      const elsewhere = asOperatorOf(yield* givenOrganization())
      assert.strictEqual(yield* tagOf(updateContact({ id, name: "X", ifVersion: null })).pipe(elsewhere), "NotFound")
    })
  )

  it.effect("keeps at least one and at most fifty identities", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const { id } = yield* givenContact(organization, { name: null, phone: german })
      const change = (patch: ContactPatch) => updateContact({ id, ...patch, ifVersion: null }).pipe(inside)
      assert.deepStrictEqual(yield* faultsOf(change({ phone: null })), [""])
      assert.deepStrictEqual(yield* faultsOf(change({ removeIdentities: [{ kind: "phone", value: german }] })), [""])
      const twenty = (from: number) =>
        Array.from({ length: 20 }, (_, at) => ({ kind: "external" as const, value: String(from + at) }))
      yield* change({ addIdentities: twenty(0) })
      yield* change({ addIdentities: twenty(20) })
      assert.deepStrictEqual(yield* faultsOf(change({ addIdentities: twenty(40) })), [""])
      assert.lengthOf((yield* change({ addIdentities: twenty(40).slice(0, 9) })).identities, 50)
    })
  )

  it.effect("enters what is said about marketing into the ledger, which only grows", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const { id } = yield* givenContact(organization)
      const start = yield* DateTime.now
      const after = (minutes: number) => DateTime.formatIso(DateTime.add(start, { minutes }))
      const say = (marketing: NonNullable<ContactPatch["marketing"]>) =>
        Effect.gen(function* () {
          yield* TestClock.adjust("1 minute")
          const { answer, audit, events } = yield* traced(
            organization,
            updateContact({ id, marketing, ifVersion: null })
          )
          return { consent: answer.consent, version: answer.version, audit: audit.length, events }
        }).pipe(inside)
      const changed = (
        from: "subscribed" | "unsubscribed" | "unknown",
        to: "subscribed" | "unsubscribed" | "unknown"
      ) => [{ type: "contact.consent_changed" as const, contactId: id, purpose: "marketing" as const, from, to }]
      const first = yield* say({ state: "subscribed", source: "form" })
      assert.deepStrictEqual([first.version, first.audit, first.events], [2, 1, changed("unknown", "subscribed")])
      const repeated = yield* say({ state: "subscribed", source: "fair" })
      assert.deepStrictEqual([repeated.version, repeated.audit, repeated.events], [2, 0, []])
      const proved = yield* say({ state: "subscribed", source: "fair", evidence: "Card 5" })
      assert.deepStrictEqual([proved.version, proved.audit, proved.events], [3, 1, []])
      assert.deepStrictEqual([proved.consent.source, proved.consent.marketing], ["fair", "subscribed"])
      const left = yield* say({ state: "unsubscribed" })
      assert.deepStrictEqual([left.version, left.audit, left.events], [4, 1, changed("subscribed", "unsubscribed")])
      assert.deepStrictEqual(
        (yield* say({ state: "unknown", source: "mistake" })).events,
        changed("unsubscribed", "unknown")
      )
      assert.deepStrictEqual(yield* ledgerOf(organization, id), [
        ["subscribed", "form", null, after(1)],
        ["subscribed", "fair", "Card 5", after(3)],
        ["unsubscribed", "api", null, after(4)],
        ["unknown", "mistake", null, after(5)]
      ])
      assert.deepStrictEqual(yield* timelineOf(organization, id), ["consent", "consent", "consent", "consent"])
    })
  )

  it.effect("blocks and unblocks once, and says when and in the timeline", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const { id } = yield* givenContact(organization)
      const turn = (blocked: boolean) =>
        Effect.gen(function* () {
          yield* TestClock.adjust("1 minute")
          const { answer, audit, events } = yield* traced(organization, updateContact({ id, blocked, ifVersion: null }))
          return { at: answer.blockedAt, audit, events }
        }).pipe(inside)
      const first = yield* turn(true)
      const now = yield* DateTime.now
      assert.deepStrictEqual(first.at, now)
      assert.deepStrictEqual(first.events, [{ type: "contact.updated", contactId: id, fields: ["blocked"] }])
      assert.deepStrictEqual(
        first.audit.map(({ after, before }) => [before, after]),
        [[{ blocked: false }, { blocked: true }]]
      )
      assert.deepStrictEqual(yield* turn(true), { at: now, audit: [], events: [] })
      assert.isNull((yield* turn(false)).at)
      yield* turn(false)
      assert.deepStrictEqual(yield* timelineOf(organization, id), ["blocked", "unblocked"])
    })
  )

  it.effect("cannot write into a field that is being deleted; a choice that went stays where it is", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const { city, size } = yield* givenFields(organization)
      const { id } = yield* givenContact(organization, { attributes: { city: "Rome", size: "S" } })
      yield* updateContactField({ id: size.id, choices: ["M", "L"], ifVersion: null }).pipe(inside)
      const change = (attributes: NonNullable<ContactPatch["attributes"]>) =>
        updateContact({ id, attributes, ifVersion: null }).pipe(inside)
      assert.deepStrictEqual((yield* change({ city: "Oslo" })).attributes, { city: "Oslo", size: "S" })
      assert.deepStrictEqual(yield* faultsOf(change({ size: "S" })), ["/attributes/size"])
      yield* deleteContactField({ id: city.id, ifVersion: null }).pipe(inside)
      for (const value of ["Rome", null]) {
        assert.deepStrictEqual(yield* faultsOf(change({ city: value })), ["/attributes/city"])
      }
      assert.deepStrictEqual(yield* faultsOf(createContact({ name: "X", attributes: { city: "Rome" } }).pipe(inside)), [
        "/attributes/city"
      ])
    })
  )
})

layer(TestKit.layer)("an upsert by phone number", (it) => {
  it.effect("adds an unknown contact, changes a known one in every spelling, and reports which", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const [one, two] = [yield* givenTag(organization), yield* givenTag(organization)]
      const upsert = (phone: string, input: Omit<Parameters<typeof upsertContactByPhone>[0], "phone">) =>
        traced(organization, upsertContactByPhone({ phone, ...input })).pipe(inside)
      const first = yield* upsert("+54 11 2345-6789", { name: "Ada", tags: [one.id] })
      assert.deepStrictEqual(
        [first.answer.created, first.answer.contact.phone, first.answer.contact.tags],
        [true, argentine, [one.id]]
      )
      const second = yield* upsert(argentineMobile, { locale: "es", tags: [two.id] })
      const { contact } = second.answer
      assert.deepStrictEqual(
        [second.answer.created, contact.id, contact.name, contact.phone, contact.locale, contact.tags],
        [false, first.answer.contact.id, "Ada", argentine, "es", [one.id, two.id].toSorted()]
      )
      assert.deepStrictEqual(second.events, [
        { type: "contact.updated", contactId: contact.id, fields: ["locale"] },
        { type: "contact.tagged", contactId: contact.id, tagIds: [two.id] }
      ])
      const third = yield* upsert(argentine, { name: "Ada", locale: "es", tags: [one.id, two.id] })
      assert.deepStrictEqual([third.answer.contact, third.audit, third.events], [contact, [], []])
    })
  )

  it.effect("finds a contact by a number that is not its first", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const { id } = yield* givenContact(organization, { phone: german })
      yield* updateContact({ id, addIdentities: [{ kind: "phone", value: brazilian }], ifVersion: null }).pipe(inside)
      const { contact, created } = yield* upsertContactByPhone({ phone: "+55 11 8765-4321", name: "Grace" }).pipe(
        inside
      )
      assert.deepStrictEqual([created, contact.id, contact.name, contact.phone], [false, id, "Grace", german])
    })
  )

  it.effect("refuses invalid phone numbers, identities of others, and unknown tags", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      yield* givenContact(organization, { email: "a@example.org" })
      yield* givenContact(organization, { phone: german })
      for (const typed of ["", "0170 1234567", "+1", "ada"]) {
        assert.deepStrictEqual(yield* faultsOf(upsertContactByPhone({ phone: typed })).pipe(inside), ["/phone"])
      }
      for (const phone of [german, brazilian]) {
        const { answer, audit, events } = yield* traced(
          organization,
          tagOf(upsertContactByPhone({ phone, name: "X", email: "a@example.org" }))
        ).pipe(inside)
        assert.deepStrictEqual([answer, audit, events], ["ContactExists", [], []])
        const error = yield* Effect.flip(upsertContactByPhone({ phone, name: "X", tags: [nobodysTag] })).pipe(inside)
        assert.strictEqual(error._tag === "NotFound" ? error.pointer : error._tag, "/tags/0")
      }
    })
  )

  it.effect("changes a contact that was added concurrently", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const real = yield* Contacts
      const blind = Contacts.of({ ...real, lockByIdentity: () => Effect.succeed([]) })
      const { id } = yield* givenContact(organization, { phone: german })
      const { contact, created } = yield* upsertContactByPhone({ phone: german, name: "Grace" }).pipe(
        Effect.provideService(Contacts, blind),
        inside
      )
      assert.deepStrictEqual([contact.id, contact.name, created], [id, "Grace", false])
    })
  )
})
