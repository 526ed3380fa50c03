import { assert, describe, it } from "@effect/vitest"
import {
  type AttributeValue,
  Contact,
  ContactField,
  ContactFieldId,
  ContactId,
  defineFilterField,
  type FieldType,
  type Filter,
  FilterField,
  FilterInput,
  filterOperators,
  type FilterContext,
  matchesFilter,
  maxFilterConditions,
  maxFilterDepth,
  findReferencedIds,
  noContact,
  readFilter,
  SegmentId,
  nonEmptyList,
  TagId,
  valueReader
} from "@parley/domain/crm"
import { contactFilterOperators } from "@parley/domain/composition"
import { DateTime, Effect, Schema } from "effect"

const now = DateTime.makeUnsafe("2026-03-01T12:00:00Z")
const at = (text: string) => DateTime.makeUnsafe(text)

const uuid = (place: number) => `01900000-0000-7000-8000-${String(place).padStart(12, "0")}`
const [vip, lead, gone] = [TagId.make(uuid(1)), TagId.make(uuid(2)), TagId.make(uuid(9))]
const segment = (place: number) => SegmentId.make(uuid(place))
const [friends, fans, others, nobodys] = [segment(11), segment(12), segment(13), segment(19)]

const field = (key: string, type: FieldType, more: Partial<ContactField> = {}) =>
  new ContactField({
    id: ContactFieldId.make(uuid(key.length)),
    key,
    name: key,
    type,
    choices: type === "enum" ? ["gold", "silver"] : null,
    status: "active",
    createdAt: now,
    updatedAt: now,
    version: 1,
    ...more
  })

const fields = [
  field("city", "text"),
  field("score", "number"),
  field("member", "boolean"),
  field("birthday", "date"),
  field("level", "enum"),
  field("leaving", "text", { status: "deleting" })
]

const somePets = valueReader(nonEmptyList(Schema.String), "Expected 1 to 50 names of pets")

/** Data of another area about contacts: their pets, which have names. */
const petFields = [
  defineFilterField({
    name: "pet",
    type: "ids",
    permission: "contacts.read",
    conditions: ["has_pet"],
    names: "pet",
    operators: () => ({
      any_of: (value, fail) => somePets(value, fail, (values) => ({ kind: "known", condition: "has_pet", values }))
    }),
    find: () => Effect.succeed([])
  })
]
const pets = new Map([["pet", new Set(["Rex", "Mia"])]])

type Segments = FilterContext["segments"]

const readAt = (input: FilterInput, segments: Segments = new Map(), own: SegmentId | null = null) =>
  readFilter(
    input,
    "/filter",
    { now, fields, tags: new Set([vip, lead]), segments, others: petFields, named: pets },
    own
  )

const read = (input: FilterInput, segments: Segments = new Map()): Filter => {
  const { faults, filter, missing } = readAt(input, segments)
  assert.deepStrictEqual([faults, missing], [[], []])
  return filter
}

const pointersOf = (input: FilterInput, segments: Segments = new Map(), own: SegmentId | null = null) =>
  readAt(input, segments, own).faults.map(({ pointer }) => pointer)

const not = (of: Filter): Filter => ({ kind: "not", of })
const tagged = (tag: TagId): Filter => ({ kind: "tagged", tag })
const is = (key: string, ...anyOf: ReadonlyArray<AttributeValue>): Filter => ({ kind: "attributeIs", key, anyOf })
const blocked: FilterInput = { field: "blocked", op: "is", value: true }
const madeOf = (id: SegmentId): FilterInput => ({ field: "segment", op: "in", value: id })
const deep = (levels: number): FilterInput =>
  Array.from({ length: levels - 1 }).reduce<FilterInput>((below) => ({ not: below }), blocked)

