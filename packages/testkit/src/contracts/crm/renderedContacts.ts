import { type EncodedRows, type Slice, transact } from "@parley/domain/kernel"
import {
  Contact,
  ContactId,
  type ContactIdentity,
  contactCursorKey,
  Contacts,
  type ContactSort,
  anyContact,
  type Filter,
  IdentityKind,
  parseContactSearch,
  TagId,
  Tags
} from "@parley/domain/crm"
import { Arbitrary, Effect } from "effect"
import { oddNames } from "../../fixtures/crowds.ts"
import { among, either } from "../../fixtures/drawing.ts"
import { hostileInstants, hostileNumbers, hostileTexts, orNothing } from "../../fixtures/hostile.ts"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId } from "../given.ts"
import { holdsRendered } from "../rendered.ts"
import { all, givenTag, holds, idsOf, inNewOrganization, insertContacts, newContact } from "./given.ts"

const sorts = ["createdAt", "-createdAt", "name", "-name", "lastSeenAt", "-lastSeenAt"] as const

const identities: Arbitrary.Arbitrary<ReadonlyArray<ContactIdentity>> = Arbitrary.array(
  Arbitrary.all({
    kind: among(IdentityKind.literals),
    value: hostileTexts,
    source: among(["api", "import", "chat", "store"] as const),
    addedAt: hostileInstants
  }),
  { maxLength: 3 }
)

const attributes = Arbitrary.map(
  Arbitrary.array(
    Arbitrary.all({
      key: among(["city", "z", "aLongKey_9", "constructor", "b", "score", "aa"]),
      value: either<string | number | boolean>(hostileTexts, hostileNumbers, among([true, false]))
    }),
    { maxLength: 5 }
  ),
  (values) => Object.fromEntries(values.map(({ key, value }) => [key, value]))
)

const drawn = Arbitrary.all({
  name: orNothing(hostileTexts),
  phone: orNothing(hostileTexts),
  email: orNothing(hostileTexts),
  identities,
  username: orNothing(hostileTexts),
  locale: orNothing(hostileTexts),
  timezone: orNothing(hostileTexts),
  attributes,
  marketing: among(["unknown", "subscribed", "unsubscribed"] as const),
  source: orNothing(hostileTexts),
  changedAt: orNothing(hostileInstants),
  blockedAt: orNothing(hostileInstants),
  lastSeenAt: orNothing(hostileInstants),
  lastInboundAt: orNothing(hostileInstants),
  createdAt: hostileInstants,
  updatedAt: hostileInstants,
  version: among([1, 2, 9, 10, 99, 100, 12_345, 999_999_999, 1_000_000_000, 2_147_483_647])
})

/** Stored rows can violate current rules, because rules change. */
const unruled = { disableChecks: true } as const

const holdsContacts = (sort: ContactSort) =>
  holdsRendered<Contact, unknown>(Contact, (contact) => contactCursorKey(sort, contact))

/** Whether the rendered contacts equal the listed ones, for every slice. */
const areSame = Effect.fnUntraced(function* (sort: ContactSort, filter: Filter, q: string | null, limit: number) {
  const contacts = yield* Contacts
  const query = { filter, search: q === null ? null : parseContactSearch(q), sort }
  const what = JSON.stringify({ query, limit })
  let after: ReadonlyArray<string> | null = null
  for (let page = 0; page < 5; page += 1) {
    const slice: Slice = { limit, after }
    const { rows } = yield* contacts.list(query, slice)
    const rendered: EncodedRows<Contact> = yield* contacts.render(query, slice)
    holdsContacts(sort)(rendered.rows, rows, what)
    after = rendered.rows.at(-1)?.key ?? null
    if (after === null) return
  }
})

export const renderedContacts: StorageContract = {
  port: "Contacts (as answers write them)",
  promises: (it) => {
    it.effect("equal the output of their schema, byte by byte, for all contents", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const tags = idsOf([yield* givenTag(), yield* givenTag(), yield* givenTag()])
          yield* holds(
            Arbitrary.array(Arbitrary.all({ contact: drawn, tags: Arbitrary.array(among(tags), { maxLength: 3 }) }), {
              minLength: 1,
              maxLength: 6
            }),
            Effect.fnUntraced(function* (people) {
              const contacts = yield* Contacts
              const crowd = people.map(({ contact: { changedAt, marketing, source, ...input }, tags }) => {
                const id = freshId(ContactId)
                // Identities are unique to the contact.
                const identities = input.identities.map((identity) => ({
                  ...identity,
                  value: `${identity.value}${id}`
                }))
                return new Contact(
                  {
                    ...newContact(),
                    ...input,
                    id,
                    identities,
                    tags: [...new Set(tags)].toSorted(),
                    consent: { marketing, source, changedAt }
                  },
                  unruled
                )
              })
              yield* insertContacts(crowd)
              const { rows } = yield* contacts.list({ filter: anyContact, search: null, sort: "createdAt" }, all)
              yield* areSame("createdAt", anyContact, null, all.limit)
              yield* transact(contacts.remove(idsOf(rows)))
            }),
            { runs: 60, size: 30, seed: "hostile" }
          )
        })
      )
    )

    it.effect("are rendered as they are listed in each order, with filters and searches, page by page", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [tag, gone] = [yield* givenTag(), yield* givenTag()]
          yield* insertContacts(
            oddNames.map((name, place) =>
              newContact({
                name: place % 5 === 4 ? null : name,
                attributes: { score: place - 1.5, city: `"${name}"` },
                tags: [tag.id, gone.id].filter((_, index) => (place + index) % 2 === 0).toSorted(),
                lastSeenAt: place % 3 === 0 ? null : newContact().createdAt
              })
            )
          )
          yield* transact(Effect.flatMap(Tags, (tags) => tags.remove(gone.id, null))).pipe(Effect.orDie)
          const filters: ReadonlyArray<Filter> = [
            anyContact,
            { kind: "tagged", tag: tag.id },
            { kind: "tagged", tag: freshId(TagId) },
            { kind: "attributeSet", key: "city" },
            {
              kind: "all",
              of: [
                { kind: "tagged", tag: tag.id },
                { kind: "textSet", field: "name" }
              ]
            }
          ]
          for (const sort of sorts) {
            for (const filter of filters) yield* areSame(sort, filter, null, 4)
            for (const q of ["ada", "a", "nobody at all"]) yield* areSame(sort, anyContact, q, 2)
          }
        })
      )
    )
  }
}

/** Checks an adapter against the contract of rendered contact lists. */
export const renderedContactsContract = runContract(renderedContacts)
