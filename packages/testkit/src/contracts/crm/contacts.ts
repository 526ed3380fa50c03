import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { Contact, ContactId, Contacts, type IdentityRef, TagId } from "@parley/domain/crm"
import { DateTime, Deferred, Effect, Schema } from "effect"
import { oddNames } from "../../fixtures/crowds.ts"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, freshText, givenOrganization, inside, plain } from "../given.ts"
import {
  all,
  evening,
  everybodyThere,
  everyone,
  givenContact,
  givenTag,
  identity,
  idsOf,
  insertContacts,
  listed,
  newContact,
  sorted
} from "./given.ts"

const save = (contact: Contact, expected: number | null = null) =>
  Effect.flatMap(Contacts, (contacts) => transact(contacts.save(contact, expected)))

const saveAll = (changed: ReadonlyArray<Contact>) =>
  Effect.flatMap(Contacts, (contacts) => transact(contacts.saveAll(changed)))

const remove = (ids: ReadonlyArray<ContactId>) => Effect.flatMap(Contacts, (contacts) => transact(contacts.remove(ids)))

const count = Effect.flatMap(Contacts, (contacts) => contacts.count())

const refused = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(Effect.andThen(Effect.fail("refused")), transact, Effect.flip)

const full = newContact({
  name: "Zoë “O'Neill” \\ 100 % _ 🥐 שלום",
  phone: "+491701234567",
  email: "o'neill%_\\+日本@people.test",
  identities: [
    identity("external", "id “%_\\” 🥐 'x'"),
    { ...identity("phone", "+5511912345678"), source: "import", formerSince: evening },
    { ...identity("chat_user", "\u202Eabc"), source: "chat", addedAt: evening },
    { ...identity("store_customer", "a\u200Db"), source: "store" }
  ],
  locale: "zh-Hant-TW",
  timezone: "America/Argentina/Buenos_Aires",
  attributes: {
    city: "line 1\nline 2\t'%_\\ \u2028 🧑‍🚀 עברית",
    empty: "",
    long: "ß".repeat(2_000),
    date: "2024-02-29",
    score: -1.5,
    tiny: 5e-324,
    huge: Number.MAX_VALUE,
    exact: 0.1,
    whole: Number.MAX_SAFE_INTEGER,
    zero: 0,
    vip: true,
    not: false,
    text: "true",
    digits: "5",
    constructor: "of everything"
  },
  consent: { marketing: "subscribed", source: "form “%_\\” 🥐", changedAt: evening },
  blockedAt: DateTime.makeUnsafe("2026-02-03T04:05:06.007Z"),
  lastSeenAt: DateTime.makeUnsafe("2026-02-03T04:05:06.008Z"),
  lastInboundAt: DateTime.makeUnsafe("2026-02-03T04:05:06.009Z"),
  username: 'ada_1815 "%_\\" 🥐',
  createdAt: DateTime.makeUnsafe("2025-02-03T04:05:06.010Z"),
  updatedAt: DateTime.makeUnsafe("2025-02-03T04:05:06.999Z")
})

const changedOf = (contact: Contact) =>
  new Contact({
    ...contact,
    name: null,
    username: "countess",
    attributes: { city: "Quito" },
    lastSeenAt: evening,
    updatedAt: evening
  })

