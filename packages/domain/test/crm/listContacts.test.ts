import { assert, layer } from "@effect/vitest"
import { Ids } from "@parley/domain/kernel"
import {
  type Contact,
  type ContactListRequest,
  type ContactSort,
  countContacts,
  createSegment,
  listContacts,
  SegmentId,
  TagId,
  updateContact,
  updateSegment
} from "@parley/domain/crm"
import {
  asOperatorOf,
  givenContact,
  givenContactField,
  givenOrganization,
  givenTag,
  type Of,
  TestKit
} from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { tagOf } from "../tagOf.ts"

const nobodysTag = TagId.make("01990000-0000-7000-8000-00000000dead")
const nobodysSegment = SegmentId.make("01990000-0000-7000-8000-00000000dead")

const names = (contacts: ReadonlyArray<Contact>) => contacts.map(({ name }) => name)

/** Names of the found contacts, oldest first. */
const found = (organization: Of, request: ContactListRequest) =>
  listContacts({ sort: "createdAt", ...request, page: { limit: 100, cursor: null } }).pipe(
    asOperatorOf(organization),
    Effect.map(({ data }) => names(data))
  )

const faultOf = (organization: Of, request: ContactListRequest) =>
  Effect.map(
    Effect.flip(listContacts({ ...request, page: { limit: 10, cursor: null } })).pipe(asOperatorOf(organization)),
    (error) =>
      error._tag === "ValidationFailed"
        ? error.errors.map(({ pointer }) => pointer)
        : error._tag === "NotFound"
          ? [error.resource, error.pointer]
          : [error._tag]
  )

