import { assert, layer } from "@effect/vitest"
import { type Actor, AutomationTokenId, type Permission, UserId } from "@parley/domain/kernel"
import {
  createSegment,
  deleteContactField,
  FieldType,
  type FilterFieldDescription,
  listFilterFields,
  type OperatorValue
} from "@parley/domain/crm"
import { actingIn, asOwnerOf, givenContactField, givenOrganization, TestKit } from "@parley/testkit"
import { Effect, type Schema } from "effect"
import { tagOf } from "../tagOf.ts"

const id = "01990000-0000-7000-8000-000000000001"

const tokenWith = (...permissions: ReadonlyArray<Permission>): Actor => ({
  kind: "token",
  tokenId: AutomationTokenId.make(id),
  responsibleUserId: UserId.make(id),
  permissions: new Set(permissions)
})

/** Valid value of the type. Ids name no resource. */
const sampleOf = ({ choices, type }: FilterFieldDescription): Schema.Json => {
  switch (type) {
    case "text":
      return "Marie"
    case "boolean":
      return true
    case "integer":
    case "number":
      return 3
    case "date":
      return "2026-03-01"
    case "time":
      return "2026-03-01T09:30:00Z"
    case "choice":
      return choices?.[0] ?? null
    case "money":
      return { amountMinor: 5_000, currency: "EUR" }
    case "id":
    case "ids":
      return id
    case "purchase":
      return { productIds: [id], withinDays: 30 }
  }
}

const operandOf = (value: OperatorValue, description: FilterFieldDescription) => {
  if (value === "none") return {}
  if (value === "days") return { value: 30 }
  const sample = sampleOf(description)
  return { value: value === "list" ? [sample] : sample }
}

const conditionsOf = (description: FilterFieldDescription) =>
  description.operators.map(({ op, value }) => ({
    field: description.field,
    op,
    ...(description.key !== null && { key: description.key }),
    ...operandOf(value, description)
  }))

const describedNames = (fields: ReadonlyArray<FilterFieldDescription>) => new Set(fields.map(({ field }) => field))

layer(TestKit.layer)("filter fields", (it) => {
  it.effect("describe conditions that filters accept, for every field, operator and type of custom field", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      for (const type of FieldType.literals) {
        yield* givenContactField(organization, type, { type, ...(type === "enum" && { choices: ["S", "M"] }) })
      }
      const fields = yield* listFilterFields().pipe(asOwnerOf(organization))
      assert.lengthOf(
        fields.filter(({ field }) => field === "attribute"),
        FieldType.literals.length
      )
      const outcomes = yield* Effect.forEach(fields.flatMap(conditionsOf), (filter, place) =>
        Effect.map(tagOf(createSegment({ name: `Segment ${place}`, filter })).pipe(asOwnerOf(organization)), (tag) => ({
          filter,
          tag
        }))
      )
      assert.isAbove(outcomes.length, 60)
      const named = new Set(fields.filter(({ resource }) => resource !== null).map(({ field }) => field))
      assert.deepStrictEqual(
        outcomes.filter(({ filter, tag }) => tag !== "ok" && !(tag === "NotFound" && named.has(filter.field))),
        []
      )
    })
  )

  it.effect("leave out custom fields in deletion", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { id } = yield* givenContactField(organization, "leaving")
      yield* deleteContactField({ id, ifVersion: null }).pipe(asOwnerOf(organization))
      const fields = yield* listFilterFields().pipe(asOwnerOf(organization))
      assert.isFalse(describedNames(fields).has("attribute"))
    })
  )

  it.effect("leave out fields of areas that the caller cannot read", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const list = (...permissions: ReadonlyArray<Permission>) =>
        Effect.map(listFilterFields(), describedNames).pipe(actingIn(organization, tokenWith(...permissions)))
      const own = yield* list("contacts.read")
      const commerce = yield* list("contacts.read", "commerce.read")
      assert.deepStrictEqual([own.has("tag"), own.has("spent"), own.has("broadcast")], [true, false, false])
      assert.deepStrictEqual(
        [commerce.has("tag"), commerce.has("spent"), commerce.has("broadcast")],
        [true, true, false]
      )
    })
  )
})
