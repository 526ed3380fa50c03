import { assert, describe, it, layer } from "@effect/vitest"
import {
  createContact,
  createSegment,
  type FilterInput,
  listContacts,
  mergeContacts,
  readFilter,
  unmergeContacts
} from "@parley/domain/crm"
import { commerceFilterFields, linkStoreCustomer } from "@parley/domain/commerce"
import { asOperatorOf, givenCommerce, givenOrganization, TestKit } from "@parley/testkit"
import { DateTime, Effect } from "effect"

const uuid = (place: number) => `01900000-0000-7000-8000-${String(place).padStart(12, "0")}`

const faultsOf = (input: FilterInput) =>
  readFilter(input, "/filter", {
    now: DateTime.makeUnsafe("2026-03-01T12:00:00Z"),
    fields: [],
    tags: new Set(),
    segments: new Map(),
    others: commerceFilterFields,
    named: new Map([
      ["product", new Set([uuid(1)])],
      ["store", new Set([uuid(1)])]
    ])
  })

const eur = (amountMinor: number) => ({ amountMinor, currency: "EUR" })

describe("a filter of purchases", () => {
  it.each([
    ["orderCount", "is", 1.5],
    ["orderCount", "gt", -1],
    ["orderCount", "gte", "3"],
    ["spent", "gt", 5_000],
    ["spent", "is", { amountMinor: 1, currency: "eur" }],
    ["spent", "lt", { amountMinor: 1.5, currency: "EUR" }],
    ["spent", "lt", { amountMinor: 1, currency: "EUR", of: "all" }],
    ["lastOrderAt", "before", "yesterday"],
    ["firstOrderAt", "within_days", 0],
    ["cartAbandonedAt", "is_set", true],
    ["product", "bought", [uuid(1)]],
    ["product", "bought", { productIds: [] }],
    ["product", "not_bought", { productIds: [uuid(1)], withinDays: 3_651 }],
    ["product", "bought", { productIds: [uuid(1)], within: 3 }],
    ["product", "bought", { productIds: Array.from({ length: 51 }, (_, place) => uuid(place)) }],
    ["openCart", "is", "yes"],
    ["store", "any_of", uuid(1)]
  ] as const)("refuses %s %s %j where its value stands", (field, op, value) => {
    const { faults, missing } = faultsOf({ not: { field, op, value } })
    assert.deepStrictEqual([faults.map(({ pointer }) => pointer), missing], [["/filter/not/value"], []])
  })

  it("refuses unknown operators of a field and lists the valid ones", () => {
    assert.deepStrictEqual(faultsOf({ field: "spent", op: "within_days", value: 3 }).faults, [
      { pointer: "/filter/op", message: "Expected one of: is, lt, lte, gt, gte" }
    ])
  })

  it("tells which products and stores are not there", () => {
    assert.deepStrictEqual(
      faultsOf({
        any: [
          { field: "product", op: "bought", value: { productIds: [uuid(1), uuid(2)] } },
          { field: "store", op: "none_of", value: [uuid(3), uuid(1)] }
        ]
      }).missing,
      [
        { resource: "product", pointer: "/filter/any/0/value/productIds/1" },
        { resource: "store connection", pointer: "/filter/any/1/value/0" }
      ]
    )
  })

  it.each([
    ["lt", 0, false],
    ["lte", 0, true],
    ["gte", 0, true],
    ["gt", 0, false],
    ["is", 0, true],
    ["lt", 1, true],
    ["gt", -1, true]
  ] as const)("includes contacts without orders for 0: %s %i holds %s", (op, amount, expected) => {
    const holds = (filter: ReturnType<typeof faultsOf>["filter"]): boolean => {
      if (filter.kind === "not") return !holds(filter.of)
      return filter.kind === "all" && filter.of.every(holds)
    }
    assert.strictEqual(holds(faultsOf({ field: "spent", op, value: eur(amount) }).filter), expected)
    if (amount >= 0) {
      assert.strictEqual(holds(faultsOf({ field: "orderCount", op, value: amount }).filter), expected)
    }
  })
})

layer(TestKit.layer)("a filter of purchases", (it) => {
  it.effect("follows the customer's contact through merges and their undo", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const { customer } = yield* givenCommerce(organization)
      yield* Effect.gen(function* () {
        const { id } = yield* createContact({ name: "Ada" })
        const { id: other } = yield* createContact({ name: "Ada L." })
        const found = (filter: FilterInput) =>
          Effect.map(listContacts({ filter, page: { limit: 10, cursor: null } }), ({ data }) =>
            data.map(({ id }) => id)
          )
        const ordered = { field: "orderCount", op: "gte", value: 1 }
        const none = { field: "openCart", op: "is", value: false }
        assert.deepStrictEqual(yield* found(ordered), [])
        yield* linkStoreCustomer({ id: customer.id, contactId: id })
        assert.deepStrictEqual([yield* found(ordered), yield* found(none)], [[id], [other]])
        const { mergeId } = yield* mergeContacts({ id: other, contactId: id, ifVersion: null })
        assert.deepStrictEqual([yield* found(ordered), yield* found(none)], [[other], []])
        yield* unmergeContacts({ id: other, mergeId, ifVersion: null })
        assert.deepStrictEqual([yield* found(ordered), yield* found(none)], [[id], [other]])
      }).pipe(asOperatorOf(organization))
    })
  )

  it.effect("names nothing of another organization", () =>
    Effect.gen(function* () {
      const { connection, product } = yield* givenCommerce(yield* givenOrganization({ plan: "scale" }))
      const organization = yield* givenOrganization({ plan: "scale" })
      for (const [filter, pointer] of [
        [{ field: "product", op: "bought", value: { productIds: [product.id] } }, "/filter/value/productIds/0"],
        [{ field: "store", op: "any_of", value: [connection.id] }, "/filter/value/0"]
      ] as const) {
        const error = yield* Effect.flip(createSegment({ name: "Fans", filter })).pipe(asOperatorOf(organization))
        assert.deepInclude(error, { _tag: "NotFound", pointer })
      }
    })
  )
})