const ada = new Contact({
  id: ContactId.make(uuid(31)),
  name: "Ada U\u0308nal",
  phone: "+491701234567",
  email: null,
  identities: [{ kind: "phone", value: "+491701234567", source: "api", addedAt: now }],
  locale: "pt-BR",
  timezone: null,
  attributes: { city: "Quito", score: 0, member: false, birthday: "2024-02-29", digits: "5" },
  tags: [vip],
  consent: { marketing: "unknown", source: null, changedAt: null },
  blockedAt: null,
  lastSeenAt: now,
  lastInboundAt: null,
  createdAt: now,
  updatedAt: now,
  version: 1
})

describe("a condition", () => {
  it("tells callers the operators that it takes, field by field", () => {
    for (const name of FilterField.literals) {
      const keys =
        name === "attribute" ? fields.filter(({ status }) => status === "active").map(({ key }) => key) : [null]
      const taken = keys.flatMap((key) => {
        const [fault] = readAt({ field: name, op: "?", ...(key !== null && { key }) }).faults
        return fault?.message.replace("Expected one of: ", "").split(", ") ?? []
      })
      assert.sameMembers(Array.from(new Set(taken)), Array.from(filterOperators[name]), name)
    }
  })

  it("lists the operators of fields from other areas", () => {
    assert.deepStrictEqual(contactFilterOperators["conversationStatus"], ["any_of", "none_of"])
  })

  it("of another area is validated there, and its references must exist", () => {
    const asked = (value: Schema.Json): FilterInput => ({ not: { field: "pet", op: "any_of", value } })
    const known: Filter = { kind: "known", condition: "has_pet", values: ["Rex", "Mia"] }
    assert.deepStrictEqual(read(asked(["Rex", "Mia"])), not(known))
    assert.isTrue(matchesFilter(not(known), ada, () => false))
    assert.isTrue(matchesFilter(known, ada, (_, contact) => contact === ada))
    assert.deepStrictEqual(readAt(asked(["Rex", "Bello"])).missing, [
      { resource: "pet", pointer: "/filter/not/value/1" }
    ])
    assert.deepStrictEqual(readAt(asked([])), {
      filter: not(noContact),
      faults: [{ pointer: "/filter/not/value", message: "Expected 1 to 50 names of pets" }],
      missing: []
    })
    const stored = new Map([[friends, asked(["Bello"])]])
    assert.deepStrictEqual(readAt(madeOf(friends), stored).missing, [])
  })

  const conditions: ReadonlyArray<readonly [FilterInput, Filter]> = [
    [
      { field: "timezone", op: "is", value: "Europe/Berlin" },
      { kind: "textIs", field: "timezone", anyOf: ["Europe/Berlin"] }
    ],
    [
      { field: "contact", op: "any_of", value: [ada.id] },
      { kind: "oneOf", ids: [ada.id] }
    ],
    [{ field: "contact", op: "none_of", value: [ada.id] }, not({ kind: "oneOf", ids: [ada.id] })],
    [
      { field: "tag", op: "any_of", value: [vip, lead] },
      { kind: "any", of: [tagged(vip), tagged(lead)] }
    ],
    [
      { field: "tag", op: "all_of", value: [vip, lead] },
      { kind: "all", of: [tagged(vip), tagged(lead)] }
    ],
    [{ field: "tag", op: "none_of", value: [vip] }, not({ kind: "any", of: [tagged(vip)] })],
    [{ field: "attribute", key: "city", op: "is", value: "Quito" }, is("city", "Quito")],
    [{ field: "attribute", key: "city", op: "is", value: "" }, is("city", "")],
    [{ field: "attribute", key: "city", op: "is_not", value: "Quito" }, not(is("city", "Quito"))],
    [{ field: "attribute", key: "city", op: "any_of", value: ["Quito", "100 %"] }, is("city", "Quito", "100 %")],
    [
      { field: "attribute", key: "city", op: "contains", value: "%" },
      { kind: "attributeContains", key: "city", text: "%" }
    ],
    [
      { field: "attribute", key: "city", op: "is_set" },
      { kind: "attributeSet", key: "city" }
    ],
    [{ field: "attribute", key: "city", op: "is_not_set" }, not({ kind: "attributeSet", key: "city" })],
    [{ field: "attribute", key: "score", op: "is", value: 0 }, is("score", 0)],
    [{ field: "attribute", key: "member", op: "is", value: false }, is("member", false)],
    [{ field: "attribute", key: "birthday", op: "is", value: "2024-02-29" }, is("birthday", "2024-02-29")],
    [{ field: "attribute", key: "level", op: "any_of", value: ["gold", "silver"] }, is("level", "gold", "silver")],
    ...(["lt", "lte", "gt", "gte"] as const).flatMap((by): ReadonlyArray<readonly [FilterInput, Filter]> => [
      [
        { field: "attribute", key: "score", op: by, value: -0.5 },
        { kind: "attributeCompares", key: "score", type: "number", by, value: -0.5 }
      ],
      [
        { field: "attribute", key: "birthday", op: by, value: "2026-03-01" },
        { kind: "attributeCompares", key: "birthday", type: "date", by, value: "2026-03-01" }
      ]
    ]),
    [
      { field: "consent", op: "is", value: "unknown" },
      { kind: "consent", is: "unknown" }
    ],
    [{ field: "consent", op: "is_not", value: "subscribed" }, not({ kind: "consent", is: "subscribed" })],
    [
      { field: "name", op: "is", value: "ADA U\u0308nal" },
      { kind: "textIs", field: "name", anyOf: ["ada ünal"] }
    ],
    [{ field: "name", op: "is_not", value: "Ada" }, not({ kind: "textIs", field: "name", anyOf: ["ada"] })],
    [
      { field: "name", op: "any_of", value: ["A", "B"] },
      { kind: "textIs", field: "name", anyOf: ["a", "b"] }
    ],
    [
      { field: "name", op: "contains", value: "A%" },
      { kind: "textContains", field: "name", text: "a%" }
    ],
    [
      { field: "name", op: "starts_with", value: "A_" },
      { kind: "textStarts", field: "name", with: "a_" }
    ],
    [
      { field: "name", op: "is_set" },
      { kind: "textSet", field: "name" }
    ],
    [{ field: "name", op: "is_not_set" }, not({ kind: "textSet", field: "name" })],
    [
      { field: "phone", op: "is", value: "+55 (11) 8765-4321" },
      { kind: "textIs", field: "phone", anyOf: ["+5511987654321"] }
    ],
    [
      { field: "phone", op: "is", value: "no number" },
      { kind: "textIs", field: "phone", anyOf: ["no number"] }
    ],
    [
      { field: "phone", op: "starts_with", value: "+49 (170)" },
      { kind: "textStarts", field: "phone", with: "+49170" }
    ],
    [
      { field: "phone", op: "contains", value: "12-34" },
      { kind: "textContains", field: "phone", text: "1234" }
    ],
    [
      { field: "email", op: "is", value: " Ada@People.TEST " },
      { kind: "textIs", field: "email", anyOf: ["ada@people.test"] }
    ],
    [
      { field: "email", op: "any_of", value: ["Nobody"] },
      { kind: "textIs", field: "email", anyOf: ["nobody"] }
    ],
    [
      { field: "email", op: "contains", value: "@People" },
      { kind: "textContains", field: "email", text: "@people" }
    ],
    [
      { field: "locale", op: "is", value: "pt-BR" },
      { kind: "textIs", field: "locale", anyOf: ["pt-BR"] }
    ],
    [
      { field: "locale", op: "starts_with", value: "pt" },
      { kind: "textStarts", field: "locale", with: "pt" }
    ],
    [
      { field: "identity", op: "has", value: "chat_user" },
      { kind: "identity", has: "chat_user" }
    ],
    [{ field: "identity", op: "has_not", value: "phone" }, not({ kind: "identity", has: "phone" })],
    ...(["createdAt", "lastSeenAt", "lastInboundAt"] as const).flatMap(
      (field): ReadonlyArray<readonly [FilterInput, Filter]> => [
        [
          { field, op: "before", value: "2026-03-01T09:30:00+02:00" },
          { kind: "before", field, at: at("2026-03-01T07:30:00Z") }
        ],
        [
          { field, op: "since", value: "2026-03-01T09:30:00Z" },
          { kind: "since", field, at: at("2026-03-01T09:30:00Z") }
        ],
        [
          { field, op: "within_days", value: 1 },
          { kind: "since", field, at: at("2026-02-28T12:00:00Z") }
        ],
        [{ field, op: "not_within_days", value: 3_650 }, not({ kind: "since", field, at: at("2016-03-03T12:00:00Z") })],
        [
          { field, op: "is_set" },
          { kind: "timeSet", field }
        ],
        [{ field, op: "is_not_set" }, not({ kind: "timeSet", field })]
      ]
    ),
    [blocked, { kind: "blocked" }],
    [{ field: "blocked", op: "is", value: false }, not({ kind: "blocked" })]
  ]

  it.each(conditions)("is read as what it says: %o", (input, filter) => {
    assert.deepStrictEqual(read(input), filter)
  })

  const someId = (value: FilterInput["value"]): FilterInput => ({ field: "tag", op: "any_of", value: value ?? null })
  const attribute = (key: string, op: string, value: Schema.Json): FilterInput => ({
    field: "attribute",
    key,
    op,
    value
  })
  const faulty: ReadonlyArray<readonly [FilterInput, string]> = [
    [{ field: "nonsense", op: "is", value: 1 }, "/field"],
    [{ field: "constructor", op: "is", value: 1 }, "/field"],
    [{ field: "name", key: "city", op: "is", value: "Ada" }, "/key"],
    [{ field: "attribute", op: "is", value: "Ada" }, "/key"],
    [{ field: "attribute", key: "nobodys", op: "is", value: "Ada" }, "/key"],
    [{ field: "attribute", key: "leaving", op: "is", value: "Ada" }, "/key"],
    [{ field: "attribute", key: "constructor", op: "is", value: "Ada" }, "/key"],
    [{ field: "name" }, "/op"],
    [{ field: "name", op: "like", value: "Ada" }, "/op"],
    [{ field: "name", op: "constructor", value: "Ada" }, "/op"],
    [{ field: "name", op: "__proto__", value: "Ada" }, "/op"],
    [{ field: "blocked", op: "is_not", value: true }, "/op"],
    [attribute("city", "lt", "Ada"), "/op"],
    [attribute("score", "contains", "1"), "/op"],
    [attribute("member", "gte", true), "/op"],
    [attribute("level", "contains", "go"), "/op"],
    ...[undefined, null, "", 5, ["Ada"], {}, "x".repeat(201), "a\u0000b", "a\ud800b"].map(
      (value) => [{ field: "name", op: "is", ...(value !== undefined && { value }) }, "/value"] as const
    ),
    ...[[], "Ada", [5], Array.from({ length: 51 }, () => "Ada"), [""]].map(
      (value) => [{ field: "name", op: "any_of", value }, "/value"] as const
    ),
    ...[null, [], vip, ["no id"], [vip, 5], Array.from({ length: 51 }, () => vip)].map(
      (value) => [someId(value), "/value"] as const
    ),
    [{ field: "name", op: "is_set", value: true }, "/value"],
    [{ field: "lastSeenAt", op: "is_not_set", value: null }, "/value"],
    [attribute("city", "is_set", "x"), "/value"],
    [attribute("city", "is", 5), "/value"],
    [attribute("city", "contains", ""), "/value"],
    [attribute("city", "any_of", []), "/value"],
    [attribute("city", "any_of", "Quito"), "/value"],
    [attribute("city", "any_of", ["Quito", null]), "/value"],
    [attribute("score", "is", "5"), "/value"],
    [attribute("score", "lt", "2026-03-01"), "/value"],
    [
      attribute(
        "score",
        "any_of",
        Array.from({ length: 51 }, (_, index) => index)
      ),
      "/value"
    ],
    [attribute("member", "is", "true"), "/value"],
    [attribute("birthday", "is", "2026-02-29"), "/value"],
    [attribute("birthday", "gt", 5), "/value"],
    [attribute("birthday", "gt", "2026-3-1"), "/value"],
    [attribute("level", "is", "bronze"), "/value"],
    [{ field: "consent", op: "is", value: "maybe" }, "/value"],
    [{ field: "identity", op: "has", value: "fax" }, "/value"],
    [{ field: "blocked", op: "is", value: "true" }, "/value"],
    [{ field: "createdAt", op: "before", value: "yesterday" }, "/value"],
    [{ field: "createdAt", op: "before", value: 5 }, "/value"],
    ...[0, -1, 1.5, 3_651, "7", null].map(
      (value) => [{ field: "createdAt", op: "within_days", value }, "/value"] as const
    ),
    [{ field: "segment", op: "in", value: "no id" }, "/value"],
    [{ field: "segment", op: "in", value: [friends] }, "/value"]
  ]

  it.each(faulty)("reports the place of its error: %o at %s", (input, pointer) => {
    assert.deepStrictEqual(pointersOf(input), [`/filter${pointer}`])
    assert.deepStrictEqual(pointersOf({ all: [blocked, { not: input }] }), [`/filter/all/1/not${pointer}`])
  })

  it.each([
    { field: "name", op: "is", value: "x".repeat(200) },
    { field: "name", op: "any_of", value: Array.from({ length: 50 }, () => "Ada") },
    { field: "tag", op: "any_of", value: Array.from({ length: 50 }, () => vip) },
    { field: "createdAt", op: "within_days", value: 3_650 }
  ])("takes the most that it may: $field $op", (input) => {
    assert.deepStrictEqual(pointersOf(input), [])
  })

  it("says which of its tags there is not", () => {
    for (const op of ["any_of", "all_of", "none_of"]) {
      const { faults, missing } = readAt({ any: [{ field: "tag", op, value: [vip, gone, lead, gone] }] })
      assert.lengthOf(faults, 0)
      assert.deepStrictEqual(missing, [
        { resource: "tag", pointer: "/filter/any/0/value/1" },
        { resource: "tag", pointer: "/filter/any/0/value/3" }
      ])
    }
  })
})

