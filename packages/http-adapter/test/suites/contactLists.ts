import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { DateTime, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, at, idsOf, pointersOf, rowsOf, textAt } from "../harness/answers.ts"
import { addedId, as } from "../harness/crm.ts"
import { overHttp } from "../harness/service.ts"
import { freshId, givenContact, givenContactField, givenTag, givenTenant, type Tenant } from "../harness/tenants.ts"

const query = (parameters: Readonly<Record<string, string | ReadonlyArray<string>>>) =>
  new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value]] : value.map((each) => [name, each])
    )
  ).toString()

const list = (tenant: Tenant, parameters: Readonly<Record<string, string | ReadonlyArray<string>>> = {}) =>
  as(tenant)("GET", `/contacts?${query(parameters)}`)

const namesIn = (tenant: Tenant, parameters: Readonly<Record<string, string | ReadonlyArray<string>>>) =>
  Effect.map(list(tenant, parameters), (answer) => rowsOf(answer).map((row) => String(at(row, "name"))))

const filtered = (filter: unknown) => ({ filter: JSON.stringify(filter) })

/** Four contacts, added a minute apart, each with a different property. */
const givenPeople = Effect.gen(function* () {
  const tenant = yield* givenTenant()
  const { organization } = tenant
  const vip = yield* givenTag(organization)
  const guest = yield* givenTag(organization)
  yield* givenContactField(organization, { key: "city" })
  yield* givenContactField(organization, { key: "age", type: "number" })
  yield* givenContactField(organization, { key: "club", type: "boolean" })
  const add = (body: object) => Effect.tap(addedId(tenant, "/contacts", body), () => TestClock.adjust("1 minute"))
  yield* add({
    name: "Ada Lovelace",
    phone: "+447911123456",
    email: "ada@engine.example",
    tags: [vip.id],
    attributes: { city: "London", age: 36 },
    marketing: { state: "subscribed" }
  })
  yield* add({
    name: "Katherine Johnson",
    phone: "+12025550143",
    tags: [vip.id, guest.id],
    attributes: { city: "Hampton", age: 101, club: true },
    marketing: { state: "unsubscribed" }
  })
  yield* add({ name: "Émilie du Châtelet", email: "emilie@cirey.example", attributes: { age: 42, club: false } })
  yield* add({ name: "grace hopper", phone: "+12025550199", tags: [guest.id], locale: "en-US" })
  return { tenant, vip, guest }
})

