import { Predicate } from "effect"
import { type Direction, isJson, type Json, membersOf, resolveIn, schemaComparison } from "./schemaBreaks.ts"

const methods = new Set(["get", "post", "put", "patch", "delete"])

const entriesOf = (value: unknown): ReadonlyArray<readonly [string, Json]> =>
  isJson(value) ? Object.entries(value).filter((entry): entry is [string, Json] => isJson(entry[1])) : []

const textOf = (value: unknown) => (Predicate.isString(value) ? value : null)

const operationsOf = (document: Json, section: "paths" | "webhooks") =>
  new Map(
    entriesOf(document[section]).flatMap(([path, item]) =>
      entriesOf(item).flatMap(([method, operation]) =>
        methods.has(method) ? [[`${method.toUpperCase()} ${path}`, operation] as const] : []
      )
    )
  )

/** Whether a schema is the body of an error. */
export const isProblem = (name: string) => name.endsWith("Problem")

const schemasOf = ({ components }: Json) => (isJson(components) ? entriesOf(components["schemas"]) : [])

/** Lists the changes between two OpenAPI documents that break clients. */
export const breakingChanges = (before: Json, after: Json): ReadonlyArray<string> => {
  const schemaBreaks = schemaComparison(before, after)

  const contentBreaks = (place: string, one: Json, other: Json, direction: Direction) => {
    const now = new Map(entriesOf(other["content"]))
    return entriesOf(one["content"]).flatMap(([type, { schema }]) => {
      const next = now.get(type)
      if (next === undefined) return [`${place}: ${type} is removed`]
      if (!isJson(schema) || !isJson(next["schema"])) return []
      return schemaBreaks(schema, next["schema"], direction).map((text) => `${place}${text}`)
    })
  }

  const parametersOf = (document: Json, { parameters }: Json) =>
    new Map(
      membersOf(parameters)
        .map((parameter) => resolveIn(document, parameter))
        .map((parameter) => [`${String(parameter["in"])} ${String(parameter["name"])}`, parameter] as const)
    )

  const parameterBreaks = (one: Json, other: Json) => {
    const [old, now] = [parametersOf(before, one), parametersOf(after, other)]
    const own = Array.from(old).flatMap(([name, parameter]) => {
      const next = now.get(name)
      if (next === undefined) return [`${name}: the parameter is removed`]
      const isDemanded = parameter["required"] !== true && next["required"] === true
      const schemas = [parameter["schema"], next["schema"]]
      const [schema, nextSchema] = schemas
      return [
        ...(isDemanded ? [`${name}: the parameter is required`] : []),
        ...(isJson(schema) && isJson(nextSchema)
          ? schemaBreaks(schema, nextSchema, "request").map((text) => `${name}${text}`)
          : [])
      ]
    })
    const added = Array.from(now).flatMap(([name, { required }]) =>
      required === true && !old.has(name) ? [`${name}: the new parameter is required`] : []
    )
    return [...own, ...added]
  }

  const bodyBreaks = (one: Json, other: Json, direction: Direction) => {
    const [old, now] = [one["requestBody"], other["requestBody"]]
    const next = isJson(now) ? resolveIn(after, now) : {}
    const isDemanded = next["required"] === true && (!isJson(old) || resolveIn(before, old)["required"] !== true)
    return [
      ...(isDemanded && direction === "request" ? ["body: a body is required"] : []),
      ...(isJson(old) ? contentBreaks("body", resolveIn(before, old), next, direction) : [])
    ]
  }

  const answerBreaks = (one: Json, other: Json) => {
    const now = new Map(entriesOf(other["responses"]))
    return entriesOf(one["responses"]).flatMap(([status, answer]) => {
      if (!status.startsWith("2")) return []
      const next = now.get(status)
      if (next === undefined) return [`answer ${status}: the status is removed`]
      return contentBreaks(`answer ${status}`, resolveIn(before, answer), resolveIn(after, next), "answer")
    })
  }

  const accessBreaks = (one: Json, other: Json) => [
    ...(membersOf(one["security"]).length === 0 && membersOf(other["security"]).length > 0
      ? ["access: a token is required"]
      : []),
    ...["x-permission", "x-operator-scope", "x-plan-feature"].flatMap((key) => {
      const [old, now] = [textOf(one[key]), textOf(other[key])]
      return now === null || old === now ? [] : [`access: ${key} is ${now} instead of ${old ?? "none"}`]
    })
  ]

  const breaksOf = (section: "paths" | "webhooks", compare: (one: Json, other: Json) => ReadonlyArray<string>) => {
    const now = operationsOf(after, section)
    return Array.from(operationsOf(before, section)).flatMap(([name, operation]) => {
      const next = now.get(name)
      if (next === undefined) return [`${name}: the operation is removed`]
      return compare(operation, next).map((text) => `${name}: ${text}`)
    })
  }

  /** A call can stop returning an error. An existing error has all its fields; the text of its title can change. */
  const problemBreaks = () => {
    const now = new Map(schemasOf(after))
    return schemasOf(before).flatMap(([name, schema]) => {
      const next = now.get(name)
      if (!isProblem(name) || next === undefined) return []
      return schemaBreaks(schema, next, "answer")
        .filter((text) => !text.startsWith(".title: the value"))
        .map((text) => `${name}${text}`)
    })
  }

  return [
    ...breaksOf("paths", (one, other) => [
      ...accessBreaks(one, other),
      ...parameterBreaks(one, other),
      ...bodyBreaks(one, other, "request"),
      ...answerBreaks(one, other)
    ]),
    ...breaksOf("webhooks", (one, other) => bodyBreaks(one, other, "answer")),
    ...problemBreaks()
  ]
}
