import { Predicate } from "effect"
import { type Document, isRef, type Operation, type Parameter, type Ref } from "../../api/describe.ts"

/** Operation of the contract, with its place in the document. */
export interface Call {
  readonly method: string
  readonly path: string
  readonly area: string
  readonly operation: Operation
}

/** Error that a call can return. */
export interface Refusal {
  readonly status: string
  readonly code: string
  readonly title: string
  readonly schema: string | null
}

/** Lists the operations in the order of the document. */
export const callsOf = ({ paths }: Pick<Document, "paths">): ReadonlyArray<Call> =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      area: operation.tags[0] ?? "Other",
      operation
    }))
  )

/** Follows a reference into the components. */
export const resolveIn =
  ({ components }: Pick<Document, "components">) =>
  <A extends object>(part: A | Ref): A => {
    if (!isRef(part)) return part
    const [, , kind = "", name = ""] = part.$ref.split("/")
    const parts = Object.entries<Readonly<Record<string, object>>>({ ...components })
    return (parts.find(([key]) => key === kind)?.[1][name] ?? {}) as A
  }

/** Returns the parameters of a call, with the shared ones. */
export const parametersOf = (document: Document, { parameters }: Operation): ReadonlyArray<Parameter> =>
  parameters.map((parameter) => resolveIn(document)<Parameter>(parameter))

const onlyValue = (schema: unknown): string => {
  if (!Predicate.isObject(schema)) return ""
  const values = schema["enum"]
  return String((Array.isArray(values) ? values[0] : undefined) ?? schema["const"] ?? "")
}

const variantsOf = (schema: unknown): ReadonlyArray<unknown> =>
  Predicate.isObject(schema) && Array.isArray(schema["anyOf"]) ? schema["anyOf"].flatMap(variantsOf) : [schema]

/** Lists the errors of a call, by status. */
export const refusalsOf = (document: Document, { responses }: Operation): ReadonlyArray<Refusal> => {
  const resolve = resolveIn(document)
  return Object.entries(responses).flatMap(([status, answer]) =>
    Object.values(resolve(answer).content ?? {}).flatMap(({ schema }) =>
      variantsOf(schema).flatMap((variant) => {
        if (!Predicate.isObject(variant)) return []
        const { properties } = resolve(variant as Readonly<Record<string, unknown>>)
        if (!Predicate.isObject(properties) || !("code" in properties)) return []
        const code = onlyValue(properties["code"])
        const schema = isRef(variant) ? (variant.$ref.split("/").at(-1) ?? null) : null
        return code === "" ? [] : [{ status, code, title: onlyValue(properties["title"]), schema }]
      })
    )
  )
}
