import { assert, describe, it } from "@effect/vitest"
import {
  publishedDeliveryTypes,
  toPublishedEventType,
  WebhookEnvelope,
  webhookHeaders
} from "@parley/domain/integrations"
import { DomainEvent, eventPermissions, eventTypes } from "@parley/domain/composition"
import { Schema } from "effect"
import { fieldsOf } from "./fieldsOf.ts"
import { publishedFields } from "./publishedFields.ts"

const read = Schema.decodeUnknownSync(Schema.toCodecJson(DomainEvent), { errors: "all", onExcessProperty: "error" })
const readEnvelope = Schema.decodeUnknownSync(Schema.toCodecJson(WebhookEnvelope))

const wordsOf = (line: string) => {
  const [type = "", ...fields] = line.split(" ").filter((word) => word !== "")
  return [type, fields] as const
}

const before = new Map(publishedFields.trim().split("\n").map(wordsOf))

const now = new Map(
  eventTypes.map(({ schema, type }) => {
    const definitions = (schema["$defs"] ?? {}) as Readonly<Record<string, typeof schema>>
    return [type, fieldsOf(schema, definitions).toSorted()] as const
  })
)

describe("the catalogue of events", () => {
  it("has every event, each with who may see it, the headers, a schema and an example", () => {
    const types = eventTypes.map(({ type }) => type)
    assert.deepStrictEqual(types, Object.keys(eventPermissions).toSorted())
    for (const each of eventTypes.map(toPublishedEventType)) {
      assert.strictEqual(each.permission, eventPermissions[each.type as keyof typeof eventPermissions])
      assert.deepStrictEqual(each.headers, Object.keys(webhookHeaders))
      assert.strictEqual(each.example["type"], each.type)
      assert.notInclude(JSON.stringify(each.schema), "$ref")
      assert.sameMembers(
        Object.keys(each.schema["properties"] as object).filter((name) => name !== "test"),
        Object.keys(each.example)
      )
    }
  })

  it.each(eventTypes)("shows an example of $type that is one", (known) => {
    const { example } = toPublishedEventType(known)
    read({ type: known.type, ...known.example })
    readEnvelope(example)
    const required = known.schema["required"] as ReadonlyArray<string>
    for (const field of required) assert.property(known.example, field)
  })

  it("ends with calls of automations and tests, which are not in the feed", () => {
    assert.deepStrictEqual(
      publishedDeliveryTypes.map(({ inFeed, type }) => [type, inFeed]),
      [
        ["automation.call", false],
        ["webhook.test", false]
      ]
    )
    for (const { example } of publishedDeliveryTypes) {
      readEnvelope(example)
      assert.isNull(example["position"])
    }
    assert.deepStrictEqual(
      publishedDeliveryTypes.map(({ example }) => example["test"]),
      [undefined, true]
    )
  })

  it("keeps every field that was published, as what it was", () => {
    const lost = Array.from(before).flatMap(([type, fields]) =>
      fields.filter((field) => now.get(type)?.includes(field) !== true).map((field) => `${type} ${field}`)
    )
    assert.deepStrictEqual(lost, [], "Those who receive these fields rely on them: take a new version of the payload")
    const gone = Array.from(before.keys()).filter((type) => !now.has(type))
    assert.deepStrictEqual(gone, [], "Those who receive these types rely on them")
  })

  it("has put down what is published", () => {
    const unsaid = Array.from(now).flatMap(([type, fields]) => {
      const input = before.get(type)
      if (input !== undefined && fields.every((field) => input.includes(field))) return []
      return [[type, ...fields].join(" ")]
    })
    assert.deepStrictEqual(unsaid, [], "Put these lines into publishedFields.ts")
  })
})
