import { Predicate } from "effect"

/** A parameter of a call. */
export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: unknown
}

/** A call that the contract describes, and how it may be answered. */
export interface Operation {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly body: {
    readonly type: string
    readonly example: unknown
    readonly fields: ReadonlyMap<string, unknown>
    readonly required: ReadonlySet<string>
  } | null
  /** The codes of each status; none for a success. */
  readonly answers: ReadonlyMap<number, ReadonlySet<string>>
}

// A caller cannot continue after a logout.
const leftOut = new Set(["logout", "logoutEverywhere"])

/** The value at a path of a document. Follows pointers on the way. */
export const reader = (document: unknown) => {
  const follow = (value: unknown): unknown => {
    const to = Predicate.hasProperty(value, "$ref") ? value.$ref : undefined
    return typeof to === "string" ? at(document, ...to.slice(2).split("/")) : value
  }
  const at = (root: unknown, ...path: ReadonlyArray<string>): unknown =>
    path.reduce<unknown>((here, name) => {
      const inner = follow(here)
      return follow(Predicate.hasProperty(inner, name) ? inner[name] : undefined)
    }, follow(root))
  const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value.map(follow) : [])
  const entries = (value: unknown): ReadonlyArray<readonly [string, unknown]> =>
    Predicate.isObject(value) ? Object.entries(value).map(([name, one]) => [name, follow(one)] as const) : []
  /** The shapes that a schema allows. */
  const shapes = (schema: unknown): ReadonlyArray<unknown> => {
    const either = list(at(schema, "anyOf"))
    return either.length === 0 ? [schema] : either.flatMap(shapes)
  }
  return { at, list, entries, shapes }
}

export type Reader = ReturnType<typeof reader>

/** The kinds of JSON that a schema allows; `null` if it does not specify them. */
export const typesOf = ({ at, shapes }: Reader, schema: unknown): ReadonlySet<string> | null => {
  const types = shapes(schema).flatMap((shape) => {
    const type = at(shape, "type")
    return Array.isArray(type) ? type.map(String) : [String(type)]
  })
  return types.includes("undefined") ? null : new Set(types)
}

/** The calls of a contract. */
export const operationsOf = (document: unknown): ReadonlyArray<Operation> => {
  const { at, entries, list, shapes } = reader(document)
  const codesOf = (answer: unknown) =>
    new Set(
      shapes(at(answer, "content", "application/problem+json", "schema")).flatMap((shape) =>
        list(at(shape, "properties", "code", "enum")).map(String)
      )
    )
  return entries(at(document, "paths")).flatMap(([path, item]) =>
    entries(item).flatMap(([method, call]): ReadonlyArray<Operation> => {
      const name = String(at(call, "operationId"))
      const isStream = entries(at(call, "responses", "200", "content")).some(([type]) => type === "text/event-stream")
      // A stream does not end.
      if (isStream || leftOut.has(name)) return []
      const [content] = entries(at(call, "requestBody", "content"))
      const required = shapes(at(content?.[1], "schema")).flatMap((shape) => list(at(shape, "required")).map(String))
      const fields = shapes(at(content?.[1], "schema")).flatMap((shape) => entries(at(shape, "properties")))
      return [
        {
          name,
          method: method.toUpperCase(),
          path,
          parameters: list(at(call, "parameters")).map((each) => ({
            name: String(at(each, "name")),
            in: String(at(each, "in")),
            required: at(each, "required") === true,
            schema: at(each, "schema")
          })),
          body:
            content === undefined
              ? null
              : {
                  type: content[0],
                  example: at(content[1], "example"),
                  fields: new Map(fields),
                  required: new Set(required)
                },
          answers: new Map(entries(at(call, "responses")).map(([status, answer]) => [Number(status), codesOf(answer)]))
        }
      ]
    })
  )
}