describe("a filter", () => {
  it("matches every contact if empty, else by its parts", () => {
    assert.deepStrictEqual(read({}), { kind: "all", of: [] })
    assert.deepStrictEqual(read({ all: [] }), { kind: "all", of: [] })
    assert.deepStrictEqual(read({ any: [] }), { kind: "any", of: [] })
    assert.deepStrictEqual(read({ not: {} }), not({ kind: "all", of: [] }))
    assert.deepStrictEqual(read({ any: [blocked, { all: [blocked, { not: blocked }] }] }), {
      kind: "any",
      of: [{ kind: "blocked" }, { kind: "all", of: [{ kind: "blocked" }, not({ kind: "blocked" })] }]
    })
  })

  const malformed: ReadonlyArray<readonly [FilterInput, ReadonlyArray<string>]> = [
    [{ all: [], any: [] }, [""]],
    [{ all: [], not: {} }, [""]],
    [{ field: "blocked", op: "is", value: true, all: [] }, [""]],
    [{ op: "is" }, [""]],
    [{ value: null }, [""]],
    [{ all: [], key: "city" }, ["/key"]],
    [{ any: [], op: "is" }, ["/op"]],
    [{ not: {}, value: 5 }, ["/value"]],
    [
      { all: [{ op: "is" }, blocked, { any: [{ field: "x" }] }, { not: { field: "name" } }] },
      ["/all/0", "/all/2/any/0/field", "/all/3/not/op"]
    ]
  ]

  it.each(malformed)("reports every structural error: %o at %o", (input, pointers) => {
    assert.deepStrictEqual(
      pointersOf(input),
      pointers.map((pointer) => `/filter${pointer}`)
    )
  })

  it("may be so deep, and no deeper", () => {
    read(deep(maxFilterDepth))
    assert.deepStrictEqual(pointersOf(deep(maxFilterDepth + 1)), [`/filter${"/not".repeat(maxFilterDepth)}`])
    assert.deepStrictEqual(pointersOf(deep(500)), [`/filter${"/not".repeat(maxFilterDepth)}`])
  })

  it("may have so many conditions and no more, which is said once", () => {
    const many = (count: number): FilterInput => ({ any: Array.from({ length: count }, () => blocked) })
    read(many(maxFilterConditions))
    for (const count of [maxFilterConditions + 1, 500]) {
      assert.deepStrictEqual(pointersOf(many(count)), [`/filter/any/${maxFilterConditions}`])
    }
    assert.deepStrictEqual(pointersOf({ all: [many(30), many(30)] }), ["/filter/all/1/any/20"])
  })

  const anyCondition = Schema.Struct({
    field: Schema.Literals([...FilterField.literals, "constructor"]),
    key: Schema.optionalKey(Schema.Literals(["city", "score", "birthday", "level", "member", "__proto__"])),
    op: Schema.Literals([
      "is",
      "is_not",
      "any_of",
      "all_of",
      "contains",
      "lt",
      "before",
      "since",
      "within_days",
      "has",
      "in"
    ]),
    value: Schema.optionalKey(Schema.Json)
  })

  it.prop(
    "is parsed for every input, or each error has an existing place",
    { nonsense: FilterInput, conditions: Schema.Array(anyCondition) },
    ({ conditions, nonsense }) => {
      const input: FilterInput = { any: [nonsense, { not: { all: conditions } }] }
      const { faults, filter } = readAt(input)
      for (const { message, pointer } of faults) {
        assert.isNotEmpty(message)
        let place: unknown = input
        for (const step of pointer.split("/").slice(2)) {
          assert.isTrue(typeof place === "object" && place !== null, pointer)
          place = Object.entries(Object(place)).find(([key]) => key === step)?.[1]
        }
      }
      assert.isBoolean(matchesFilter(filter, ada, () => false))
    },
    { arbitrary: { runs: 300, seed: "anything" } }
  )

  it("names the tags and segments that are anywhere in it", () => {
    const input: FilterInput = {
      all: [
        { field: "tag", op: "any_of", value: [vip, "no id", 5] },
        { not: { any: [madeOf(friends), { field: "segment", op: "not_in", value: "no id" }] } },
        { field: "tag", op: "any_of", value: lead },
        { field: "name", op: "is", value: fans }
      ]
    }
    assert.deepStrictEqual(findReferencedIds(input), { tags: [vip], segments: [friends] })
  })
})