export const contacts: StorageContract = {
  port: "Contacts",
  promises: (it) => {
    it.effect("finds the contacts with a date on a day, by id, page by page", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        const found = (days: ReadonlyArray<string>, after: Contact | null = null) =>
          Effect.map(
            contacts.withDays("birthday", days, { limit: 2, after: after === null ? null : [after.id] }),
            idsOf
          )
        const first = yield* givenOrganization()
        yield* Effect.gen(function* () {
          const born = (birthday: string | number) => newContact({ attributes: { birthday } })
          const [one, two, three] = [born("1990-02-28"), born("2001-02-28"), born("1992-02-29")]
          const others = [
            born("1990-03-28"),
            born("02-28"),
            born(2802),
            newContact({ attributes: { renewal: "1990-02-28" } }),
            newContact({ attributes: { birthday: "1990-02-28" }, blockedAt: evening })
          ]
          yield* insertContacts([one, two, three, ...others])
          const inOrder = [one, two, three].toSorted((left, right) => (left.id < right.id ? -1 : 1))
          const second = inOrder[1] ?? null
          assert.deepStrictEqual(yield* found(["02-28", "02-29"]), idsOf(inOrder).slice(0, 2))
          assert.deepStrictEqual(yield* found(["02-28", "02-29"], second), idsOf(inOrder).slice(2))
          assert.deepStrictEqual(yield* found(["02-29"]), [three.id])
          assert.deepStrictEqual(yield* found(["03-01"]), [])
          yield* transact(contacts.save(new Contact({ ...three, attributes: { birthday: "1992-03-01" } }), null))
          assert.deepStrictEqual(yield* found(["02-29"]), [])
          assert.deepStrictEqual(yield* found(["03-01"]), [three.id])
        }).pipe(inside(first))
        assert.deepStrictEqual(yield* found(["02-28"]).pipe(inside(yield* givenOrganization())), [])
      })
    )

    it.effect("keeps a contact as it was put in, to the letter", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const tags = [yield* givenTag(), yield* givenTag(), yield* givenTag()]
          const { email, identities, phone, ...input } = full
          const contact = new Contact({ ...input, email, identities, phone, tags: sorted(idsOf(tags)) })
          const bare = newContact({ name: null, identities: [identity("external", "bare")] })
          assert.strictEqual(yield* insertContacts([contact, bare]), 2)
          for (const each of [contact, bare]) {
            assert.deepStrictEqual(plain.contact(yield* contacts.get(each.id)), plain.contact(each))
            assert.deepStrictEqual((yield* contacts.find([each.id])).map(plain.contact), [plain.contact(each)])
            assert.deepStrictEqual((yield* contacts.findByIdentity(each.identities)).map(plain.contact), [
              plain.contact(each)
            ])
            assert.deepStrictEqual((yield* transact(contacts.lock([each.id]))).map(plain.contact), [
              plain.contact(each)
            ])
            const known = yield* transact(contacts.lockByIdentity(each.identities))
            assert.deepStrictEqual(known.map(plain.contact), [plain.contact(each)])
          }
          assert.deepStrictEqual(
            (yield* everybodyThere).map(plain.contact),
            [contact, bare].toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(plain.contact)
          )
          const changed = new Contact({ ...bare, ...input, id: bare.id, tags: [], createdAt: bare.createdAt })
          const expected = { ...plain.contact(changed), version: 2 }
          assert.deepStrictEqual(plain.contact(yield* save(changed, 1)), expected)
          assert.deepStrictEqual(plain.contact(yield* contacts.get(bare.id)), expected)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("keeps every unusual name and finds it", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const people = oddNames.map((name) => newContact({ name, attributes: { called: name } }))
          yield* insertContacts(people)
          assert.deepStrictEqual((yield* everybodyThere).map(plain.contact), people.map(plain.contact))
          for (const { id, name } of people) {
            const filter = { kind: "attributeIs", key: "called", anyOf: [name ?? ""] } as const
            assert.deepStrictEqual(idsOf(yield* listed({ ...everyone, filter }, all)), [id])
          }
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it("takes no text that a database cannot keep", () => {
      const isContact = Schema.is(Contact)
      for (const text of ["a\u0000b", "a\ud800b"]) {
        assert.throws(() => newContact({ name: text }))
        assert.throws(() => newContact({ attributes: { city: text } }))
        assert.isFalse(isContact({ ...full, name: text }))
      }
    })

    it.effect("keeps one tenant's contacts out of another's sight and reach", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const name = "Ottokar Querulant"
        const contact = yield* Effect.gen(function* () {
          const tag = yield* givenTag()
          return yield* givenContact({
            name,
            phone: "+491701234567",
            email: "ottokar@people.test",
            attributes: { city: "Quito" },
            tags: [tag.id]
          })
        }).pipe(inside(one))
        yield* Effect.gen(function* () {
          const { id, identities, tags } = contact
          const theirs = yield* givenTag()
          assert.strictEqual((yield* Effect.flip(contacts.get(id)))._tag, "NotFound")
          assert.lengthOf(yield* contacts.find([id]), 0)
          assert.deepStrictEqual(yield* contacts.names([id]), new Map())
          assert.lengthOf(yield* contacts.findByIdentity(identities), 0)
          assert.lengthOf(yield* transact(contacts.lock([id])), 0)
          assert.lengthOf(yield* transact(contacts.lockByIdentity(identities)), 0)
          assert.lengthOf(yield* everybodyThere, 0)
          assert.lengthOf(yield* listed({ ...everyone, search: { kind: "words", words: ["ottokar"] } }, all), 0)
          assert.lengthOf(yield* listed({ ...everyone, search: { kind: "beginning", text: "ot" } }, all), 0)
          assert.notInclude(yield* contacts.wordsLike("ottokar"), "ottokar")
          assert.strictEqual(yield* contacts.count(), 0)
          for (const expected of [1, 2, null]) {
            assert.strictEqual((yield* Effect.flip(save(changedOf(contact), expected)))._tag, "NotFound")
          }
          yield* saveAll([changedOf(contact)])
          assert.lengthOf(yield* transact(contacts.tag([id], [theirs.id], evening)), 0)
          assert.lengthOf(yield* transact(contacts.untag([id], tags, evening)), 0)
          assert.strictEqual(yield* transact(contacts.clearAttribute("city", 10, evening)), 0)
          assert.lengthOf(yield* remove([id]), 0)
          assert.strictEqual(yield* contacts.count(), 0)
          const own = newContact({ name, phone: contact.phone, email: contact.email, tags })
          assert.strictEqual(yield* insertContacts([own]), 1)
          assert.deepStrictEqual((yield* contacts.get(own.id)).tags, [])
        }).pipe(inside(other))
        yield* Effect.gen(function* () {
          assert.deepStrictEqual((yield* everybodyThere).map(plain.contact), [plain.contact(contact)])
          assert.strictEqual(yield* contacts.count(), 1)
        }).pipe(inside(one))
      })
    )

    it.effect("a failed unit of work leaves nothing, and counts nothing", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const [tag, other] = [yield* givenTag(), yield* givenTag()]
          const kept = yield* givenContact({ name: "Keptword", attributes: { city: "Quito" }, tags: [tag.id] })
          const email = `${freshText("new")}@people.test`
          for (const change of [
            contacts.insert([newContact({ email, name: "Fleetingword", tags: [tag.id] })]),
            contacts.save(changedOf(kept), 1),
            contacts.saveAll([changedOf(kept)]),
            contacts.remove([kept.id]),
            contacts.tag([kept.id], [other.id], evening),
            contacts.untag([kept.id], [tag.id], evening),
            contacts.clearAttribute("city", 10, evening)
          ]) {
            assert.strictEqual(yield* refused(change), "refused")
            assert.deepStrictEqual((yield* everybodyThere).map(plain.contact), [plain.contact(kept)])
            assert.strictEqual(yield* contacts.count(), 1)
            assert.lengthOf(yield* contacts.findByIdentity([{ kind: "email", value: email }]), 0)
          }
          assert.strictEqual(yield* insertContacts([newContact({ email })]), 2)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("counts in a unit of work what it wrote, and for others only what stayed", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          yield* givenContact()
          yield* Effect.gen(function* () {
            assert.strictEqual((yield* contacts.insert([newContact(), newContact()])).count, 3)
            yield* refused(contacts.insert([newContact()]))
            assert.strictEqual(yield* contacts.count(), 3)
            const [first] = yield* everybodyThere
            yield* contacts.remove(first === undefined ? [] : [first.id])
            assert.strictEqual((yield* contacts.insert([newContact()])).count, 3)
          }).pipe(transact)
          assert.strictEqual(yield* count, 3)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("stores what changed but not the tags, and raises the version by one", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const tag = yield* givenTag()
          const contact = yield* givenContact({ phone: "+491701234567", tags: [tag.id] })
          const changed = new Contact({ ...changedOf(contact), tags: [freshId(TagId)] })
          const expected = { ...plain.contact(changed), tags: [tag.id], version: 2 }
          assert.deepStrictEqual(plain.contact(yield* save(changed, 1)), expected)
          assert.deepStrictEqual(plain.contact(yield* contacts.get(contact.id)), expected)
          assert.strictEqual((yield* save(changed, null)).version, 3)
          yield* saveAll([new Contact({ ...changed, version: 77 })])
          assert.deepStrictEqual(plain.contact(yield* contacts.get(contact.id)), { ...expected, version: 4 })
          assert.strictEqual(yield* count, 1)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("refuses an outdated version and an unknown id", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const contact = yield* givenContact()
          yield* save(contact, 1)
          for (const expected of [1, 3]) {
            const error = yield* Effect.flip(save(changedOf(contact), expected))
            assert.strictEqual(error._tag === "VersionConflict" ? error.current : error._tag, 2)
            assert.strictEqual((yield* Effect.flip(save(newContact(), expected)))._tag, "NotFound")
          }
          assert.strictEqual((yield* Effect.flip(save(newContact(), null)))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(contacts.get(freshId(ContactId))))._tag, "NotFound")
          assert.deepStrictEqual(plain.contact(yield* contacts.get(contact.id)), {
            ...plain.contact(contact),
            version: 2
          })
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("only the first of many concurrent saves of a version succeeds", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const contact = yield* givenContact()
          const outcomes = yield* Effect.forEach(
            Array.from({ length: 10 }, (_, index) => new Contact({ ...contact, name: `Writer ${index}` })),
            (changed) => Effect.option(save(changed, 1)),
            { concurrency: "unbounded" }
          )
          const won = outcomes.flatMap((outcome) => (outcome._tag === "Some" ? [plain.contact(outcome.value)] : []))
          assert.deepStrictEqual((yield* everybodyThere).map(plain.contact), won)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("saves many together, and skips deleted ones", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const people = Array.from({ length: 5 }, () =>
            newContact({ identities: [identity("external", freshText("x"))] })
          )
          yield* insertContacts(people)
          const [gone, ...left] = people
          yield* remove(gone === undefined ? [] : [gone.id])
          yield* saveAll(people.map(changedOf))
          assert.deepStrictEqual(
            (yield* everybodyThere).map(plain.contact),
            left.map((contact) => ({ ...plain.contact(changedOf(contact)), version: 2 }))
          )
          yield* saveAll([])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("finds existing ones, once each", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const [first, second] = [yield* givenContact(), yield* givenContact({ name: "Ottokar “%_\\” 🥐" })]
          const wanted = [second.id, freshId(ContactId), first.id, second.id]
          const both = sorted([first.id, second.id])
          assert.deepStrictEqual(sorted(idsOf(yield* contacts.find(wanted))), both)
          assert.deepStrictEqual(sorted(idsOf(yield* transact(contacts.lock(wanted)))), both)
          const names = [first, second].map(({ id, name }) => [id, name] as const)
          assert.deepStrictEqual(yield* contacts.names(wanted), new Map(names))
          assert.deepStrictEqual(yield* contacts.names([second.id]), new Map(names.slice(1)))
          assert.lengthOf(yield* contacts.find([]), 0)
          assert.deepStrictEqual(yield* contacts.names([]), new Map())
          assert.lengthOf(yield* transact(contacts.lock([])), 0)
          assert.lengthOf(yield* contacts.findByIdentity([]), 0)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("removes existing ones, once each, and returns them", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const [first, second, third] = [
            yield* givenContact({ phone: "+491701234567" }),
            yield* givenContact(),
            yield* givenContact()
          ]
          const removed = yield* remove([second.id, freshId(ContactId), first.id, second.id])
          assert.deepStrictEqual(sorted(removed), sorted([first.id, second.id]))
          assert.lengthOf(yield* remove([second.id, first.id]), 0)
          assert.lengthOf(yield* remove([]), 0)
          assert.deepStrictEqual(idsOf(yield* everybodyThere), [third.id])
          assert.strictEqual(yield* count, 1)
          assert.lengthOf(yield* contacts.findByIdentity(first.identities), 0)
          assert.strictEqual(yield* insertContacts([newContact({ phone: "+491701234567" })]), 2)
          assert.strictEqual(yield* insertContacts([]), 2)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("serializes locks of one contact", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const people = [yield* givenContact({ attributes: { n: 0 } }), yield* givenContact({ attributes: { n: 0 } })]
          const ids = idsOf(people)
          const add = (ids: ReadonlyArray<ContactId>) =>
            Effect.gen(function* () {
              const taken = yield* contacts.lock(ids)
              yield* Effect.yieldNow
              yield* contacts.saveAll(
                taken.map(
                  (contact) => new Contact({ ...contact, attributes: { n: Number(contact.attributes["n"]) + 1 } })
                )
              )
            }).pipe(transact)
          yield* Effect.forEach(
            Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? ids : ids.toReversed())),
            add,
            { concurrency: "unbounded" }
          )
          for (const contact of yield* everybodyThere) {
            assert.deepStrictEqual([contact.attributes["n"], contact.version], [12, 13])
          }
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("serializes locks of one contact by identity", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const [phone, email] = ["+491701234567", "ada@people.test"]
          const { id, identities } = yield* givenContact({ phone, email, attributes: { n: 0 } })
          const add = (ref: IdentityRef) =>
            Effect.gen(function* () {
              const [taken] = yield* contacts.lockByIdentity([ref])
              if (taken === undefined) return assert.fail("nobody is known by it")
              yield* Effect.yieldNow
              const n = Number(taken.attributes["n"]) + 1
              yield* contacts.save(new Contact({ ...taken, name: `Ada ${n}`, attributes: { n } }), taken.version)
            }).pipe(transact)
          const calls = Array.from({ length: 6 }, () => identities).flat()
          yield* Effect.forEach(calls, add, { concurrency: "unbounded" })
          const after = yield* contacts.get(id)
          assert.deepStrictEqual([after.attributes["n"], after.name, after.version], [12, "Ada 12", 13])
          assert.lengthOf(yield* transact(contacts.lockByIdentity([])), 0)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("skips contacts whose identity has moved to another one", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const phone = "+491701234567"
          const before = yield* givenContact({ name: "Ada", phone })
          const hasTaken = yield* Deferred.make<void>()
          const change = Effect.gen(function* () {
            yield* contacts.lock([before.id])
            yield* Deferred.succeed(hasTaken, undefined)
            yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow)
            yield* contacts.save(new Contact({ ...before, phone: null, identities: [] }), null)
          }).pipe(transact)
          const take = Effect.andThen(
            Deferred.await(hasTaken),
            transact(contacts.lockByIdentity([{ kind: "phone", value: phone }]))
          )
          const [, found] = yield* Effect.all([change, take], { concurrency: "unbounded" })
          assert.deepStrictEqual(idsOf(found), [])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("saves a contact that was taken and changed since in one unit of work", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const tag = yield* givenTag()
          const { id } = yield* givenContact({ name: "Konrad Adler", phone: "+491701234567" })
          yield* Effect.gen(function* () {
            const [taken] = yield* contacts.lock([id])
            if (taken === undefined) return assert.fail("it is not there")
            yield* contacts.tag([id], [tag.id], taken.updatedAt)
            const wrong = yield* Effect.flip(contacts.save(new Contact({ ...taken, name: "X" }), taken.version))
            assert.strictEqual(wrong._tag === "VersionConflict" ? wrong.current : wrong._tag, 2)
            const once = yield* contacts.save(new Contact({ ...taken, name: "Konrad Bauer" }), null)
            assert.deepStrictEqual([once.name, once.tags, once.version], ["Konrad Bauer", [tag.id], 3])
            const twice = yield* contacts.save(
              new Contact({ ...once, name: "Konrad Cramer", phone: null, identities: [] }),
              3
            )
            assert.deepStrictEqual([twice.name, twice.phone, twice.version], ["Konrad Cramer", null, 4])
          }).pipe(transact)
          assert.deepStrictEqual(plain.contact(yield* contacts.get(id)).name, "Konrad Cramer")
          assert.include(yield* contacts.wordsLike("konrat"), "konrad")
          assert.include(yield* contacts.wordsLike("kramer"), "cramer")
          assert.lengthOf(yield* contacts.findByIdentity([{ kind: "phone", value: "+491701234567" }]), 0)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("removes a field's values batch by batch, and leaves the others", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const having = Array.from({ length: 5 }, (_, index) =>
            newContact({ attributes: { city: index === 0 ? "" : index === 1 ? false : index, other: "stays" } })
          )
          const others = [newContact({ attributes: { other: "city" } }), newContact()]
          yield* insertContacts([...having, ...others])
          const clear = (key: string) => transact(contacts.clearAttribute(key, 2, evening))
          assert.deepStrictEqual(
            [yield* clear("city"), yield* clear("city"), yield* clear("city"), yield* clear("city")],
            [2, 2, 1, 0]
          )
          assert.deepStrictEqual([yield* clear("constructor"), yield* clear("cit_"), yield* clear("%")], [0, 0, 0])
          const expected = [
            ...having.map(
              (contact) => new Contact({ ...contact, attributes: { other: "stays" }, updatedAt: evening, version: 2 })
            ),
            ...others
          ]
          assert.deepStrictEqual((yield* everybodyThere).map(plain.contact), expected.map(plain.contact))
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}

/** Checks an adapter against the contract of stored contacts. */
export const contactsContract = runContract(contacts)
