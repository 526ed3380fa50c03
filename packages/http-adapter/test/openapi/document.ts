import { Context, Predicate, Schema } from "effect"
import { HttpApi, type HttpApiEndpoint, OpenApi } from "effect/http-api"
import { Api } from "../../src/api/Api.ts"
import { documentPath } from "../../src/api/describe.ts"
import { openApi } from "../../src/server/openapi/openApi.ts"

/** The document as a caller reads it: text, and back. */
export const text = JSON.stringify(openApi("https://api.parley.test"))

/** The document, read from its text. */
export const document: Schema.Json = Schema.decodeSync(Schema.fromJsonString(Schema.Json))(text)

/** The value at the path. Follows pointers on the way. */
export const at = (root: unknown, ...path: ReadonlyArray<string>): unknown => {
  let here = followed(root)
  for (const name of path) here = followed(Predicate.isObject(here) ? here[name] : undefined)
  return here
}

const followed = (value: unknown): unknown => {
  const $ref = Predicate.isObject(value) ? value.$ref : undefined
  return typeof $ref === "string" ? at(document, ...segmentsOf($ref)) : value
}

/** Path segments of a pointer. */
export const segmentsOf = ($ref: string) =>
  $ref
    .replace(/^#\//, "")
    .split("/")
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"))

/** The entries of an object at the path. */
export const entriesAt = (root: unknown, ...path: ReadonlyArray<string>): ReadonlyArray<readonly [string, unknown]> => {
  const found = at(root, ...path)
  return Predicate.isObject(found) ? Object.entries(found).map(([name, value]) => [name, followed(value)]) : []
}

/** The items of a list at the path. */
export const itemsAt = (root: unknown, ...path: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  const found = at(root, ...path)
  return Array.isArray(found) ? found.map(followed) : []
}

/** An endpoint of the contract, and the call that the document describes for it. */
export interface Described {
  readonly group: string
  readonly endpoint: HttpApiEndpoint.Top
  readonly behind: ReadonlySet<string>
  readonly operation: unknown
  /** The schemas of its successes, by status. */
  readonly successes: ReadonlyMap<string, Schema.Top>
}

const found: Array<Described> = []
const left: Array<string> = []

HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, group, middleware, successes }) => {
    const path = documentPath(endpoint.path)
    if (Context.get(endpoint.annotations, OpenApi.Exclude)) {
      left.push(`${endpoint.method} ${path}`)
      return
    }
    found.push({
      group: group.identifier,
      endpoint,
      behind: new Set(Array.from(middleware, ({ key }) => key)),
      operation: at(document, "paths", path, endpoint.method.toLowerCase()),
      successes: new Map(Array.from(successes, ([status, [schema]]) => [String(status), schema]))
    })
  }
})

/** Every endpoint that the document describes. */
export const described: ReadonlyArray<Described> = found

/** The calls that it leaves out. */
export const leftOut: ReadonlyArray<string> = left

/** The error codes that a call can give with a status. */
export const codesOf = (answer: unknown): ReadonlyArray<string> => {
  const schema = at(answer, "content", "application/problem+json", "schema")
  const variants = itemsAt(schema, "anyOf")
  return (variants.length === 0 ? [schema] : variants).flatMap((variant) =>
    itemsAt(variant, "properties", "code", "enum").map(String)
  )
}