layer(TestKit.layer)("a list of contacts", (it) => {
  it.effect("finds by name, number and address, in any part of them", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      yield* givenContact(organization, { name: "Ada Lovelace", phone: "+491701234567", email: "ada@example.org" })
      yield* givenContact(organization, { name: "Grace Hopper", phone: "+491709999999", email: "grace@navy.test" })
      const searches: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
        ["", ["Ada Lovelace", "Grace Hopper"]],
        ["  ", ["Ada Lovelace", "Grace Hopper"]],
        ["LOVE", ["Ada Lovelace"]],
        ["hopper grace", ["Grace Hopper"]],
        ["ada hopper", []],
        ["navy", ["Grace Hopper"]],
        ["+49 170 123", ["Ada Lovelace"]],
        ["0170", ["Ada Lovelace", "Grace Hopper"]],
        ["gr", ["Grace Hopper"]],
        ["ac", []]
      ]
      for (const [q, expected] of searches)
        assert.deepStrictEqual<ReadonlyArray<string | null>>(yield* found(organization, { q }), expected, q)
    })
  )

  it.effect("finds who is spelled as it was typed first, then others, and never other digits", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      yield* givenContact(organization, { name: "Ada Lovelace", phone: "+491701234567" })
      yield* givenContact(organization, { name: "Grace Hopper" })
      assert.deepStrictEqual(yield* found(organization, { q: "lovelcae" }), ["Ada Lovelace"])
      assert.deepStrictEqual(yield* found(organization, { q: "ada lovlace" }), ["Ada Lovelace"])
      assert.deepStrictEqual(yield* found(organization, { q: "grcae hoper" }), ["Grace Hopper"])
      assert.deepStrictEqual(yield* found(organization, { q: "lovelcae", consent: "subscribed" }), [])
      for (const q of ["1701234568", "+49 170 1234576", "xqzzy", "adx"]) {
        assert.deepStrictEqual(yield* found(organization, { q }), [], q)
      }
      yield* givenContact(organization, { name: "Mr Lovelcae" })
      assert.deepStrictEqual(yield* found(organization, { q: "lovelcae" }), ["Mr Lovelcae", "Ada Lovelace"])
      assert.deepStrictEqual(yield* found(organization, { q: "LOVELACE" }), ["Ada Lovelace", "Mr Lovelcae"])
    })
  )

  it.effect("continues with corrected spellings after a cursor without exact matches", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      yield* givenContact(organization, { name: "Maria One" })
      const last = yield* givenContact(organization, { name: "Maria Two" })
      yield* givenContact(organization, { name: "Mario Three" })
      const read = (cursor: string | null) =>
        listContacts({ q: "maria", sort: "createdAt", page: { limit: 1, cursor } }).pipe(asOperatorOf(organization))
      const { data, nextCursor } = yield* read(null)
      assert.deepStrictEqual(names(data), ["Maria One"])
      yield* updateContact({ id: last.id, name: "Somebody", ifVersion: null }).pipe(asOperatorOf(organization))
      const rest = yield* read(nextCursor)
      assert.deepStrictEqual([names(rest.data), rest.nextCursor], [["Mario Three"], null])
    })
  )

  it.effect("has one order for all page sizes: exact matches, then corrections", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      for (const name of ["Mario A", "Maria B", "Marta C", "María D", "Maria E", "Mario F", "Zoe"]) {
        yield* givenContact(organization, { name })
      }
      const expected = ["Maria B", "María D", "Maria E", "Mario A", "Marta C", "Mario F"]
      for (const limit of [1, 2, 3, 4, 5, 6, 7]) {
        const rows: Array<string | null> = []
        let cursor: string | null = null
        do {
          const page: { readonly data: ReadonlyArray<Contact>; readonly nextCursor: string | null } =
            yield* listContacts({ q: "maria", sort: "createdAt", page: { limit, cursor } }).pipe(
              asOperatorOf(organization)
            )
          assert.isAtMost(page.data.length, limit)
          assert.isNotEmpty(page.data)
          rows.push(...names(page.data))
          cursor = page.nextCursor
        } while (cursor !== null)
        assert.deepStrictEqual(rows, expected, `${limit}`)
      }
    })
  )

  it.effect("finds phone numbers by any part, however they are written", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      yield* givenContact(organization, { name: "German", phone: "+4915123456789" })
      yield* givenContact(organization, { name: "Brazilian", phone: "+5511987654321" })
      yield* givenContact(organization, { name: "Argentinian", phone: "+5491123456789" })
      const searches: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
        ["0151 234", ["German"]],
        ["(0)151-234", ["German"]],
        ["+49 151 234", ["German"]],
        ["+49 (0)151 234", ["German"]],
        ["0049151234", ["German"]],
        ["german 0151", ["German"]],
        ["456789", ["German", "Argentinian"]],
        ["+55 11 98765-4321", ["Brazilian"]],
        ["+55 11 8765-4321", ["Brazilian"]],
        ["+55 11 8765", ["Brazilian"]],
        ["011 98765", ["Brazilian"]],
        ["+54 9 11 2345", ["Argentinian"]],
        ["+54 11 2345", ["Argentinian"]],
        ["011 2345-6789", ["Argentinian"]]
      ]
      for (const [q, expected] of searches) {
        assert.deepStrictEqual<ReadonlyArray<string | null>>(yield* found(organization, { q }), expected, q)
      }
    })
  )

  it.effect("corrects equally on every page", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      for (let count = 0; count < 5; count++) yield* givenContact(organization, { name: `Ada Lovelace ${count}` })
      const read = (cursor: string | null) =>
        listContacts({ q: "lovelcae", sort: "createdAt", page: { limit: 2, cursor } }).pipe(asOperatorOf(organization))
      const one = yield* read(null)
      const two = yield* read(one.nextCursor)
      const three = yield* read(two.nextCursor)
      assert.deepStrictEqual(
        names([...one.data, ...two.data, ...three.data]),
        [0, 1, 2, 3, 4].map((at) => `Ada Lovelace ${at}`)
      )
      assert.isNull(three.nextCursor)
    })
  )

  it.effect("has the requested order for all page sizes, newest first by default", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      for (const name of ["b", "B", null, "a", "Ä", null, "z", "a"]) {
        yield* givenContact(organization, { name, identities: [{ kind: "external", value: yield* (yield* Ids).next }] })
        yield* TestClock.adjust("1 second")
      }
      const page = (request: ContactListRequest, limit: number, cursor: string | null) =>
        listContacts({ ...request, page: { limit, cursor } }).pipe(inside)
      const whole = (request: ContactListRequest, limit: number) =>
        Effect.gen(function* () {
          const rows: Array<Contact> = []
          let cursor: string | null = null
          do {
            const read: { readonly data: ReadonlyArray<Contact>; readonly nextCursor: string | null } = yield* page(
              request,
              limit,
              cursor
            )
            rows.push(...read.data)
            cursor = read.nextCursor
          } while (cursor !== null)
          return rows.map(({ id }) => id)
        })
      for (const sort of [
        undefined,
        "createdAt",
        "-createdAt",
        "name",
        "-name",
        "lastSeenAt",
        "-lastSeenAt"
      ] as const) {
        const request = sort === undefined ? {} : { sort }
        const all = yield* whole(request, 100)
        for (const limit of [1, 2, 3]) assert.deepStrictEqual(yield* whole(request, limit), all)
        if (sort === undefined) assert.deepStrictEqual(all, yield* whole({ sort: "-createdAt" }, 100))
      }
      for (const sort of ["createdAt", "name", "lastSeenAt"] as const) {
        const reverse: ContactSort = `-${sort}`
        assert.deepStrictEqual((yield* whole({ sort }, 100)).toReversed(), yield* whole({ sort: reverse }, 100))
      }
    })
  )

  it.effect("goes on with its own cursors only", () =>
    Effect.gen(function* () {
      const [organization, other] = [yield* givenOrganization(), yield* givenOrganization()]
      for (const place of [organization, organization, other, other]) yield* givenContact(place, { name: "Ada" })
      const list = (place: Of, request: ContactListRequest, cursor: string | null) =>
        listContacts({ ...request, page: { limit: 1, cursor } }).pipe(asOperatorOf(place))
      const { nextCursor } = yield* list(organization, { sort: "name" }, null)
      assert.isString(nextCursor)
      assert.strictEqual(yield* tagOf(list(organization, { sort: "name" }, nextCursor)), "ok")
      for (const sort of ["-name", "createdAt", "-createdAt", "lastSeenAt"] as const) {
        assert.strictEqual(yield* tagOf(list(organization, { sort }, nextCursor)), "CursorInvalid")
      }
      assert.strictEqual(yield* tagOf(list(organization, {}, nextCursor)), "CursorInvalid")
      assert.strictEqual(yield* tagOf(list(organization, { sort: "name", q: "Ada" }, nextCursor)), "CursorInvalid")
      assert.strictEqual(yield* tagOf(list(other, { sort: "name" }, nextCursor)), "CursorInvalid")
      assert.strictEqual(yield* tagOf(list(organization, { sort: "name" }, "forged")), "CursorInvalid")
    })
  )

  it.effect("holds all that is asked: tags, consent, times, attributes, a segment and a filter", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const [one, two] = [yield* givenTag(organization), yield* givenTag(organization)]
      yield* givenContactField(organization, "city")
      yield* givenContactField(organization, "score", { type: "number" })
      yield* givenContactField(organization, "vip", { type: "boolean" })
      yield* givenContactField(organization, "born", { type: "date" })
      yield* givenContactField(organization, "size", { type: "enum", choices: ["S", "M"] })
      const start = yield* DateTime.now
      const at = (seconds: number) => DateTime.add(start, { seconds })
      yield* givenContact(organization, {
        name: "Ada",
        tags: [one.id],
        attributes: { city: "Rome", score: 5, vip: false, born: "1815-12-10", size: "S" }
      })
      yield* TestClock.adjust("1 second")
      yield* givenContact(organization, {
        name: "Grace",
        tags: [one.id, two.id].toSorted(),
        marketing: { state: "subscribed" },
        attributes: { city: "Oslo", score: -1.5, vip: true }
      })
      yield* TestClock.adjust("1 second")
      yield* givenContact(organization, { name: "Alan", tags: [two.id], attributes: { city: "5" } })
      const segment = yield* createSegment({
        name: "A",
        filter: { field: "name", op: "starts_with", value: "A" }
      }).pipe(inside)
      const cases: ReadonlyArray<readonly [ContactListRequest, ReadonlyArray<string>]> = [
        [{ tags: [one.id] }, ["Ada", "Grace"]],
        [{ tags: [one.id, two.id] }, ["Ada", "Grace", "Alan"]],
        [{ tags: [one.id, two.id], tagMatch: "all" }, ["Grace"]],
        [{ consent: "subscribed" }, ["Grace"]],
        [{ consent: "unknown" }, ["Ada", "Alan"]],
        [{ createdFrom: at(1) }, ["Grace", "Alan"]],
        [{ createdTo: at(1) }, ["Ada"]],
        [{ createdFrom: at(1), createdTo: at(2) }, ["Grace"]],
        [{ lastSeenFrom: at(0) }, []],
        [{ lastSeenTo: at(9) }, []],
        [{ attributes: { city: "Rome" } }, ["Ada"]],
        [{ attributes: { city: "rome" } }, []],
        [{ attributes: { city: "5" } }, ["Alan"]],
        [{ attributes: { score: "5" } }, ["Ada"]],
        [{ attributes: { score: "-1.50" } }, ["Grace"]],
        [{ attributes: { vip: "true" } }, ["Grace"]],
        [{ attributes: { vip: "false" } }, ["Ada"]],
        [{ attributes: { born: "1815-12-10", size: "S" } }, ["Ada"]],
        [{ attributes: { vip: "true", city: "Rome" } }, []],
        [{ segment: segment.id }, ["Ada", "Alan"]],
        [{ filter: { field: "attribute", key: "score", op: "gt", value: 0 } }, ["Ada"]],
        [{ segment: segment.id, tags: [two.id], filter: {} }, ["Alan"]],
        [{ q: "a", segment: segment.id, tags: [one.id], consent: "unknown", createdTo: at(1) }, ["Ada"]]
      ]
      for (const [request, expected] of cases) {
        assert.deepStrictEqual<ReadonlyArray<string | null>>(
          yield* found(organization, request),
          expected,
          JSON.stringify(request)
        )
      }
    })
  )

  it.effect("finds whom a number or an address is of, however it is written", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      yield* givenContact(organization, { name: "Ada", phone: "+491701234567", email: "ada@example.org" })
      yield* givenContact(organization, { name: "Ana", phone: "+5511987654321" })
      const cases: ReadonlyArray<readonly [ContactListRequest, ReadonlyArray<string>]> = [
        [{ phone: "+49 170 1234567" }, ["Ada"]],
        [{ phone: " 491701234567" }, ["Ada"]],
        [{ phone: "0049 (0)170/12345-67" }, ["Ada"]],
        [{ phone: "0170 1234567", country: "DE" }, ["Ada"]],
        [{ phone: "+49 170 1234567", country: "BR" }, ["Ada"]],
        [{ phone: "00491701234567", country: "DE" }, ["Ada"]],
        [{ phone: "+55 11 8765-4321" }, ["Ana"]],
        [{ phone: "11 8765-4321", country: "BR" }, ["Ana"]],
        [{ phone: "0170 1234567", country: "AT" }, []],
        [{ phone: "+491701234568" }, []],
        [{ email: " ADA@Example.org " }, ["Ada"]],
        [{ email: "ana@example.org" }, []],
        [{ phone: "+491701234567", email: "ada@example.org" }, ["Ada"]],
        [{ phone: "+5511987654321", email: "ada@example.org" }, []],
        [{ country: "DE" }, ["Ada", "Ana"]]
      ]
      for (const [request, expected] of cases) {
        assert.deepStrictEqual<ReadonlyArray<string | null>>(
          yield* found(organization, request),
          expected,
          JSON.stringify(request)
        )
        const counted = yield* countContacts(request).pipe(asOperatorOf(organization))
        assert.deepStrictEqual(counted, { count: expected.length }, JSON.stringify(request))
      }
      assert.deepStrictEqual(yield* faultOf(organization, { phone: "0170 1234567", email: "ada at example" }), [
        "/phone",
        "/email"
      ])
      for (const phone of ["", "1234", "hello", "+49 170 1234567 x12"]) {
        assert.deepStrictEqual(yield* faultOf(organization, { phone }), ["/phone"], phone)
      }
    })
  )

  it.effect("accepts a tag by name regardless of case, and its count equals the list", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const vip = yield* givenTag(organization, { name: "VIP" })
      yield* givenTag(yield* givenOrganization(), { name: "Theirs" })
      yield* givenContact(organization, { name: "Maria", tags: [vip.id] })
      yield* givenContact(organization, { name: "Mario", tags: [vip.id] })
      yield* givenContact(organization, { name: "Maria" })
      const cases: ReadonlyArray<readonly [ContactListRequest, ReadonlyArray<string>]> = [
        [{ tags: ["vip"] }, ["Maria", "Mario"]],
        [{ tags: ["Vip", vip.id], tagMatch: "all" }, ["Maria", "Mario"]],
        [{ tags: ["VIP"], q: "maria" }, ["Maria", "Mario"]],
        [{ q: "maria" }, ["Maria", "Maria", "Mario"]],
        [{}, ["Maria", "Mario", "Maria"]]
      ]
      for (const [request, expected] of cases) {
        assert.deepStrictEqual<ReadonlyArray<string | null>>(
          yield* found(organization, request),
          expected,
          JSON.stringify(request)
        )
        const counted = yield* countContacts(request).pipe(asOperatorOf(organization))
        assert.deepStrictEqual(counted, { count: expected.length }, JSON.stringify(request))
      }
      assert.deepStrictEqual(yield* faultOf(organization, { tags: ["vip", "Theirs"] }), ["tag", "/tag/1"])
    })
  )

  it.effect("names invalid parameters", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const [mine, foreign] = [yield* givenTag(organization), yield* givenTag(yield* givenOrganization())]
      yield* givenContactField(organization, "score", { type: "number" })
      yield* givenContactField(organization, "size", { type: "enum", choices: ["S"] })
      const foreignSegment = yield* createSegment({ name: "A", filter: {} }).pipe(
        asOperatorOf(yield* givenOrganization())
      )
      assert.deepStrictEqual(yield* faultOf(organization, { tags: [mine.id, nobodysTag] }), ["tag", "/tag/1"])
      assert.deepStrictEqual(yield* faultOf(organization, { tags: [foreign.id] }), ["tag", "/tag/0"])
      for (const segment of [nobodysSegment, foreignSegment.id]) {
        assert.deepStrictEqual(yield* faultOf(organization, { segment }), ["segment", "/segment"])
      }
      assert.deepStrictEqual(
        yield* faultOf(organization, { attributes: { score: "five", size: "XL", none: "1", constructor: "1" } }),
        ["/attribute.score", "/attribute.size", "/attribute.none", "/attribute.constructor"]
      )
      assert.deepStrictEqual(
        yield* faultOf(organization, { filter: { all: [{ field: "name", op: "is" }, { field: "x" }] } }),
        ["/filter/all/0/value", "/filter/all/1/field"]
      )
      const within = (value: SegmentId) => ({ field: "segment", op: "in", value })
      const inner = yield* createSegment({ name: "Inner", filter: {} }).pipe(inside)
      const outer = yield* createSegment({ name: "Outer", filter: { not: { not: within(inner.id) } } }).pipe(inside)
      const deep = { not: { not: { not: { not: { not: { field: "blocked", op: "is", value: true } } } } } }
      yield* updateSegment({ id: inner.id, filter: deep, ifVersion: null }).pipe(inside)
      assert.deepStrictEqual(yield* faultOf(organization, { segment: outer.id }), ["/segment"])
    })
  )

  it.effect("shows contacts as they are now", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { id } = yield* givenContact(organization, { name: "Ada" })
      yield* updateContact({ id, name: "Grace", ifVersion: null }).pipe(asOperatorOf(organization))
      assert.deepStrictEqual(yield* found(organization, { q: "ada" }), [])
      assert.deepStrictEqual(yield* found(organization, { q: "grace" }), ["Grace"])
    })
  )
})
