import { Predicate } from "effect"
import { OpenApi } from "effect/http-api"
import { describe, expect, it } from "vitest"
import { Api } from "../../src/api/Api.ts"
import { baseOf, commonFields, fieldDescriptions } from "../../src/server/openapi/fieldDescriptions/index.ts"
import { openApi } from "../../src/server/openapi/openApi.ts"
import { plainNames, tidy } from "../../src/server/openapi/schemas.ts"

const document = openApi("https://api.parley.test")

interface Place {
  readonly context: string
  readonly path: string
  readonly description: unknown
}

const membersOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** All fields of a schema and of the schemas inside of it. */
const fieldsIn = (schema: unknown, context: string, path: ReadonlyArray<string> = []): ReadonlyArray<Place> => {
  if (!Predicate.isObject(schema)) return []
  const same = [
    ...["anyOf", "oneOf", "allOf", "prefixItems"].flatMap((keyword) => membersOf(schema[keyword])),
    schema["items"],
    schema["additionalProperties"]
  ]
  const own = Predicate.isObject(schema["properties"]) ? Object.entries(schema["properties"]) : []
  return [
    ...same.flatMap((each) => fieldsIn(each, context, path)),
    ...own.flatMap(([name, field]) => {
      const place = [...path, name]
      const description = Predicate.isObject(field) ? field["description"] : undefined
      return [{ context, path: place.join("."), description }, ...fieldsIn(field, context, place)]
    })
  ]
}

const bodiesIn = (part: unknown, context: string): ReadonlyArray<Place> =>
  Predicate.isObject(part) && Predicate.isObject(part["content"])
    ? Object.values(part["content"]).flatMap((media) =>
        Predicate.isObject(media) ? fieldsIn(media["schema"], context) : []
      )
    : []

const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))

const places: ReadonlyArray<Place> = [
  ...Object.entries(document.components.schemas).flatMap(([name, schema]) => fieldsIn(schema, name)),
  ...Object.entries(document.webhooks).flatMap(([type, { post }]) => bodiesIn(post.requestBody, type)),
  ...operations.flatMap(({ operationId, parameters, requestBody, responses }) => [
    ...parameters.flatMap((each) =>
      "$ref" in each ? [] : [{ context: operationId, path: each.name, description: each.description }]
    ),
    ...bodiesIn(requestBody, operationId),
    ...Object.values(responses).flatMap((answer) => bodiesIn(answer, operationId))
  ])
]

const sentences = [
  ...Object.entries(commonFields).map(([path, text]) => ({ place: path, text })),
  ...fieldDescriptions.flatMap((area) =>
    Object.entries(area).flatMap(([context, fields]) =>
      Object.entries(fields).map(([path, text]) => ({ place: `${context}.${path}`, text }))
    )
  )
]

describe("the descriptions of fields", () => {
  it("cover every field and every parameter", () => {
    const missing = places.filter(({ description }) => !Predicate.isString(description) || description === "")
    expect(missing.map(({ context, path }) => `${context}.${path}`)).toEqual([])
  })

  it("are each used", () => {
    const known = new Set<string>()
    for (const { context, path } of places) {
      for (let at: string | undefined = context; at !== undefined; at = baseOf(at)) known.add(`${at}.${path}`)
    }
    const names = new Set(places.map(({ path }) => path.split(".").at(-1)))
    const unused = fieldDescriptions.flatMap((area) =>
      Object.entries(area).flatMap(([context, fields]) =>
        Object.keys(fields).flatMap((path) => (known.has(`${context}.${path}`) ? [] : [`${context}.${path}`]))
      )
    )
    expect(unused).toEqual([])
    expect(Object.keys(commonFields).filter((name) => !names.has(name))).toEqual([])
  })

  it("are stated once: in the contract or here", () => {
    const source = OpenApi.fromApi(Api)
    const rename = plainNames(Object.keys(source.components.schemas))
    const stated = Map.groupBy(
      Object.entries(source.components.schemas).flatMap(([name, schema]) =>
        fieldsIn(tidy(schema, rename), rename(name))
      ),
      ({ context, path }) => `${context} ${path}`
    )
    const isStated = ({ description }: Place) =>
      Predicate.isString(description) && !/^(?:Null|Empty) without `/u.test(description)
    const twice = fieldDescriptions.flatMap((area) =>
      Object.entries(area).flatMap(([context, fields]) =>
        Object.keys(fields).filter((path) => stated.get(`${context} ${path}`)?.every(isStated) === true)
      )
    )
    expect(twice).toEqual([])
  })

  it("are outside of allOf", () => {
    const inside = Array.from(
      JSON.stringify(document.components.schemas).matchAll(/"allOf":\[(?<parts>[^\]]*)\]/gu),
      ([, parts]) => parts
    )
    expect(inside.length).toBeGreaterThan(5)
    expect(inside.filter((parts = "") => parts.includes('"description"'))).toEqual([])
  })

  it("are in one area per context", () => {
    const contexts = fieldDescriptions.flatMap((area) => Object.keys(area))
    expect(contexts.filter((context, index) => contexts.indexOf(context) !== index)).toEqual([])
  })

  it("are short sentences", () => {
    const wrong = sentences.filter(({ text }) => !/^[A-Z`0-9].*[.)]$/su.test(text) || text.split(" ").length > 45)
    expect(wrong).toEqual([])
  })
})
