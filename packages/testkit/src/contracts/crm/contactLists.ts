import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  Contact,
  ContactId,
  contactCursorKey,
  type ContactQuery,
  Contacts,
  type ContactSort,
  type Filter,
  matchesSearch,
  matchesFilter,
  type ContactSearch,
  parseContactSearch,
  contactSearchText,
  TagId,
  Tags
} from "@parley/domain/crm"
import { Arbitrary, DateTime, Effect, Order } from "effect"
import { crowds, filtersOver, oddNames } from "../../fixtures/crowds.ts"
import { among } from "../../fixtures/drawing.ts"
import { byKeys } from "../../memory/store/byCodePoints.ts"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, givenOrganization, inside } from "../given.ts"
import { all, everyone, givenContact, givenTag, holds, idsOf, insertContacts, listed, newContact } from "./given.ts"

const sorts = ["createdAt", "-createdAt", "name", "-name", "lastSeenAt", "-lastSeenAt"] as const

const inOrder = (sort: ContactSort): Order.Order<Contact> => {
  const ascending = Order.mapInput(byKeys, (contact: Contact) => contactCursorKey(sort, contact))
  return sort.startsWith("-") ? Order.flip(ascending) : ascending
}

const isFound = (search: ContactSearch | null, contact: Contact): boolean =>
  search === null || matchesSearch(contactSearchText(contact), search)

/** The data of other areas has separate contracts. */
const nothingElse = () => false

/** Expected list, from all existing contacts. */
const expectedOf = (
  contacts: Iterable<Contact>,
  { filter, search, sort }: ContactQuery,
  after: ReadonlyArray<string> | null = null
): ReadonlyArray<Contact> => {
  const [order, direction] = [inOrder(sort), sort.startsWith("-") ? -1 : 1]
  return Array.from(contacts)
    .filter((contact) => matchesFilter(filter, contact, nothingElse) && isFound(search, contact))
    .filter((contact) => after === null || byKeys(contactCursorKey(sort, contact), after) === direction)
    .toSorted(order)
}

/** Creates the same crowd in each run. Only the ids differ, and they are unordered. */
const aCrowd = Effect.fnUntraced(function* (size: number, tags: ReadonlyArray<TagId>, seed: number) {
  const ids = Array.from({ length: size }, () => freshId(ContactId))
  const mixed = [
    ...ids.filter((_, index) => index % 3 === 0),
    ...ids.filter((_, index) => index % 3 !== 0)
  ].toReversed()
  let given = 0
  const nextId = () => mixed[given++ % size] ?? freshId(ContactId)
  const [crowd = []] = yield* Arbitrary.sampleEffect(crowds(size, tags, nextId), { count: 1, seed }).pipe(Effect.orDie)
  return crowd
})

/** Something that happens between two pages. */
const happenings = Arbitrary.all({
  what: among(["nothing", "insert", "rename", "see", "remove"] as const),
  whom: Arbitrary.map(among(Array.from({ length: 30 }, (_, index) => index)), (index) => index),
  name: among([null, ...oddNames]),
  seenAt: among([null, "2026-02-28T23:59:59.999Z", "2026-03-01T00:00:00.000Z", "2026-03-01T00:00:00.001Z"])
})
type Happening = typeof happenings extends Arbitrary.Arbitrary<infer A> ? A : never

const happen = Effect.fnUntraced(function* (
  there: Map<ContactId, Contact>,
  touched: Set<ContactId>,
  { name, seenAt, what, whom }: Happening
) {
  const contacts = yield* Contacts
  const lastSeenAt = seenAt === null ? null : DateTime.makeUnsafe(seenAt)
  if (what === "insert") {
    const contact = newContact({ name, lastSeenAt })
    yield* insertContacts([contact])
    touched.add(contact.id)
    there.set(contact.id, contact)
    return
  }
  const contact = [...there.values()][whom % Math.max(there.size, 1)]
  if (contact === undefined || what === "nothing") return
  touched.add(contact.id)
  if (what === "remove") {
    yield* transact(contacts.remove([contact.id]))
    there.delete(contact.id)
  } else {
    const changed = new Contact({ ...contact, ...(what === "rename" ? { name } : { lastSeenAt }) })
    yield* transact(contacts.save(changed, null))
    there.set(contact.id, changed)
  }
})

