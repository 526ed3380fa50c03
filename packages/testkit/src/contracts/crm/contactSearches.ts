import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  Contact,
  type ContactId,
  contactCursorKey,
  type ContactQuery,
  Contacts,
  type Filter,
  type ContactSearch,
  parseContactSearch
} from "@parley/domain/crm"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { givenOrganization, inside } from "../given.ts"
import { all, everyone, givenContact, givenTag, idsOf, insertContacts, listed, newContact } from "./given.ts"
import { sorts, expectedOf, aCrowd, typed } from "./givenCrowds.ts"

export const contactSearches: StorageContract = {
  port: "Contacts (searches)",
  promises: (it) => {
    it.effect("searches return the matching contacts in each order", () =>
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

    it.effect("searches find a contact by name, email address and phone number, in part or from the start", () =>
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

    it.effect("identity filters find a contact by each spelling, and count it", () =>
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

    it.effect("searches find contacts by further spellings of a word", () =>
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
  }
}

/** Checks an adapter against the contract of searches for contacts. */
export const contactSearchesContract = runContract(contactSearches)
