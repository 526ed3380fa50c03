import type { ContactListRequest, ContactSort, FilterInput } from "@parley/domain"
import { TagId } from "@parley/domain"
import { DateTime } from "effect"
import { misspelled, typed } from "../corpus.ts"
import { idAfter } from "../seededContacts.ts"
import { tagAt, tagShares } from "../seedContacts.ts"

/** The kinds of queries, and the maximum time of the slowest of each hundred. */
export const kinds = {
  "pages, no filter": 5,
  "pages, one filter": 5,
  "pages, filters together": 5,
  "searches of 1 or 2 letters": 100,
  "searches of 3 letters and more": 100,
  "misspelled searches": 100,
  "searches with a filter": 100
} as const
export type Kind = keyof typeof kinds

/** A query of the list of contacts. */
export interface Question {
  readonly kind: Kind
  readonly name: string
  readonly request: ContactListRequest
  /** The key of the contact that the page comes after. */
  readonly after: ReadonlyArray<string> | null
}

const sorts: ReadonlyArray<ContactSort> = ["-createdAt", "createdAt", "name", "-name", "lastSeenAt", "-lastSeenAt"]

const mainSorts: ReadonlyArray<ContactSort> = ["-createdAt", "name", "-lastSeenAt"]

/** The fields that seeded contacts have. */
export const fields = [
  { key: "city", name: "City", type: "text" },
  { key: "score", name: "Score", type: "number" },
  { key: "plan", name: "Plan", type: "enum", choices: ["free", "pro", "team"] },
  { key: "birthday", name: "Birthday", type: "date" },
  { key: "vip", name: "VIP", type: "boolean" },
  { key: "wave", name: "Wave", type: "text" }
] as const

const names = ["alice", "jonas schmi", "maria sil", "peter k", "wei beckson"]

const depths = [0.03, 0.27, 0.5, 0.81, 0.97]

const timeAt = (share: number) =>
  DateTime.formatIso(DateTime.makeUnsafe(Date.UTC(2023, 9, 1) + share * 880 * 86_400_000))

const keyAt = (sort: ContactSort, depth: number): ReadonlyArray<string> => {
  const id = idAfter(depth)
  switch (sort) {
    case "createdAt":
    case "-createdAt":
      return [id]
    case "name":
    case "-name":
      return [names[depths.indexOf(depth)] ?? "maria", id]
    case "lastSeenAt":
    case "-lastSeenAt":
      return [timeAt(depth), id]
  }
}

const leaves: ReadonlyArray<FilterInput> = [
  { field: "attribute", key: "city", op: "is", value: "Berlin" },
  { field: "attribute", key: "city", op: "is", value: "Ulaanbaatar" },
  { field: "attribute", key: "city", op: "is", value: "Atlantis" },
  { field: "attribute", key: "city", op: "is_not", value: "Berlin" },
  { field: "attribute", key: "city", op: "contains", value: "baat" },
  { field: "attribute", key: "vip", op: "is", value: true },
  { field: "attribute", key: "wave", op: "is", value: "first" },
  { field: "attribute", key: "wave", op: "is_set" },
  { field: "attribute", key: "score", op: "is", value: 777 },
  { field: "attribute", key: "score", op: "gt", value: 990 },
  { field: "attribute", key: "score", op: "lt", value: 0 },
  { field: "attribute", key: "plan", op: "any_of", value: ["pro", "team"] },
  { field: "attribute", key: "birthday", op: "gte", value: "2004-06-01" },
  { field: "consent", op: "is", value: "subscribed" },
  { field: "consent", op: "is", value: "unsubscribed" },
  { field: "consent", op: "is_not", value: "subscribed" },
  { field: "blocked", op: "is", value: true },
  { field: "blocked", op: "is", value: false },
  { field: "name", op: "is", value: "Maria Silmann" },
  { field: "name", op: "starts_with", value: "Maria" },
  { field: "name", op: "starts_with", value: "Zbigniew Z" },
  { field: "name", op: "contains", value: "zygm" },
  { field: "name", op: "contains", value: "qqq" },
  { field: "name", op: "is_not_set" },
  { field: "phone", op: "starts_with", value: "+49" },
  { field: "phone", op: "contains", value: "19005" },
  { field: "phone", op: "is_not_set" },
  { field: "email", op: "contains", value: "zygm" },
  { field: "email", op: "contains", value: "example" },
  { field: "email", op: "is_set" },
  { field: "email", op: "is_not_set" },
  { field: "locale", op: "is", value: "pt-BR" },
  { field: "locale", op: "is", value: "xx" },
  { field: "identity", op: "has", value: "email" },
  { field: "identity", op: "has", value: "store_customer" },
  { field: "createdAt", op: "before", value: "2022-01-05T00:00:00Z" },
  { field: "createdAt", op: "since", value: "2025-10-01T00:00:00Z" },
  { field: "lastSeenAt", op: "before", value: "2023-10-01T00:00:00Z" },
  { field: "lastSeenAt", op: "since", value: "2026-02-27T00:00:00Z" },
  { field: "lastSeenAt", op: "is_not_set" },
  { field: "lastInboundAt", op: "since", value: "2026-02-27T00:00:00Z" },
  { field: "lastInboundAt", op: "is_not_set" }
]