const typed = [
  "ada",
  "ADA",
  "a",
  "ad",
  "lovelace ada",
  "ada  lovelace",
  "ovel",
  "o'neill",
  "o'",
  "100 %",
  "%",
  "%%%",
  "_",
  "a_a",
  "___",
  "\\",
  "back\\slash",
  "\\sl",
  "straße",
  "STRASSE",
  "ünal",
  "U\u0308NAL",
  "unal",
  "israse",
  "istan",
  "zoe",
  "ZÓE",
  "zo",
  "u",
  "is",
  "日本語",
  "本",
  "σας",
  "日本",
  "日",
  "日本 語",
  "עברית",
  "🧑‍🚀",
  "𝒜da",
  "people.test",
  "0@people.test",
  "o'neill1",
  "+49 170 1100",
  "0170 110",
  "+55",
  "(5511) 91",
  "1701",
  "5255",
  "10001",
  "49",
  "@",
  "ada people.test",
  "ada 491701",
  "nobody at all",
  "test\tada",
  "'; drop table contacts; --",
  "--"
]

export const contactLists: StorageContract = {
  port: "Contacts (lists)",
  promises: (it) => {
    it.effect("are in each order by code points, with missing values first", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const seen = (text: string) => DateTime.makeUnsafe(text)
          const values: ReadonlyArray<Partial<Contact>> = [
            { name: "b", lastSeenAt: seen("2026-03-01T00:00:00.001Z") },
            { name: null, lastSeenAt: seen("2026-03-01T00:00:00Z") },
            { name: "A" },
            { name: "a", lastSeenAt: seen("2026-03-01T00:00:00.001Z") },
            { name: "B" },
            { name: "\uFFFD" },
            { name: "𝒜" },
            { name: null },
            { name: "ä", lastSeenAt: seen("1969-12-31T23:59:59.999Z") },
            { name: "a b", lastSeenAt: seen("2026-03-01T00:00:00Z") }
          ]
          const people = values.map(newContact)
          yield* insertContacts(people.toReversed())
          const orders: Readonly<Record<ContactSort, ReadonlyArray<number>>> = {
            createdAt: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
            "-createdAt": [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
            name: [1, 7, 2, 3, 9, 0, 4, 8, 5, 6],
            "-name": [6, 5, 8, 4, 0, 9, 3, 2, 7, 1],
            lastSeenAt: [2, 4, 5, 6, 7, 8, 1, 9, 0, 3],
            "-lastSeenAt": [3, 0, 9, 1, 8, 7, 6, 5, 4, 2]
          }
          for (const sort of sorts) {
            const expected = orders[sort].flatMap((place) => people[place]?.id ?? [])
            assert.deepStrictEqual(idsOf(yield* listed({ ...everyone, sort }, all)), expected, sort)
            const paged: Array<ContactId> = []
            let after: ReadonlyArray<string> | null = null
            do {
              const page: ReadonlyArray<Contact> = yield* listed({ ...everyone, sort }, { limit: 3, after })
              paged.push(...idsOf(page))
              const last = page.at(-1)
              after = last === undefined ? null : contactCursorKey(sort, last)
            } while (after !== null && paged.length < 50)
            assert.deepStrictEqual(paged, expected, `${sort}, page by page`)
          }
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect.prop(
      "stay right while contacts come, change and go between the pages",
      { sort: among(sorts), between: Arbitrary.array(happenings, { minLength: 6, maxLength: 12 }) },
      ({ between, sort }) =>
        Effect.gen(function* () {
          yield* Effect.gen(function* () {
            const tag = yield* givenTag()
            const crowd = yield* aCrowd(14, [tag.id], 7)
            yield* insertContacts(crowd)
            const there = new Map(crowd.map((contact) => [contact.id, contact]))
            const [touched, read]: [Set<ContactId>, Array<ContactId>] = [new Set(), []]
            const query: ContactQuery = { ...everyone, sort }
            let after: ReadonlyArray<string> | null = null
            for (const happening of [...between, ...between]) {
              const page: ReadonlyArray<Contact> = yield* listed(query, { limit: 3, after })
              assert.deepStrictEqual(idsOf(page), idsOf(expectedOf(there.values(), query, after)).slice(0, 3))
              const last = page.at(-1)
              if (last === undefined) break
              read.push(...idsOf(page))
              after = contactCursorKey(sort, last)
              yield* happen(there, touched, happening)
            }
            const left = idsOf(yield* listed(query, { limit: 100, after }))
            const stayed = idsOf(crowd.toSorted(inOrder(sort))).filter((id) => !touched.has(id))
            assert.deepStrictEqual(
              [...read, ...left].filter((id) => !touched.has(id)),
              stayed
            )
          }).pipe(inside(yield* givenOrganization()))
        }),
      { arbitrary: { runs: 24, seed: "pages", maxShrinks: 40 } }
    )

    it.effect("hold who is searched for, each in its order", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const tag = yield* givenTag()
          const crowd = yield* aCrowd(60, [tag.id], 11)
          yield* insertContacts(crowd)
          for (const [index, text] of typed.entries()) {
            const sort = sorts[index % sorts.length] ?? "name"
            const query: ContactQuery = { ...everyone, search: parseContactSearch(text), sort }
            const expected = idsOf(expectedOf(crowd, query))
            assert.deepStrictEqual(idsOf(yield* listed(query, all)), expected, text)
            assert.deepStrictEqual(idsOf(yield* listed(query, { limit: 2, after: null })), expected.slice(0, 2), text)
            const second = expectedOf(crowd, query)[1]
            if (second === undefined) continue
            const after = contactCursorKey(sort, second)
            assert.deepStrictEqual(idsOf(yield* listed(query, { limit: 2, after })), expected.slice(2, 4), text)
          }
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("find a contact by name, e-mail address and phone number, in part or from the beginning", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const ada = yield* givenContact({
            name: "Ada Lovelace",
            email: "countess@analytical.test",
            phone: "+491701234567"
          })
          const odd = yield* givenContact({ name: "100 % _under\\score" })
          const plain = yield* givenContact({ name: "1000 xunder score" })
          const found = (text: string) =>
            Effect.map(listed({ ...everyone, search: parseContactSearch(text) }, all), idsOf)
          for (const text of [
            "lovelace",
            "LACE ada",
            "countess",
            "analytical.test",
            "0170 1234567",
            "+49 (170) 12-34",
            "23456",
            "ad",
            "co",
            "49"
          ]) {
            assert.deepStrictEqual(yield* found(text), [ada.id], text)
          }
          for (const text of ["% _under", "_under", "under\\score", "\\sc"])
            assert.deepStrictEqual(yield* found(text), [odd.id], text)
          assert.deepStrictEqual(yield* found("under"), [odd.id, plain.id])
          assert.deepStrictEqual(yield* found("10"), [odd.id, plain.id])
          for (const text of ["da", "lovelace countess grace", "lacecountess", "17", "___", "%%%", "unde_"]) {
            assert.deepStrictEqual(yield* found(text), [], text)
          }
          yield* transact(
            contacts.save(new Contact({ ...ada, name: "Grace Hopper", email: null, identities: [] }), null)
          )
          assert.deepStrictEqual(yield* found("hopper"), [ada.id])
          for (const text of ["lovelace", "countess", "1234567"]) assert.deepStrictEqual(yield* found(text), [], text)
          yield* transact(contacts.remove([ada.id]))
          assert.deepStrictEqual(yield* found("hopper"), [])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("find whom an identity is of, in each spelling, and count them", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const identity = (kind: "phone" | "email" | "external", value: string) =>
            ({ kind, value, source: "api", addedAt: DateTime.makeUnsafe("2026-03-01T00:00:00Z") }) as const
          const ana = yield* givenContact({
            phone: "+5511987654321",
            email: "ana@people.test",
            identities: [
              identity("phone", "+5511987654321"),
              identity("phone", "+442079460958"),
              identity("email", "ana@people.test"),
              identity("external", "+442079460959")
            ]
          })
          yield* givenContact({
            phone: "+442079460959",
            email: null,
            identities: [identity("phone", "+442079460959"), identity("external", "ana@people.test")]
          })
          const knownBy = (kind: "phone" | "email", value: string): Filter => ({
            kind: "knownBy",
            identity: { kind, value }
          })
          const cases: ReadonlyArray<readonly [Filter, ReadonlyArray<ContactId>]> = [
            [knownBy("phone", "+5511987654321"), [ana.id]],
            [knownBy("phone", "+551187654321"), [ana.id]],
            [knownBy("phone", "+442079460958"), [ana.id]],
            [knownBy("email", "ana@people.test"), [ana.id]],
            [knownBy("phone", "+442079460957"), []],
            [knownBy("email", "an@people.test"), []],
            [{ kind: "all", of: [knownBy("phone", "+442079460958"), knownBy("email", "ana@people.test")] }, [ana.id]],
            [{ kind: "all", of: [knownBy("phone", "+442079460959"), knownBy("email", "ana@people.test")] }, []],
            [{ kind: "all", of: [knownBy("phone", "+5511987654321"), { kind: "blocked" }] }, []]
          ]
          for (const [filter, expected] of cases) {
            assert.deepStrictEqual(idsOf(yield* listed({ ...everyone, filter }, all)), expected, JSON.stringify(filter))
            assert.strictEqual(yield* contacts.countOf({ filter, search: null }), expected.length)
          }
          yield* transact(contacts.remove([ana.id]))
          assert.isEmpty(yield* listed({ ...everyone, filter: knownBy("phone", "+442079460958") }, all))
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("have counts equal to their lengths, for every request", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* Effect.gen(function* () {
          const [one, other] = [yield* givenTag(), yield* givenTag()]
          const tagged = (tag: TagId): Filter => ({ kind: "tagged", tag })
          const crowd = yield* aCrowd(60, [one.id, other.id], 17)
          assert.strictEqual(yield* contacts.countOf(everyone), 0)
          yield* insertContacts(crowd)
          assert.strictEqual(yield* contacts.countOf(everyone), 60)
          const drawn = yield* Arbitrary.sampleEffect(filtersOver(crowd, [one.id, other.id]), {
            count: 40,
            seed: 23
          }).pipe(Effect.orDie)
          const filters: ReadonlyArray<Filter> = [
            tagged(one.id),
            tagged(other.id),
            { kind: "any", of: [tagged(one.id), tagged(other.id)] },
            { kind: "all", of: [tagged(one.id), tagged(other.id)] },
            ...drawn
          ]
          for (const [index, filter] of filters.entries()) {
            const search = index % 2 === 0 ? null : parseContactSearch(typed[index % typed.length] ?? "")
            const query: ContactQuery = { ...everyone, filter, search }
            assert.strictEqual(yield* contacts.countOf(query), expectedOf(crowd, query).length, JSON.stringify(query))
          }
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("find by other spellings of words whom the first of each does not find", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const crowd = [
            "Maria",
            "María Ørsted",
            "Mario",
            "Marta Orsted",
            "Orsted",
            "田中 Mario",
            "e\u0301lan",
            "Elan",
            null
          ].map((name) => newContact({ name }))
          yield* insertContacts(crowd)
          const near = (...spellings: ReadonlyArray<ReadonlyArray<string>>): ContactSearch => ({
            kind: "near",
            spellings
          })
          const searches: ReadonlyArray<readonly [ContactSearch | null, ReadonlyArray<number>]> = [
            [near(["maria", "mario", "marta"]), [2, 3, 5]],
            [near(["xyz", "maria"]), [0, 1]],
            [near(["maria", "marta"], ["orsted"]), [3]],
            [near(["田中", "elan"]), [6, 7]],
            [parseContactSearch("Él"), [6, 7]],
            [parseContactSearch("el"), [6, 7]],
            [parseContactSearch("田"), [5]],
            [parseContactSearch("田中"), [5]],
            [parseContactSearch("中"), []],
            [parseContactSearch("orsted"), [1, 3, 4]],
            [parseContactSearch("Ør"), [4]]
          ]
          for (const [search, expected] of searches) {
            assert.deepStrictEqual(
              idsOf(yield* listed({ ...everyone, search }, all)),
              expected.flatMap((place) => crowd[place]?.id ?? []),
              JSON.stringify(search)
            )
          }
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect.each([
      [3, 1],
      [5, 4],
      [8, 4]
    ] as const)(
      "contain exactly the matches of every filter (crowd %i, filters %i deep)",
      ([seed, depth]) =>
        Effect.gen(function* () {
          yield* Effect.gen(function* () {
            const tags = idsOf([yield* givenTag(), yield* givenTag(), yield* givenTag(), yield* givenTag()])
            const crowd = yield* aCrowd(60, tags, seed)
            yield* insertContacts(crowd)
            const [gone] = tags
            yield* transact(
              Effect.flatMap(Tags, (tags) => (gone === undefined ? Effect.void : tags.remove(gone, null)))
            ).pipe(Effect.orDie)
            const there = crowd.map(
              (contact) => new Contact({ ...contact, tags: contact.tags.filter((tag) => tag !== gone) })
            )
            yield* holds(
              Arbitrary.all({
                filter: filtersOver(crowd, [...tags, freshId(TagId)], depth),
                sort: among(sorts),
                limit: among([1_000, 4])
              }),
              Effect.fnUntraced(function* ({ filter, limit, sort }) {
                const query: ContactQuery = { filter, search: null, sort }
                const expected = idsOf(expectedOf(there, query))
                assert.deepStrictEqual(idsOf(yield* listed(query, { limit, after: null })), expected.slice(0, limit))
              }),
              { runs: depth === 1 ? 400 : 200, size: 30, seed: `filters ${seed}`, maxShrinks: 200 }
            )
          }).pipe(inside(yield* givenOrganization()))
        }),
      30_000
    )

    it.effect("hold who matches both the search and the filter, page by page", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const tags = idsOf([yield* givenTag(), yield* givenTag()])
          const crowd = yield* aCrowd(60, tags, 13)
          yield* insertContacts(crowd)
          yield* holds(
            Arbitrary.all({
              filter: filtersOver(crowd, tags, 2),
              search: among(typed.map(parseContactSearch)),
              sort: among(sorts),
              from: among(crowd)
            }),
            Effect.fnUntraced(function* ({ filter, from, search, sort }) {
              const query: ContactQuery = { filter, search, sort }
              const after = contactCursorKey(sort, from)
              const expected = idsOf(expectedOf(crowd, query, after)).slice(0, 5)
              assert.deepStrictEqual(idsOf(yield* listed(query, { limit: 5, after })), expected)
            }),
            { runs: 60, size: 20, seed: "both" }
          )
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}

/** Checks an adapter against the contract of contact lists, searches and filters. */
export const contactListsContract = runContract(contactLists)