describe("a contact", () => {
  const compares = (key: string, by: "lt" | "lte" | "gt" | "gte", value: string | number): Filter => ({
    kind: "attributeCompares",
    key,
    type: typeof value === "number" ? "number" : "date",
    by,
    value
  })
  const met: ReadonlyArray<Filter> = [
    tagged(vip),
    { kind: "oneOf", ids: [ContactId.make(uuid(32)), ada.id] },
    is("city", "Lima", "Quito"),
    is("score", 0),
    is("member", false),
    { kind: "attributeSet", key: "member" },
    { kind: "attributeContains", key: "city", text: "uit" },
    compares("score", "lte", 0),
    compares("score", "gt", -0.1),
    compares("birthday", "lt", "2024-03-01"),
    compares("birthday", "gte", "2024-02-29"),
    { kind: "consent", is: "unknown" },
    { kind: "textIs", field: "name", anyOf: ["x", "ada ünal"] },
    { kind: "textContains", field: "name", text: "ünal" },
    { kind: "textStarts", field: "phone", with: "+4917" },
    { kind: "textSet", field: "locale" },
    { kind: "identity", has: "phone" },
    { kind: "timeSet", field: "lastSeenAt" },
    { kind: "since", field: "lastSeenAt", at: now },
    { kind: "before", field: "lastSeenAt", at: DateTime.add(now, { milliseconds: 1 }) }
  ]
  const unmet: ReadonlyArray<Filter> = [
    tagged(lead),
    { kind: "oneOf", ids: [] },
    { kind: "known", condition: "has_pet", values: ["Rex"] },
    { kind: "textSet", field: "timezone" },
    is("city", "quito"),
    is("city"),
    is("score", "0", false),
    is("digits", 5),
    is("nobodys", "x"),
    { kind: "attributeSet", key: "constructor" },
    { kind: "attributeSet", key: "toString" },
    { kind: "attributeContains", key: "digits2", text: "" },
    { kind: "attributeContains", key: "score", text: "0" },
    compares("score", "lt", 0),
    compares("digits", "gt", 1),
    compares("score", "gt", "2000-01-01"),
    compares("nobodys", "gt", 0),
    { kind: "consent", is: "subscribed" },
    { kind: "textIs", field: "name", anyOf: ["Ada Ünal"] },
    { kind: "textIs", field: "email", anyOf: [""] },
    { kind: "textContains", field: "email", text: "" },
    { kind: "textStarts", field: "email", with: "" },
    { kind: "textSet", field: "email" },
    { kind: "textStarts", field: "locale", with: "PT" },
    { kind: "identity", has: "email" },
    { kind: "timeSet", field: "lastInboundAt" },
    { kind: "before", field: "lastInboundAt", at: now },
    { kind: "since", field: "lastInboundAt", at: now },
    { kind: "before", field: "lastSeenAt", at: now },
    { kind: "since", field: "lastSeenAt", at: DateTime.add(now, { milliseconds: 1 }) },
    { kind: "blocked" }
  ]

  it.each(met)("meets %o, and not its contrary", (filter) => {
    assert.deepStrictEqual(
      [matchesFilter(filter, ada, () => false), matchesFilter(not(filter), ada, () => false)],
      [true, false]
    )
  })

  it.each(unmet)("does not meet %o, but its contrary: also where a value is absent", (filter) => {
    assert.deepStrictEqual(
      [matchesFilter(filter, ada, () => false), matchesFilter(not(filter), ada, () => false)],
      [false, true]
    )
  })

  it("meets all of nothing, and not any of nothing", () => {
    assert.isTrue(matchesFilter({ kind: "all", of: [] }, ada, () => false))
    assert.isFalse(matchesFilter({ kind: "any", of: [] }, ada, () => false))
    for (const [yes, no] of met.map((filter, index) => [filter, unmet[index] ?? filter] as const)) {
      assert.isFalse(matchesFilter({ kind: "all", of: [yes, no, yes] }, ada, () => false))
      assert.isTrue(matchesFilter({ kind: "any", of: [no, yes, no] }, ada, () => false))
    }
  })
})

