import { type JsonSchema, Predicate } from "effect"
import type { Document, Media } from "../../api/describe.ts"
import type { Guide } from "./Guides.ts"
import { type Area, errorsPath, operationPath } from "./areas.ts"
import { type Call, callsOf, parametersOf, refusalsOf, resolveIn } from "./contract.ts"
import { searchTerms } from "./searchTerms.ts"

/** Result that the search can show. */
export interface SearchEntry {
  readonly kind: "guide" | "operation" | "part" | "error"
  readonly href: string
  readonly title: string
  readonly detail: string
  readonly method?: string
  readonly feature?: string
  /** Names and terms of the entry. */
  readonly keys: string
  readonly text: string
  /** Text of the page that contains the entry. Words that only the page contains do not find the entry. */
  readonly within?: string
}

const guideEntries = (guide: Guide): ReadonlyArray<SearchEntry> => [
  {
    kind: "guide",
    href: guide.path,
    title: guide.title,
    detail: guide.leadText,
    keys: searchTerms[guide.slug] ?? "",
    text: [guide.leadText, ...guide.sections.flatMap(({ heading, text }) => [heading?.text ?? "", text])].join(" ")
  },
  ...guide.sections.flatMap(({ heading, text }): ReadonlyArray<SearchEntry> =>
    heading === null
      ? []
      : [
          {
            kind: "guide",
            href: `${guide.path}#${heading.id}`,
            title: heading.text,
            detail: guide.title,
            keys: searchTerms[`${guide.slug}#${heading.id}`] ?? "",
            text,
            within: guide.title
          }
        ]
  )
]

const maxDepth = 3

/** Names of the fields of a schema and of the schemas inside of it. */
const fieldNames = (document: Document, schema: unknown, depth = 0): ReadonlyArray<string> => {
  if (!Predicate.isObject(schema) || depth > maxDepth) return []
  const whole: Readonly<Record<string, unknown>> = resolveIn(document)(schema as JsonSchema.JsonSchema)
  const inner = ["anyOf", "oneOf", "allOf"].flatMap((keyword) => {
    const members = whole[keyword]
    return Array.isArray(members) ? members.flatMap((member) => fieldNames(document, member, depth)) : []
  })
  const { items, properties } = whole
  const own = Predicate.isObject(properties)
    ? Object.entries(properties).flatMap(([name, field]) => [name, ...fieldNames(document, field, depth + 1)])
    : []
  return [...inner, ...fieldNames(document, items, depth), ...own]
}

const namesOfBody = (document: Document, content: Readonly<Record<string, Media>> | undefined) =>
  fieldNames(document, Object.values(content ?? {})[0]?.schema)

/** Parts of an operation in the reference, with the names in them. */
const partEntries = (document: Document, { area, method, operation, path }: Call): ReadonlyArray<SearchEntry> => {
  const { operationId, requestBody, responses, summary = operationId } = operation
  const namesIn = (place: string) =>
    parametersOf(document, operation).flatMap((parameter) => (parameter.in === place ? [parameter.name] : []))
  const [status = "", answer] = Object.entries(responses).find(([code]) => code.startsWith("2")) ?? []
  const parts = [
    { name: "path", title: "In the path", names: namesIn("path") },
    { name: "query", title: "In the query", names: namesIn("query") },
    { name: "body", title: "Body", names: namesOfBody(document, requestBody?.content) },
    {
      name: `answer-${status}`,
      title: `Answer ${status}`,
      names: answer === undefined ? [] : namesOfBody(document, resolveIn(document)(answer).content)
    },
    { name: "errors", title: "Errors", names: refusalsOf(document, operation).map(({ code }) => code) }
  ]
  return parts.flatMap(({ name, names, title }): ReadonlyArray<SearchEntry> =>
    names.length === 0
      ? []
      : [
          {
            kind: "part",
            href: `${operationPath(area, operationId)}/${name}`,
            title: `${summary} › ${title}`,
            detail: path,
            method,
            keys: `${title} ${Array.from(new Set(names)).join(" ")}`,
            text: "",
            within: `${summary} ${method} ${path} ${operationId}`
          }
        ]
  )
}

const operationEntry = ({ area, method, operation, path }: Call): SearchEntry => {
  const { description = "", operationId, summary = operationId } = operation
  const feature = operation["x-plan-feature"]
  return {
    kind: "operation",
    href: operationPath(area, operationId),
    title: summary,
    detail: path,
    method,
    ...(feature !== undefined && { feature }),
    keys: `${method} ${path} ${operationId} ${area}`,
    text: description
  }
}

const areaEntry = ({ description, name, path }: Area): SearchEntry => ({
  kind: "operation",
  href: path,
  title: name,
  detail: description,
  keys: "",
  text: description
})

const errorEntries = (document: Document, calls: ReadonlyArray<Call>): ReadonlyArray<SearchEntry> => {
  const titles = new Map(
    calls.flatMap(({ operation }) => refusalsOf(document, operation).map(({ code, title }) => [code, title] as const))
  )
  return Array.from(titles, ([code, title]) => ({
    kind: "error" as const,
    href: `${errorsPath}#problem/${code}`,
    title: code,
    detail: title,
    keys: title,
    text: ""
  }))
}

/** Everything that the search finds: guides, areas, operations, their parts and error codes. */
export const searchEntries = (
  guides: ReadonlyArray<Guide>,
  areas: ReadonlyArray<Area>,
  document: Document
): ReadonlyArray<SearchEntry> => {
  const calls = callsOf(document)
  return [
    ...guides.flatMap(guideEntries),
    ...areas.map(areaEntry),
    ...calls.map(operationEntry),
    ...calls.flatMap((call) => partEntries(document, call)),
    ...errorEntries(document, calls)
  ]
}
