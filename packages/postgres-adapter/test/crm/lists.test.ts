import { assert, describe, layer } from "@effect/vitest"
import {
  Contact,
  contactCursorKey,
  type ContactQuery,
  Contacts,
  type ContactSort,
  anyContact,
  type Filter,
  matchesFilter,
  matchesSearch,
  searchableNameWords,
  parseContactSearch,
  contactSearchText
} from "@parley/domain/crm"
import { layerAreas } from "@parley/domain/composition"
import * as Postgres from "@parley/postgres-adapter"
import { freshDatabase } from "@parley/postgres-adapter/testing"
import { asOperatorOf, givenOrganization, TestSecurity } from "@parley/testkit"
import { holdsRendered } from "@parley/testkit/contracts"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { givenManyContacts, tagAt } from "./support/manyContacts.ts"

const count = 20_000

const sorts: ReadonlyArray<ContactSort> = ["createdAt", "-createdAt", "name", "-name", "lastSeenAt", "-lastSeenAt"]

const at = (text: string) => DateTime.makeUnsafe(text)
const tagged = (place: number): Filter => ({ kind: "tagged", tag: tagAt(place) })
const all = (...of: ReadonlyArray<Filter>): Filter => ({ kind: "all", of })
const any = (...of: ReadonlyArray<Filter>): Filter => ({ kind: "any", of })
const not = (of: Filter): Filter => ({ kind: "not", of })
const city = (...anyOf: ReadonlyArray<string>): Filter => ({ kind: "attributeIs", key: "city", anyOf })
const wave: Filter = { kind: "attributeIs", key: "wave", anyOf: ["first"] }

const filters: ReadonlyArray<Filter> = [
  anyContact,
  ...[0, 1, 2, 3, 4].map(tagged),
  any(tagged(2)),
  any(tagged(3), tagged(4)),
  all(tagged(0), tagged(1), tagged(2)),
  all(tagged(0), wave),
  not(tagged(0)),
  city("Quito", "Atlantis"),
  city("Atlantis"),
  wave,
  any(wave, tagged(3)),
  any(wave, { kind: "blocked" }),
  { kind: "attributeSet", key: "wave" },
  { kind: "attributeContains", key: "wave", text: "irs" },
  { kind: "attributeCompares", key: "score", type: "number", by: "gte", value: 995.5 },
  { kind: "consent", is: "unsubscribed" },
  { kind: "consent", is: "subscribed" },
  { kind: "blocked" },
  { kind: "identity", has: "external" },
  { kind: "identity", has: "chat_user" },
  { kind: "textIs", field: "name", anyOf: ["zoé zygmeau"] },
  { kind: "textIs", field: "phone", anyOf: ["+4915000000007"] },
  { kind: "textIs", field: "email", anyOf: ["p12@example.com", "p15@example.com"] },
  { kind: "knownBy", identity: { kind: "phone", value: "+4915000000007" } },
  { kind: "knownBy", identity: { kind: "email", value: "p12@example.com" } },
  { kind: "textStarts", field: "name", with: "zbigniew 1" },
  { kind: "textContains", field: "name", text: "% _" },
  { kind: "textContains", field: "phone", text: "0000123" },
  not({ kind: "textSet", field: "phone" }),
  not({ kind: "textSet", field: "name" }),
  not({ kind: "timeSet", field: "lastSeenAt" }),
  { kind: "since", field: "lastSeenAt", at: at("2024-06-15T00:00:00Z") },
  all(
    { kind: "since", field: "createdAt", at: at("2024-01-03T00:00:00Z") },
    { kind: "before", field: "createdAt", at: at("2024-01-03T02:00:00Z") }
  ),
  { kind: "before", field: "createdAt", at: at("2024-01-02T00:00:00Z") },
  { kind: "before", field: "lastInboundAt", at: at("2024-01-02T00:00:00Z") }
]

const searches = [
  "m",
  "x",
  "zz",
  "4",
  "49",
  "mar",
  "zygm",
  "qqq",
  "100 %",
  "% _",
  "0000123",
  "p1234@",
  "quirin zyg",
  "'"
]

const byKey = (sort: ContactSort) => (one: Contact, other: Contact) => {
  const [first, second] = [contactCursorKey(sort, one), contactCursorKey(sort, other)]
  const place = first.findIndex((text, index) => text !== second[index])
  const order = place < 0 ? 0 : (first[place] ?? "") < (second[place] ?? "") ? -1 : 1
  return sort.startsWith("-") ? -order : order
}

const finds = ({ filter, search }: ContactQuery, contact: Contact) => {
  return (
    matchesFilter(filter, contact, () => false) &&
    (search === null || matchesSearch(contactSearchText(contact), search))
  )
}

class Tenant extends Context.Service<
  Tenant,
  {
    readonly organization: Effect.Success<ReturnType<typeof givenOrganization>>
    readonly contacts: ReadonlyArray<Contact>
  }
>()("test/Tenant") {}

const layerDatabase = Layer.unwrap(
  Effect.map(freshDatabase, (url) => Postgres.Database.layer({ url, maxConnections: 1 }))
)