describe("a segment in a filter", () => {
  const segments = (...each: ReadonlyArray<readonly [SegmentId, FilterInput]>) => new Map(each)

  it("equals its definition", () => {
    const known = segments(
      [friends, { field: "tag", op: "any_of", value: [vip] }],
      [fans, { not: madeOf(friends) }],
      [others, {}]
    )
    const vips: Filter = { kind: "any", of: [tagged(vip)] }
    assert.deepStrictEqual(read(madeOf(friends), known), vips)
    assert.deepStrictEqual(read({ field: "segment", op: "not_in", value: friends }, known), not(vips))
    assert.deepStrictEqual(read(madeOf(fans), known), not(vips))
    assert.deepStrictEqual(read(madeOf(others), known), { kind: "all", of: [] })
    assert.deepStrictEqual(read({ all: [madeOf(friends), madeOf(friends), madeOf(fans)] }, known), {
      kind: "all",
      of: [vips, vips, not(vips)]
    })
  })

  it("that there is not is said to be missing", () => {
    const { faults, missing } = readAt({ not: madeOf(nobodys) })
    assert.lengthOf(faults, 0)
    assert.deepStrictEqual(missing, [{ resource: "segment", pointer: "/filter/not/value" }])
  })

  it("matches no contact through deleted references, without an error", () => {
    const nobody: Filter = { kind: "any", of: [] }
    const stored: ReadonlyArray<readonly [FilterInput, Filter]> = [
      [madeOf(nobodys), nobody],
      [{ not: madeOf(nobodys) }, not(nobody)],
      [
        { field: "tag", op: "any_of", value: [vip, gone] },
        { kind: "any", of: [tagged(vip), tagged(gone)] }
      ],
      [{ field: "attribute", key: "leaving", op: "is", value: "x" }, nobody],
      [{ not: { field: "attribute", key: "nobodys", op: "is_set" } }, not(nobody)],
      [{ field: "attribute", key: "level", op: "is", value: "bronze" }, nobody],
      [{ any: [blocked, { field: "nonsense" }] }, { kind: "any", of: [{ kind: "blocked" }, nobody] }]
    ]
    for (const [input, filter] of stored)
      assert.deepStrictEqual(read(madeOf(friends), segments([friends, input])), filter)
  })

  it("cannot contain itself in any way", () => {
    const circle = segments(
      [friends, { all: [blocked, madeOf(fans)] }],
      [fans, { not: madeOf(others) }],
      [others, madeOf(friends)]
    )
    for (const start of [friends, fans, others]) {
      assert.deepStrictEqual(pointersOf({ any: [blocked, madeOf(start)] }, circle), ["/filter/any/1/value"])
    }
    assert.deepStrictEqual(pointersOf(madeOf(friends), segments([friends, madeOf(friends)])), ["/filter/value"])
    assert.deepStrictEqual(pointersOf({ not: madeOf(friends) }, segments([friends, blocked]), friends), [
      "/filter/not/value"
    ])
    assert.deepStrictEqual(pointersOf(madeOf(fans), segments([fans, madeOf(friends)], [friends, blocked]), friends), [
      "/filter/value"
    ])
    assert.deepStrictEqual(pointersOf(madeOf(fans), segments([fans, madeOf(friends)], [friends, blocked]), others), [])
  })

  it("counts towards the depth, where it is named", () => {
    assert.deepStrictEqual(pointersOf(madeOf(friends), segments([friends, deep(maxFilterDepth - 1)])), [])
    assert.deepStrictEqual(pointersOf(madeOf(friends), segments([friends, deep(maxFilterDepth)])), ["/filter/value"])
    assert.deepStrictEqual(pointersOf({ not: madeOf(friends) }, segments([friends, deep(maxFilterDepth - 1)])), [
      "/filter/not/value"
    ])
    const chain = Array.from({ length: 20 }, (_, place) => SegmentId.make(uuid(100 + place)))
    const chained = new Map(
      chain.map((id, place) => [id, chain[place + 1] === undefined ? blocked : madeOf(chain[place + 1] ?? id)])
    )
    const [first] = chain
    assert.deepStrictEqual(first === undefined ? [] : pointersOf(madeOf(first), chained), ["/filter/value"])
  })

  it("counts with its conditions, where it is named, each time that it is", () => {
    const known = segments([friends, { any: Array.from({ length: 24 }, () => blocked) }])
    assert.deepStrictEqual(pointersOf({ all: [madeOf(friends), madeOf(friends)] }, known), [])
    assert.deepStrictEqual(pointersOf({ all: [madeOf(friends), madeOf(friends), blocked] }, known), ["/filter/all/2"])
    assert.deepStrictEqual(pointersOf({ all: [blocked, madeOf(friends), madeOf(friends)] }, known), [
      "/filter/all/2/value"
    ])
  })
})