/** Search, filters, order and pages of contacts. */
export const contactListsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("contacts are found by their data, and all parts of a request must match", () =>
      Effect.gen(function* () {
        const { guest, tenant, vip } = yield* givenPeople
        const names = (parameters: Readonly<Record<string, string | ReadonlyArray<string>>>) =>
          Effect.map(namesIn(tenant, parameters), (found) => found.map((name) => name.split(" ")[0]))
        assert.deepStrictEqual(yield* names({}), ["grace", "Émilie", "Katherine", "Ada"])
        assert.deepStrictEqual(yield* names({ tag: vip.id }), ["Katherine", "Ada"])
        assert.deepStrictEqual(yield* names({ tag: [vip.id, guest.id] }), ["grace", "Katherine", "Ada"])
        assert.deepStrictEqual(yield* names({ tag: [vip.id, guest.id], tagMatch: "any" }), [
          "grace",
          "Katherine",
          "Ada"
        ])
        assert.deepStrictEqual(yield* names({ tag: [vip.id, guest.id], tagMatch: "all" }), ["Katherine"])
        assert.deepStrictEqual(yield* names({ consent: "subscribed" }), ["Ada"])
        assert.deepStrictEqual(yield* names({ consent: "unknown" }), ["grace", "Émilie"])
        assert.deepStrictEqual(yield* names({ "attribute.city": "London" }), ["Ada"])
        assert.deepStrictEqual(yield* names({ "attribute.age": "42" }), ["Émilie"])
        assert.deepStrictEqual(yield* names({ "attribute.club": "true", "attribute.city": "Hampton" }), ["Katherine"])
        assert.deepStrictEqual(yield* names({ "attribute.club": "true", "attribute.city": "London" }), [])
        assert.deepStrictEqual(yield* names({ tag: vip.id, consent: "unsubscribed" }), ["Katherine"])

        const first = rowsOf(yield* list(tenant, { sort: "createdAt" }))
        const times = first.map((row) => String(at(row, "createdAt")))
        assert.deepStrictEqual(yield* names({ createdFrom: String(times[2]) }), ["grace", "Émilie"])
        assert.deepStrictEqual(yield* names({ createdTo: String(times[2]) }), ["Katherine", "Ada"])
        assert.deepStrictEqual(yield* names({ createdFrom: String(times[1]), createdTo: String(times[3]) }), [
          "Émilie",
          "Katherine"
        ])
      })
    )

    it.effect("a search looks into names, e-mail addresses and phone numbers", () =>
      Effect.gen(function* () {
        const { tenant } = yield* givenPeople
        const found = (q: string) => Effect.map(namesIn(tenant, { q }), (names) => names.join(", "))
        assert.strictEqual(yield* found("lovelace"), "Ada Lovelace")
        assert.strictEqual(yield* found("LOVE ada"), "Ada Lovelace")
        assert.strictEqual(yield* found("velac"), "Ada Lovelace")
        assert.strictEqual(yield* found("émilie"), "Émilie du Châtelet")
        assert.strictEqual(yield* found("ÉMILIE du"), "Émilie du Châtelet")
        assert.strictEqual(yield* found("cirey"), "Émilie du Châtelet")
        assert.strictEqual(yield* found("engine.example"), "Ada Lovelace")
        assert.strictEqual(yield* found("07911 123456"), "Ada Lovelace")
        assert.strictEqual(yield* found("+44 (7911) 123"), "Ada Lovelace")
        assert.strictEqual(yield* found("0143"), "Katherine Johnson")
        assert.strictEqual(yield* found("2025550"), "grace hopper, Katherine Johnson")
        assert.strictEqual(yield* found("gr"), "grace hopper")
        assert.strictEqual(yield* found("  "), "grace hopper, Émilie du Châtelet, Katherine Johnson, Ada Lovelace")
        assert.strictEqual(yield* found("nobody at all"), "")
        assert.strictEqual(yield* found("%"), "")
        assert.strictEqual(yield* found("a_a lovelace"), "")
      })
    )

    it.effect.each([
      { typed: "Kathrine", meant: "Katherine Johnson" },
      { typed: "johnsen", meant: "Katherine Johnson" },
      { typed: "lovelaec", meant: "Ada Lovelace" },
      { typed: "hoper grace", meant: "grace hopper" }
    ])("a search for $typed finds $meant", ({ meant, typed }) =>
      Effect.gen(function* () {
        const { tenant } = yield* givenPeople
        assert.deepStrictEqual(yield* namesIn(tenant, { q: typed }), [meant])
      })
    )

    it.effect("a corrected search continues over its pages and within its filters", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        for (const surname of ["One", "Two", "Three"]) {
          yield* givenContact(tenant.organization, { name: `Katherine ${surname}` })
        }
        yield* givenContact(tenant.organization, { name: "Grace Hopper" })
        const first = yield* list(tenant, { q: "Kathrine", limit: "2" })
        const second = yield* list(tenant, { q: "Kathrine", limit: "2", cursor: textAt(first, "nextCursor") })
        assert.deepStrictEqual([idsOf(first).length, idsOf(second).length, second.body.nextCursor], [2, 1, null])
        assert.strictEqual(new Set([...idsOf(first), ...idsOf(second)]).size, 3)
        assert.isEmpty(idsOf(yield* list(tenant, { q: "Kathrine", consent: "subscribed" })))
      })
    )

    it.effect("contacts are sorted as asked, those without a value as the smallest, and paged in that order", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const now = yield* DateTime.now
        const add = (name: string | null, daysAgo: number | null) =>
          givenContact(tenant.organization, {
            name,
            lastSeenAt: daysAgo === null ? null : DateTime.subtract(now, { days: daysAgo }),
            identities: [{ kind: "external", value: `${name}-${daysAgo}`, source: "api", addedAt: now }]
          })
        const ids: ReadonlyArray<string> = [
          (yield* add("bea", 3)).id,
          (yield* add("Ada", null)).id,
          (yield* add(null, 1)).id,
          (yield* add("ada", 2)).id,
          (yield* add("Élise", null)).id
        ]
        const order = {
          createdAt: [0, 1, 2, 3, 4],
          name: [2, 1, 3, 0, 4],
          lastSeenAt: [1, 4, 0, 3, 2]
        }
        for (const [sort, indexes] of Object.entries(order)) {
          const wanted = indexes.map((index) => ids[index] ?? "")
          for (const [spelled, expected] of [
            [sort, wanted],
            [`-${sort}`, wanted.toReversed()]
          ] as const) {
            assert.deepStrictEqual(idsOf(yield* list(tenant, { sort: spelled })), expected, spelled)
            const seen: Array<string> = []
            let cursor: string | null = null
            do {
              const page: Effect.Success<ReturnType<typeof list>> = yield* list(tenant, {
                sort: spelled,
                limit: "2",
                ...(cursor !== null && { cursor })
              })
              seen.push(...idsOf(page))
              cursor = typeof page.body.nextCursor === "string" ? page.body.nextCursor : null
            } while (cursor !== null)
            assert.deepStrictEqual(seen, expected, spelled)
          }
        }
        assert.deepStrictEqual(
          idsOf(yield* list(tenant, { lastSeenFrom: DateTime.formatIso(DateTime.subtract(now, { days: 2 })) })),
          [ids[3] ?? "", ids[2] ?? ""]
        )
        assert.deepStrictEqual(
          idsOf(yield* list(tenant, { lastSeenTo: DateTime.formatIso(DateTime.subtract(now, { days: 2 })) })),
          [ids[0] ?? ""]
        )
      })
    )

    it.effect("a cursor of one order is none of another, nor of a search", () =>
      Effect.gen(function* () {
        const { tenant } = yield* givenPeople
        const cursor = textAt(yield* list(tenant, { sort: "name", limit: "1" }), "nextCursor")
        assertStatus(yield* list(tenant, { sort: "name", cursor }), 200)
        for (const other of [{ sort: "-name" }, { sort: "createdAt" }, {}, { sort: "name", q: "lovelace" }]) {
          assertProblem(yield* list(tenant, { ...other, cursor }), 400, "cursor_invalid")
        }
      })
    )

    it.effect("a filter is a tree of conditions", () =>
      Effect.gen(function* () {
        const { guest, tenant, vip } = yield* givenPeople
        const names = (filter: unknown) =>
          Effect.map(namesIn(tenant, filtered(filter)), (found) => found.map((name) => name.split(" ")[0]).join(" "))
        assert.strictEqual(yield* names({}), "grace Émilie Katherine Ada")
        assert.strictEqual(yield* names({ field: "tag", op: "none_of", value: [vip.id] }), "grace Émilie")
        assert.strictEqual(
          yield* names({
            all: [
              { field: "phone", op: "starts_with", value: "+1 202" },
              { not: { field: "tag", op: "all_of", value: [vip.id, guest.id] } }
            ]
          }),
          "grace"
        )
        assert.strictEqual(
          yield* names({
            any: [
              { field: "attribute", key: "age", op: "gt", value: 100 },
              { field: "email", op: "contains", value: "ENGINE" }
            ]
          }),
          "Katherine Ada"
        )
        assert.strictEqual(yield* names({ field: "attribute", key: "club", op: "is_not_set" }), "grace Ada")
        assert.strictEqual(yield* names({ field: "name", op: "is", value: "GRACE Hopper" }), "grace")
        assert.strictEqual(yield* names({ field: "identity", op: "has", value: "email" }), "Émilie Ada")
        assert.strictEqual(
          yield* names({ field: "createdAt", op: "within_days", value: 1 }),
          "grace Émilie Katherine Ada"
        )
        const segment = yield* addedId(tenant, "/segments", {
          name: "Guests",
          filter: { field: "tag", op: "any_of", value: [guest.id] }
        })
        assert.deepStrictEqual(yield* namesIn(tenant, { segment }), ["grace hopper", "Katherine Johnson"])
        assert.strictEqual(yield* names({ not: { field: "segment", op: "in", value: segment } }), "Émilie Ada")
      })
    )

    it.effect.each([
      { filter: "{", pointers: ["/query/filter"] },
      { filter: "7", pointers: ["/query/filter"] },
      { filter: `${'{"not":'.repeat(900)}{}${"}".repeat(900)}`, pointers: ["/query/filter"] },
      { filter: `${'{"not":'.repeat(12)}{}${"}".repeat(12)}`, pointers: [`/query/filter${"/not".repeat(8)}`] },
      { filter: '{"field":"email","op":"is_set","surprise":1}', pointers: ["/query/filter/surprise"] },
      { filter: '{"field":"shoe","op":"is_set"}', pointers: ["/query/filter/field"] },
      { filter: '{"field":"email","op":"smells"}', pointers: ["/query/filter/op"] },
      { filter: '{"field":"attribute","key":"nobody","op":"is_set"}', pointers: ["/query/filter/key"] },
      {
        filter:
          '{"all":[{"field":"email","op":"is_set"},{"field":"createdAt","op":"since","value":"yesterday"},{"any":[{"field":"blocked","op":"is","value":"no"}]}]}',
        pointers: ["/query/filter/all/1/value", "/query/filter/all/2/any/0/value"]
      },
      { filter: '{"all":[],"any":[]}', pointers: ["/query/filter"] }
    ])("the filter $filter has errors at $pointers", ({ filter, pointers }) =>
      Effect.gen(function* () {
        const answer = yield* list(yield* givenTenant(), { filter })
        assertProblem(answer, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(answer), pointers)
      })
    )

    it.effect("unknown resources in a request are not found, with their places in the query", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { id } = yield* givenTag(tenant.organization)
        const unknown = yield* freshId
        for (const [parameters, resource, pointer] of [
          [{ tag: [id, unknown] }, "tag", "/query/tag/1"],
          [{ segment: unknown }, "segment", "/query/segment"],
          [filtered({ not: { field: "tag", op: "any_of", value: [unknown] } }), "tag", "/query/filter/not/value/0"],
          [filtered({ all: [{ field: "segment", op: "in", value: unknown }] }), "segment", "/query/filter/all/0/value"]
        ] as const) {
          const answer = yield* list(tenant, parameters)
          assertProblem(answer, 404, "not_found")
          assert.deepStrictEqual([answer.body.resource, answer.body.pointer], [resource, pointer])
        }
      })
    )

    it.effect("attributes are asked for by their keys, and nothing else is taken for one", () =>
      Effect.gen(function* () {
        const { tenant } = yield* givenPeople
        for (const [parameters, pointers] of [
          [{ "attribute.nobody": "x" }, ["/query/attribute.nobody"]],
          [{ "attribute.": "x" }, ["/query/attribute."]],
          [{ "attribute.age": "old", "attribute.club": "perhaps" }, ["/query/attribute.age", "/query/attribute.club"]],
          [{ "attribute.age": ["1", "2"] }, ["/query/attribute.age"]],
          [{ "attribute[age]": "1" }, ["/query/attribute[age]"]],
          [{ attribute: "1" }, ["/query/attribute"]],
          [{ "attributes.age": "1" }, ["/query/attributes.age"]],
          [{ "Attribute.age": "1" }, ["/query/Attribute.age"]],
          [{ "attribute.__proto__": "1" }, ["/query/attribute.__proto__"]]
        ] as const) {
          const answer = yield* list(tenant, parameters)
          assertProblem(answer, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(answer), pointers)
        }
      })
    )

    it.effect(
      "a contact is found by its number or address in any spelling, a tag by its name, and all are counted",
      () =>
        Effect.gen(function* () {
          const { tenant, vip } = yield* givenPeople
          for (const [parameters, expected] of [
            [{ phone: "+44 7911 123456" }, ["Ada Lovelace"]],
            [{ phone: "07911 123456", country: "GB" }, ["Ada Lovelace"]],
            [{ phone: "+12025550143" }, ["Katherine Johnson"]],
            [{ email: "ADA@engine.example" }, ["Ada Lovelace"]],
            [{ email: "nobody@engine.example" }, []],
            [{ phone: "+447911123457" }, []],
            [{ tag: vip.name.toUpperCase() }, ["Katherine Johnson", "Ada Lovelace"]],
            [{ tag: [vip.name, vip.id], tagMatch: "all", consent: "subscribed" }, ["Ada Lovelace"]],
            [filtered({ field: "email", op: "is_set" }), ["Émilie du Châtelet", "Ada Lovelace"]],
            [{ q: "hoper" }, ["grace hopper"]]
          ] as const) {
            assert.deepStrictEqual<ReadonlyArray<string>>(yield* namesIn(tenant, parameters), expected)
            const counted = yield* as(tenant)("GET", `/contacts/count?${query(parameters)}`)
            assert.deepStrictEqual(counted.body, { count: expected.length })
          }
          // A plus that was not escaped arrives as a space.
          assert.lengthOf(rowsOf(yield* as(tenant)("GET", "/contacts?phone=+447911123456")), 1)
          assert.deepStrictEqual((yield* as(tenant)("GET", "/contacts/count")).body, { count: 4 })
          for (const path of ["/contacts", "/contacts/count"]) {
            const wrong = yield* as(tenant)("GET", `${path}?phone=12&email=ada&country=Germany`)
            assertProblem(wrong, 400, "validation_failed")
            assert.deepStrictEqual(pointersOf(wrong), ["/query/country"])
            const unread = yield* as(tenant)("GET", `${path}?phone=12&email=ada`)
            assertProblem(unread, 400, "validation_failed")
            assert.deepStrictEqual(pointersOf(unread), ["/query/email", "/query/phone"])
            const missing = yield* as(tenant)("GET", `${path}?tag=${vip.id}&tag=Nobodys`)
            assertProblem(missing, 404, "not_found")
            assert.deepStrictEqual([missing.body.pointer, missing.body.by], ["/query/tag/1", "name"])
          }
          assertProblem(yield* as(tenant)("GET", "/contacts/count?limit=1"), 400, "validation_failed")
        })
    )

    it.effect("contacts include their tags on request", () =>
      Effect.gen(function* () {
        const { tenant, vip } = yield* givenPeople
        const ada = rowsOf(yield* list(tenant, { q: "lovelace", expand: "tags" }))[0]
        assert.deepStrictEqual(at(ada, "tags"), [vip.id])
        assert.deepStrictEqual(
          [at(ada, "expanded", "tags", 0, "id"), at(ada, "expanded", "tags", 0, "name")],
          [vip.id, vip.name]
        )
        const one = yield* as(tenant)("GET", `/contacts/${String(at(ada, "id"))}?expand=tags`)
        assert.deepStrictEqual(one.body, ada)
        assert.notProperty(rowsOf(yield* list(tenant))[0], "expanded")
        for (const expand of ["tag", "tags,owner", "", "tags,", "Tags"]) {
          const answer = yield* list(tenant, { expand })
          assertProblem(answer, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(answer), ["/query/expand"], expand)
          assert.include(JSON.stringify(answer.body), "Expected some of: tags")
        }
        assertProblem(yield* as(tenant)("GET", "/contacts/count?expand=tags"), 400, "validation_failed")
      })
    )

    it.effect("all errors of a request are reported together", () =>
      Effect.gen(function* () {
        const answer = yield* list(yield* givenTenant(), {
          limit: "0",
          tag: " x",
          tagMatch: "some",
          consent: "maybe",
          createdFrom: "yesterday",
          segment: "y",
          sort: "shoe",
          surprise: "1",
          q: "x".repeat(201)
        })
        assertProblem(answer, 400, "validation_failed")
        assert.deepStrictEqual(
          pointersOf(answer),
          ["consent", "createdFrom", "limit", "q", "segment", "sort", "surprise", "tag/0", "tagMatch"].map(
            (name) => `/query/${name}`
          )
        )
      })
    )
  })
