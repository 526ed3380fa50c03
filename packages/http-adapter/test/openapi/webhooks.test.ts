import { assert, describe, it } from "@effect/vitest"
import { deliveryOnlyTypes, toPublishedEventType, webhookHeaders } from "@parley/domain/integrations"
import { eventTypes } from "@parley/domain/composition"
import { at, document, entriesAt, itemsAt } from "./document.ts"

const posted = new Map(entriesAt(document, "webhooks").map(([type, item]) => [type, at(item, "post")]))

describe("webhooks of the OpenAPI document", () => {
  it("are all types of events, calls of automations and tests", () => {
    assert.deepStrictEqual(
      Array.from(posted.keys()),
      [...eventTypes, ...deliveryOnlyTypes].map(({ type }) => type)
    )
  })

  it.each(eventTypes)("describe for $type the body, the headers and the permission", (known) => {
    const operation = posted.get(known.type)
    assert.strictEqual(at(operation, "x-permission"), known.permission)
    const headers = itemsAt(operation, "parameters").map((parameter) => [at(parameter, "name"), at(parameter, "in")])
    assert.deepStrictEqual(
      headers,
      Object.keys(webhookHeaders).map((name) => [name, "header"])
    )
    for (const parameter of itemsAt(operation, "parameters")) assert.isDefined(at(parameter, "example"))
    const media = at(operation, "requestBody", "content", "application/json")
    assert.deepStrictEqual(at(media, "example"), toPublishedEventType(known).example)
    assert.deepStrictEqual(
      entriesAt(media, "schema", "properties", "data", "properties")
        .map(([name]) => name)
        .toSorted(),
      known.fields.toSorted()
    )
    const [envelope] = itemsAt(media, "schema", "allOf")
    for (const [name] of entriesAt(envelope, "properties")) {
      if (name !== "test") assert.property(at(media, "example"), name)
    }
  })

  it("contain their resource if GET returns it by id", () => {
    const reads = entriesAt(document, "paths").flatMap(([path, item]) => (at(item, "get") === undefined ? [] : [path]))
    const pluralOf = (name: string) => (name.endsWith("y") ? name.replace(/y$/u, "ies") : `${name}s`)
    const isRead = (name: string) => reads.some((path) => new RegExp(`/${pluralOf(name)}/\\{\\w+\\}$`).test(path))
    const readable = eventTypes.filter(({ type }) => isRead(type.split(".", 1)[0] ?? ""))
    assert.isAbove(readable.length, 60)
    assert.deepStrictEqual(
      readable.filter(({ resourcePermission }) => resourcePermission === null).map(({ type }) => type),
      []
    )
  })

  it("are named once", () => {
    const names = Array.from(posted.values(), (operation) => at(operation, "operationId"))
    assert.strictEqual(new Set(names).size, names.length)
  })
})