const layerTenant = Layer.effect(
  Tenant,
  Effect.gen(function* () {
    const organization = yield* givenOrganization()
    const contacts = yield* givenManyContacts(count).pipe(asOperatorOf(organization))
    const sql = yield* SqlClient.SqlClient
    yield* sql`VACUUM ANALYZE`
    return { organization, contacts }
  })
).pipe(
  Layer.provideMerge(Layer.provideMerge(layerAreas, TestSecurity.layer)),
  Layer.provideMerge(Postgres.layer),
  Layer.provideMerge(layerDatabase),
  Layer.orDie
)

const readAll = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SELECT pg_stat_force_next_flush()`
  const [row] = yield* sql<{ readonly scans: number }>`
    SELECT sum(seq_scan)::integer AS scans FROM pg_stat_user_tables
    WHERE relname IN ('contacts', 'contact_tags', 'contact_identities')`
  return row?.scans ?? 0
})

/** Twenty rows of a list, or all that are left, however often it stops on the way. They are rendered as they are listed. */
const wholePage = Effect.fnUntraced(function* (query: ContactQuery, from: ReadonlyArray<string> | null) {
  const port = yield* Contacts
  const found: Array<Contact> = []
  let after = from
  do {
    const slice = { limit: 20 - found.length, after }
    const { resume, rows } = yield* port.list(query, slice)
    const rendered = yield* port.render(query, slice)
    assert.deepStrictEqual(rendered.resume, resume)
    holdsRendered<Contact, unknown>(Contact, (contact) => contactCursorKey(query.sort, contact))(rendered.rows, rows)
    found.push(...rows)
    after = resume
  } while (after !== null && found.length < 20)
  return found
})

const pages = Effect.fnUntraced(function* (query: ContactQuery, contacts: ReadonlyArray<Contact>) {
  const { sort } = query
  const expected = contacts.filter((contact) => finds(query, contact)).toSorted(byKey(sort))
  const middle = expected[Math.floor(expected.length / 2)]
  for (const after of [null, ...(middle === undefined ? [] : [contactCursorKey(sort, middle)])]) {
    const before = yield* readAll
    const rows = yield* wholePage(query, after)
    const what = JSON.stringify({ query, after })
    // For a pattern with special characters only, the planner expects many rows, so it reads a small table directly.
    // What no index knows is walked for, and half of a small table is not worth a walk.
    const isSmall = what.includes("% _") || what.includes("lastInboundAt")
    if (!isSmall) assert.strictEqual(yield* readAll, before, `a whole table was read for ${what}`)
    const from = after === null ? 0 : Math.floor(expected.length / 2) + 1
    assert.deepStrictEqual(
      rows.map(({ id }) => id),
      expected.slice(from, from + 20).map(({ id }) => id),
      what
    )
  }
})

describe("lists of twenty thousand contacts", () => {
  layer(layerTenant, { timeout: 120_000 })((it) => {
    for (const sort of sorts) {
      it.effect(
        `are what the domain says, and no table is read whole for them, by ${sort}`,
        () =>
          Effect.gen(function* () {
            const { contacts, organization } = yield* Tenant
            yield* Effect.gen(function* () {
              for (const filter of filters) yield* pages({ filter, search: null, sort }, contacts)
              for (const text of searches)
                yield* pages({ filter: anyContact, search: parseContactSearch(text), sort }, contacts)
              yield* pages({ filter: tagged(1), search: parseContactSearch("maria"), sort }, contacts)
              yield* pages({ filter: wave, search: parseContactSearch("zb"), sort }, contacts)
            }).pipe(asOperatorOf(organization))
          }),
        120_000
      )
    }

    it.effect(
      "have counts equal to their lists, for every request",
      () =>
        Effect.gen(function* () {
          const { contacts, organization } = yield* Tenant
          const port = yield* Contacts
          const queries = [
            ...filters.map((filter) => ({ filter, search: null })),
            ...searches.map((text) => ({ filter: anyContact, search: parseContactSearch(text) })),
            { filter: tagged(1), search: parseContactSearch("maria") },
            { filter: wave, search: parseContactSearch("zb") }
          ]
          for (const query of queries) {
            const expected = contacts.filter((contact) => finds({ ...query, sort: "createdAt" }, contact)).length
            const counted = yield* asOperatorOf(organization)(port.countOf(query))
            assert.strictEqual(counted, expected, JSON.stringify(query))
          }
        }),
      120_000
    )

    it.effect("are counted and looked up without reading a table whole", () =>
      Effect.gen(function* () {
        const { contacts, organization } = yield* Tenant
        const port = yield* Contacts
        yield* Effect.gen(function* () {
          assert.strictEqual(yield* port.count(), count)
          const before = yield* readAll
          const known = yield* port.findByIdentity([{ kind: "phone", value: "+4915000000007" }])
          assert.lengthOf(known, contacts.filter(({ phone }) => phone === "+4915000000007").length)
          for (const word of ["amria", "zbignew", "xylandre", "schmit"]) {
            const like = yield* port.wordsLike(word)
            assert.isNotEmpty(like, word)
            assert.isTrue(like.every((each) => contacts.some(({ name }) => searchableNameWords(name).includes(each))))
          }
          assert.strictEqual(yield* readAll, before)
        }).pipe(asOperatorOf(organization))
      })
    )
  })
})
