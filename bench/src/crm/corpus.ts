import {
  type ContactQuery,
  type ContactSort,
  anyContact,
  type Filter,
  type ContactSearch,
  parseContactSearch,
  type Slice,
  TagId
} from "@parley/domain"
import { DateTime } from "effect"
import { tagAt, tagShares } from "./seedContacts.ts"

/** One kind of query of a list of contacts. */
export interface Question {
  readonly name: string
  readonly query: ContactQuery
  readonly slice: Slice
}

const sorts: ReadonlyArray<ContactSort> = ["-createdAt", "createdAt", "name", "-name", "lastSeenAt", "-lastSeenAt"]

/** Orders of filters and searches: one row per index. */
const mainSorts: ReadonlyArray<ContactSort> = ["-createdAt", "name", "-lastSeenAt"]

const at = (text: string) => DateTime.makeUnsafe(text)

const middle: Readonly<Record<ContactSort, ReadonlyArray<string>>> = {
  createdAt: ["018c0000-0000-7000-8000-000000000000"],
  "-createdAt": ["018c0000-0000-7000-8000-000000000000"],
  name: ["maria schmi", "00000000-0000-7000-8000-000000000000"],
  "-name": ["maria schmi", "00000000-0000-7000-8000-000000000000"],
  lastSeenAt: ["2026-01-01T00:00:00.000Z", "00000000-0000-7000-8000-000000000000"],
  "-lastSeenAt": ["2026-01-01T00:00:00.000Z", "00000000-0000-7000-8000-000000000000"]
}

const filters = (organization: number): Readonly<Record<string, Filter>> => {
  const tags = Object.fromEntries(
    tagShares.map((share, place): [string, Filter] => [
      `tag ${share * 100} %`,
      { kind: "any", of: [{ kind: "tagged", tag: TagId.make(tagAt(organization, place)) }] }
    ])
  )
  const tag = (place: number): Filter => ({ kind: "tagged", tag: TagId.make(tagAt(organization, place)) })
  return {
    ...tags,
    "any of two tags": { kind: "any", of: [tag(2), tag(4)] },
    "all of two tags": { kind: "all", of: [tag(2), tag(3)] },
    "none of a common tag": { kind: "not", of: tag(0) },
    "attribute common": { kind: "attributeIs", key: "city", anyOf: ["Berlin"] },
    "attribute 1 %": { kind: "attributeIs", key: "vip", anyOf: [true] },
    "attribute 0.01 %": { kind: "attributeIs", key: "wave", anyOf: ["first"] },
    "attribute absent": { kind: "attributeIs", key: "city", anyOf: ["Atlantis"] },
    "attribute set rare": { kind: "attributeSet", key: "wave" },
    "number 0.1 %": { kind: "attributeIs", key: "score", anyOf: [777] },
    "number over 990": { kind: "attributeCompares", key: "score", type: "number", by: "gt", value: 990 },
    "consent common": { kind: "consent", is: "subscribed" },
    "consent 2 %": { kind: "consent", is: "unsubscribed" },
    "blocked 0.1 %": { kind: "blocked" },
    "name is": { kind: "textIs", field: "name", anyOf: ["maria silmann"] },
    "name starts": { kind: "textStarts", field: "name", with: "zbigniew z" },
    "name contains": { kind: "textContains", field: "name", text: "zygm" },
    "phone is": { kind: "textIs", field: "phone", anyOf: ["+490000190056"] },
    "phone contains": { kind: "textContains", field: "phone", text: "19005" },
    "email contains": { kind: "textContains", field: "email", text: "zygm" },
    "no phone 5 %": { kind: "not", of: { kind: "textSet", field: "phone" } },
    locale: { kind: "textIs", field: "locale", anyOf: ["pt-BR"] },
    "created that day": {
      kind: "all",
      of: [
        { kind: "since", field: "createdAt", at: at("2023-06-01T00:00:00Z") },
        { kind: "before", field: "createdAt", at: at("2023-06-02T00:00:00Z") }
      ]
    },
    "created before 2023": { kind: "before", field: "createdAt", at: at("2023-01-01T00:00:00Z") },
    "seen that day": {
      kind: "all",
      of: [
        { kind: "since", field: "lastSeenAt", at: at("2025-06-01T00:00:00Z") },
        { kind: "before", field: "lastSeenAt", at: at("2025-06-02T00:00:00Z") }
      ]
    },
    "never seen": { kind: "not", of: { kind: "timeSet", field: "lastSeenAt" } },
    "common and rare": { kind: "all", of: [tag(0), { kind: "attributeIs", key: "wave", anyOf: ["first"] }] },
    "common and common": {
      kind: "all",
      of: [tag(0), { kind: "attributeIs", key: "city", anyOf: ["Berlin"] }, { kind: "consent", is: "subscribed" }]
    },
    "common without common": {
      kind: "all",
      of: [
        { kind: "attributeIs", key: "plan", anyOf: ["pro"] },
        { kind: "not", of: tag(0) }
      ]
    }
  }
}

/** Typed search texts: common, rare, without results; from one letter to many. */
export const typed = [
  "m",
  "q",
  "ß",
  "ma",
  "xy",
  "qq",
  "4",
  "49",
  "mar",
  "zyg",
  "qqq",
  "anna",
  "omar",
  "maria",
  "zwick",
  "qxqxq",
  "schmidt",
  "quentwick",
  "zbigniew",
  "+49 00001",
  "190056",
  "7919",
  "maria sil",
  "zbigniew zygmeau",
  "friederike xylan",
  "maria.sil",
  "mail.example",
  "gwendolynn",
  "wolfgang zwickhausen",
  "nobody at all"
]

/** Words with typing errors. */
export const misspelled = [
  "amria",
  "mraia",
  "zbignew",
  "quentwikc",
  "wolfgagn",
  "frederike",
  "xylanhausn",
  "omra",
  "nadd"
]

/** Every query of the organization at this place. */
export const questions = (organization: number): ReadonlyArray<Question> => {
  const page = (
    name: string,
    sort: ContactSort,
    filter: Filter = anyContact,
    search: ContactSearch | null = null,
    after: ReadonlyArray<string> | null = null
  ): Question => ({ name, query: { filter, search, sort }, slice: { limit: 51, after } })
  return [
    ...sorts.flatMap((sort) => [
      page(`first by ${sort}`, sort),
      page(`deep by ${sort}`, sort, anyContact, null, middle[sort])
    ]),
    ...Object.entries(filters(organization)).flatMap(([name, filter]) =>
      mainSorts.flatMap((sort) => [
        page(`${name}, by ${sort}`, sort, filter),
        page(`${name}, deep by ${sort}`, sort, filter, null, middle[sort])
      ])
    ),
    ...typed.flatMap((text) =>
      mainSorts.map((sort) => page(`search ${text}, by ${sort}`, sort, anyContact, parseContactSearch(text)))
    )
  ]
}
