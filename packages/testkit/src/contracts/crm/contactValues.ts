import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { Contact, Contacts, TagId } from "@parley/domain/crm"
import { DateTime, Effect, Schema } from "effect"
import { oddNames } from "../../fixtures/crowds.ts"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, givenOrganization, inside, plain } from "../given.ts"
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
  sorted,
  saveContact,
  saveContacts,
  contactCount,
  changedContact
} from "./given.ts"

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

export const contactValues: StorageContract = {
  port: "Contacts (values)",
  promises: (it) => {
    it.effect("stores every field of a contact unchanged", () =>
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
          assert.deepStrictEqual(plain.contact(yield* saveContact(changed, 1)), expected)
          assert.deepStrictEqual(plain.contact(yield* contacts.get(bare.id)), expected)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("stores and finds every unusual name", () =>
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

    it.effect("stores changes except tags, and raises the version by one", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const tag = yield* givenTag()
          const contact = yield* givenContact({ phone: "+491701234567", tags: [tag.id] })
          const changed = new Contact({ ...changedContact(contact), tags: [freshId(TagId)] })
          const expected = { ...plain.contact(changed), tags: [tag.id], version: 2 }
          assert.deepStrictEqual(plain.contact(yield* saveContact(changed, 1)), expected)
          assert.deepStrictEqual(plain.contact(yield* contacts.get(contact.id)), expected)
          assert.strictEqual((yield* saveContact(changed, null)).version, 3)
          yield* saveContacts([new Contact({ ...changed, version: 77 })])
          assert.deepStrictEqual(plain.contact(yield* contacts.get(contact.id)), { ...expected, version: 4 })
          assert.strictEqual(yield* contactCount, 1)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

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

/** Checks an adapter against the contract of the values of contacts. */
export const contactValuesContract = runContract(contactValues)
