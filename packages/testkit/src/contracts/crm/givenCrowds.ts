import {
  type Contact,
  ContactId,
  contactCursorKey,
  type ContactQuery,
  type ContactSort,
  matchesSearch,
  matchesFilter,
  type ContactSearch,
  contactSearchText,
  type TagId
} from "@parley/domain/crm"
import { Arbitrary, Effect, Order } from "effect"
import { crowds } from "../../fixtures/crowds.ts"
import { byKeys } from "../../memory/store/byCodePoints.ts"
import { freshId } from "../given.ts"

export const sorts = ["createdAt", "-createdAt", "name", "-name", "lastSeenAt", "-lastSeenAt"] as const

export const inOrder = (sort: ContactSort): Order.Order<Contact> => {
  const ascending = Order.mapInput(byKeys, (contact: Contact) => contactCursorKey(sort, contact))
  return sort.startsWith("-") ? Order.flip(ascending) : ascending
}

const isFound = (search: ContactSearch | null, contact: Contact): boolean =>
  search === null || matchesSearch(contactSearchText(contact), search)

/** The data of other areas has separate contracts. */
const nothingElse = () => false

/** Expected list, from all existing contacts. */
export const expectedOf = (
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
export const aCrowd = Effect.fnUntraced(function* (size: number, tags: ReadonlyArray<TagId>, seed: number) {
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

export const typed = [
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
