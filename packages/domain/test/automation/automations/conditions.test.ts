import { assert, layer } from "@effect/vitest"
import { createContact } from "@parley/domain/crm"
import {
  type ConditionExplanation,
  type ConditionInput,
  allFactGroups,
  explainCondition,
  type Facts,
  type FactValue,
  factGroupsOf,
  readCondition
} from "@parley/domain/automation"
import { asOwnerOf, givenOrganization, TestKit } from "@parley/testkit"
import { Arbitrary, DateTime, Effect, Schema } from "effect"

const eur = (amountMinor: number) => ({ amountMinor, currency: "EUR" })

const seen = new Map<string, FactValue>([
  ["message.text", "Wo ist meine BESTELLUNG?"],
  ["message.hasMedia", false],
  ["conversation.status", "open"],
  ["conversation.assigneeId", null],
  ["conversation.labels", ["vip"]],
  ["conversation.unreadCount", 3],
  ["conversation.createdAt", DateTime.makeUnsafe("2026-01-01T00:00:00Z")],
  ["order.total", eur(5000)],
  ["order.skus", ["A-1", "B-2"]]
])

const factsWith = Effect.gen(function* () {
  const contact = yield* createContact({ name: "Ada", attributes: {} })
  const facts: Facts = {
    at: DateTime.makeUnsafe("2026-01-01T01:00:00Z"),
    contact,
    contactId: contact.id,
    conversationId: null,
    messageId: null,
    seen,
    schedules: new Map(),
    texts: {}
  }
  return facts
})

const explained = Effect.fnUntraced(function* (input: ConditionInput) {
  const { condition, faults, missing } = yield* readCondition(input, allFactGroups, "/if")
  assert.deepStrictEqual([faults, missing], [[], []], JSON.stringify(input))
  return yield* explainCondition(condition, yield* factsWith)
})

const inOrganization = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.flatMap(givenOrganization(), (organization) => test.pipe(asOwnerOf(organization)))

const cases: ReadonlyArray<readonly [ConditionInput, boolean]> = [
  [{ field: "message.text", op: "has_word", value: ["bestellung"] }, true],
  [{ field: "message.text", op: "has_word", value: ["stellung", "wo ist"] }, true],
  [{ field: "message.text", op: "has_word", value: ["stellung"] }, false],
  [{ field: "message.text", op: "contains", value: "stellung" }, true],
  [{ field: "message.hasMedia", op: "is", value: false }, true],
  [{ field: "conversation.status", op: "any_of", value: ["pending", "open"] }, true],
  [{ field: "conversation.assigneeId", op: "is_not_set" }, true],
  [{ field: "conversation.labels", op: "none_of", value: ["vip"] }, false],
  [{ field: "conversation.unreadCount", op: "gt", value: 3 }, false],
  [{ field: "conversation.createdAt", op: "within_minutes", value: 60 }, true],
  [{ field: "conversation.createdAt", op: "within_minutes", value: 59 }, false],
  [{ field: "conversation.waitingSince", op: "within_days", value: 3 }, false],
  [{ field: "conversation.waitingSince", op: "not_within_days", value: 3 }, true],
  [{ field: "order.total", op: "gte", value: eur(5000) }, true],
  [{ field: "order.total", op: "lt", value: { amountMinor: 9000, currency: "USD" } }, false],
  [{ field: "order.total", op: "gte", value: { amountMinor: 0, currency: "USD" } }, false],
  [{ field: "order.skus", op: "all_of", value: ["A-1", "C-3"] }, false],
  [{ field: "name", op: "is", value: "ada" }, true],
  [{ field: "consent", op: "is", value: "subscribed" }, false],
  [{}, true],
  [{ all: [] }, true],
  [{ any: [] }, false]
]

/** Result of a tree, from the results of its leaves. */
const heldOf = ({ all, any, held, not }: ConditionExplanation): boolean => {
  if (all !== undefined) return all.every(heldOf)
  if (any !== undefined) return any.some(heldOf)
  return not === undefined ? held : !heldOf(not)
}

