import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  Contact,
  contactCursorKey,
  type ContactQuery,
  Contacts,
  type Filter,
  parseContactSearch,
  TagId,
  Tags
} from "@parley/domain/crm"
import { Arbitrary, Effect } from "effect"
import { filtersOver } from "../../fixtures/crowds.ts"
import { among } from "../../fixtures/drawing.ts"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, givenOrganization, inside } from "../given.ts"
import { everyone, givenTag, holds, idsOf, insertContacts, listed } from "./given.ts"
import { sorts, expectedOf, aCrowd, typed } from "./givenCrowds.ts"

export const contactFilters: StorageContract = {
  port: "Contacts (filters)",
  promises: (it) => {
    it.effect("counts equal the lengths of lists, for every request", () =>
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

    it.effect.each([
      [3, 1],
      [5, 4],
      [8, 4]
    ] as const)(
      "filters return exactly the matching contacts (crowd %i, filters %i deep)",
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

    it.effect("lists contain the contacts that match both the search and the filter, page by page", () =>
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

/** Checks an adapter against the contract of filters of contacts. */
export const contactFiltersContract = runContract(contactFilters)
