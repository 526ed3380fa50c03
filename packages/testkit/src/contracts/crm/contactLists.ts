import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  Contact,
  type ContactId,
  contactCursorKey,
  type ContactQuery,
  Contacts,
  type ContactSort
} from "@parley/domain/crm"
import { Arbitrary, DateTime, Effect } from "effect"
import { oddNames } from "../../fixtures/crowds.ts"
import { among } from "../../fixtures/drawing.ts"
import { runContract, type StorageContract } from "../contract.ts"
import { givenOrganization, inside } from "../given.ts"
import { all, everyone, givenTag, idsOf, insertContacts, listed, newContact } from "./given.ts"
import { sorts, inOrder, expectedOf, aCrowd } from "./givenCrowds.ts"

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

export const contactLists: StorageContract = {
  port: "Contacts (lists)",
  promises: (it) => {
    it.effect("lists follow each order by code points, with missing values first", () =>
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
      "lists stay right while contacts arrive, change and disappear between pages",
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
  }
}

/** Checks an adapter against the contract of contact lists. */
export const contactListsContract = runContract(contactLists)