const leaf = Arbitrary.map(
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: cases.length - 1 }))),
  (place): ConditionInput => cases[place]?.[0] ?? {}
)

const tree = (depth: number): Arbitrary.Arbitrary<ConditionInput> => {
  if (depth === 0) return leaf
  const below = Arbitrary.array(tree(depth - 1), { minLength: 1, maxLength: 3 })
  const kind = Arbitrary.schema(Schema.Literals(["all", "any", "not", "first"]))
  return Arbitrary.map(Arbitrary.all({ below, kind }), ({ below, kind }): ConditionInput => {
    const [first = {}] = below
    if (kind === "first") return first
    return kind === "not" ? { not: first } : { [kind]: below }
  })
}

layer(TestKit.layer)("conditions", (it) => {
  it.effect("hold for existing values and explain the observed value", () =>
    inOrganization(
      Effect.gen(function* () {
        for (const [input, held] of cases) {
          assert.strictEqual((yield* explained(input)).held, held, JSON.stringify(input))
        }
        const long = yield* explained({ field: "order.skus", op: "any_of", value: ["B-2"] })
        assert.deepStrictEqual([long.saw, long.held], [["A-1", "B-2"], true])
      })
    )
  )

  it.effect("do not hold with deleted references, while other conditions of the tree are evaluated", () =>
    inOrganization(
      Effect.gen(function* () {
        const gone = "01990000-0000-7000-8000-00000000dead"
        const input = {
          any: [
            { field: "event.tagIds", op: "none_of", value: [gone] },
            { field: "tag", op: "none_of", value: [gone] },
            { field: "schedule", key: gone, op: "is", value: "closed" },
            { field: "message.hasMedia", op: "is", value: true }
          ]
        }
        const { condition, missing } = yield* readCondition(input, allFactGroups, "/if")
        assert.sameMembers(
          missing.map(({ pointer }) => pointer),
          ["/if/any/0/value/0", "/if/any/1/value/0", "/if/any/2/key"]
        )
        const { any, held } = yield* explainCondition(condition, yield* factsWith)
        assert.deepStrictEqual([held, any?.map((each) => each.held)], [false, [false, false, false, false]])
      })
    )
  )

  it.effect("stay false under negation with deleted references, unless other conditions decide", () =>
    inOrganization(
      Effect.gen(function* () {
        const gone = { field: "tag", op: "any_of", value: ["01990000-0000-7000-8000-00000000dead"] }
        const [holds, fails] = [
          { field: "message.hasMedia", op: "is", value: false },
          { field: "message.hasMedia", op: "is", value: true }
        ]
        const trees = [
          [{ not: gone }, false],
          [{ not: { not: gone } }, false],
          [{ not: { any: [gone, fails] } }, false],
          [{ not: { any: [gone, holds] } }, false],
          [{ not: { all: [gone, holds] } }, false],
          [{ not: { all: [gone, fails] } }, true],
          [{ any: [{ not: gone }, holds] }, true]
        ] as const
        for (const [input, held] of trees) {
          const { condition } = yield* readCondition(input, allFactGroups, "/if")
          assert.strictEqual((yield* explainCondition(condition, yield* factsWith)).held, held, JSON.stringify(input))
        }
      })
    )
  )

  it.effect("of a field that an event does not know are refused by name", () =>
    inOrganization(
      Effect.gen(function* () {
        const input = { not: { field: "order.total", op: "gte", value: eur(1) } }
        const { faults } = yield* readCondition(input, factGroupsOf({ event: "contact.created" }), "/if")
        assert.deepStrictEqual(faults, [
          { pointer: "/if/not/field", message: "The field order.total is not available for this event" }
        ])
      })
    )
  )

  it.effect.prop("of any tree evaluate every part and combine the results", [tree(3)], ([input]) =>
    inOrganization(
      Effect.gen(function* () {
        const explanation = yield* explained(input)
        assert.strictEqual(explanation.held, heldOf(explanation))
        assert.strictEqual(
          JSON.stringify(explanation).split('"saw"').length,
          JSON.stringify(input).split('"op"').length
        )
      })
    )
  )
})