const combinations = (organization: number): ReadonlyArray<FilterInput> => {
  const tag = (place: number): FilterInput => ({ field: "tag", op: "any_of", value: [tagAt(organization, place)] })
  const [berlin, vip, wave] = [leaves[0], leaves[5], leaves[6]]
  const subscribed: FilterInput = { field: "consent", op: "is", value: "subscribed" }
  const some = (...of: ReadonlyArray<FilterInput | undefined>) => of.filter((each) => each !== undefined)
  return [
    { all: some(tag(0), wave) },
    { all: some(tag(0), berlin, subscribed) },
    { all: some(tag(2), tag(3)) },
    { all: some(tag(5), subscribed) },
    { any: some(tag(2), tag(4)) },
    { any: some(wave, tag(5)) },
    { not: tag(0) },
    { all: some(vip, { not: subscribed }) },
    { all: some(berlin, { field: "createdAt", op: "before", value: "2022-02-01T00:00:00Z" }) },
    { all: some(vip, { field: "lastSeenAt", op: "is_not_set" }, { field: "email", op: "is_not_set" }) }
  ]
}

const prefixes = (word: string) => Array.from({ length: 12 }, (_, index) => word.slice(0, index + 1).trim())

/** Every question, of the organization at this place. */
export const questionsOf = (organization: number): ReadonlyArray<Question> => {
  const asked = (kind: Kind, name: string, request: ContactListRequest, after: Question["after"] = null): Question => ({
    kind,
    name,
    request,
    after
  })
  const inMainSorts = (kind: Kind, name: string, request: ContactListRequest) =>
    mainSorts.flatMap((sort) => [
      asked(kind, `${name}, by ${sort}`, { ...request, sort }),
      asked(kind, `${name}, deep by ${sort}`, { ...request, sort }, keyAt(sort, 0.5))
    ])
  const searches = new Set([
    ...typed,
    ...prefixes("maria silmann"),
    ...prefixes("zbigniew zygm"),
    ...prefixes("qxyvjqxyvjqx")
  ])
  return [
    ...sorts.flatMap((sort) => [
      asked("pages, no filter", `first by ${sort}`, { sort }),
      ...depths.map((depth) => asked("pages, no filter", `at ${depth} by ${sort}`, { sort }, keyAt(sort, depth)))
    ]),
    ...tagShares.flatMap((share, place) =>
      inMainSorts("pages, one filter", `tag of ${share * 100} %`, { tags: [TagId.make(tagAt(organization, place))] })
    ),
    ...leaves.flatMap((filter) => inMainSorts("pages, one filter", JSON.stringify(filter), { filter })),
    ...combinations(organization).flatMap((filter) =>
      inMainSorts("pages, filters together", JSON.stringify(filter), { filter })
    ),
    ...[...searches].flatMap((q) =>
      mainSorts.map((sort) =>
        asked(q.length < 3 ? "searches of 1 or 2 letters" : "searches of 3 letters and more", `${q}, by ${sort}`, {
          q,
          sort
        })
      )
    ),
    ...misspelled.map((q) => asked("misspelled searches", q, { q })),
    ...["maria", "zwick", "49"].flatMap((q) =>
      inMainSorts("searches with a filter", `${q}, subscribed`, { q, consent: "subscribed" })
    )
  ]
}

/** Parameters of the list request. */
export const parametersOf = ({ request: { consent, filter, q, sort, tags = [] } }: Question, cursor: string | null) => {
  const parameters = new URLSearchParams(tags.map((tag) => ["tag", tag]))
  const given = { consent, q, sort, filter: filter === undefined ? undefined : JSON.stringify(filter), cursor }
  for (const [name, value] of Object.entries(given)) if (value != null) parameters.set(name, value)
  return parameters
}
