import { type JsonSchema, Predicate } from "effect"
import type { Document, Media, Parameter } from "../../api/describe.ts"
import { type Area, areaPath, operationPath } from "./areas.ts"
import { type Call, callsOf, parametersOf, refusalsOf, resolveIn } from "./contract.ts"

type Json = Readonly<Record<string, unknown>>

const isJson = (value: unknown): value is Json => Predicate.isObject(value)

const membersOf = (value: unknown): ReadonlyArray<Json> => (Array.isArray(value) ? value.filter(isJson) : [])

const oneLine = (text: unknown) => (Predicate.isString(text) ? text.replaceAll(/\s+/g, " ").trim() : "")

const isNull = (schema: Json) => schema["type"] === "null"

const unionOf = (types: ReadonlyArray<string>) => Array.from(new Set(types)).join(" or ")

/** Resolves a schema, with the parts of its `allOf`. */
const wholeOf = (document: Document, schema: Json): Json => {
  const resolved: Json = resolveIn(document)<JsonSchema.JsonSchema>(schema as JsonSchema.JsonSchema)
  const parts = membersOf(resolved["allOf"]).map((part) => wholeOf(document, part))
  const properties: Json = Object.assign({}, ...[...parts, resolved].map((part) => part["properties"]))
  return {
    ...Object.assign({}, ...parts),
    ...resolved,
    ...(Object.keys(properties).length > 0 && { properties }),
    required: [...parts, resolved].flatMap(({ required }) => (Array.isArray(required) ? required : []))
  }
}

const variantsOf = (whole: Json) => [...membersOf(whole["anyOf"]), ...membersOf(whole["oneOf"])]

/** Describes a type in a few words: `list of string`, `"open" or "closed"`. */
const typeOf = (document: Document, schema: Json, depth = 0): string => {
  const whole = wholeOf(document, schema)
  const variants = variantsOf(whole)
  if (depth > 4) return "object"
  if (variants.length > 0) return unionOf(variants.map((variant) => typeOf(document, variant, depth + 1)))
  if (Array.isArray(whole["enum"])) return unionOf(whole["enum"].map((value) => JSON.stringify(value)))
  if (isJson(whole["items"])) return `list of ${typeOf(document, whole["items"], depth + 1)}`
  if (isJson(whole["properties"])) return "object"
  const type = Array.isArray(whole["type"]) ? whole["type"].join(" or ") : (whole["type"] ?? "any value")
  return Predicate.isString(whole["format"]) ? `${String(type)} (${whole["format"]})` : String(type)
}

/** Detail of a page. A summary has fewer levels of fields, no examples and no errors. */
type Detail = "page" | "summary"

const depths: Readonly<Record<Detail, number>> = { page: 4, summary: 0 }

/** Lists the fields of a schema. A schema that contains itself, and deep schemas, are not repeated. */
const fieldsOf = (
  document: Document,
  schema: Json,
  detail: Detail,
  depth = 0,
  outer: ReadonlyArray<unknown> = []
): ReadonlyArray<string> => {
  const ref = schema["$ref"]
  if (depth > depths[detail] || (ref !== undefined && outer.includes(ref))) return []
  const inside = ref === undefined ? outer : [...outer, ref]
  const whole = wholeOf(document, schema)
  const variants = variantsOf(whole).filter((variant) => !isNull(variant))
  if (variants.length > 1) {
    const known = new Set<string>()
    return variants
      .flatMap((variant) => fieldsOf(document, variant, detail, depth, inside))
      .filter((line) => !known.has(line) && known.add(line))
  }
  const [only] = variants
  if (only !== undefined) return fieldsOf(document, only, detail, depth, inside)
  if (isJson(whole["items"])) return fieldsOf(document, whole["items"], detail, depth, inside)
  if (!isJson(whole["properties"])) return []
  const required = Array.isArray(whole["required"]) ? whole["required"] : []
  return Object.entries(whole["properties"]).flatMap(([name, field]) => {
    if (!isJson(field)) return []
    const facts = [typeOf(document, field), ...(required.includes(name) ? ["required"] : [])].join(", ")
    const description = oneLine(wholeOf(document, field)["description"])
    return [
      `${"  ".repeat(depth)}- \`${name}\` (${facts})${description === "" ? "" : `: ${description}`}`,
      ...fieldsOf(document, field, detail, depth + 1, inside)
    ]
  })
}

const parameterLine = (document: Document, { description, name, required, schema, in: place }: Parameter) =>
  `- \`${name}\` (${place}, ${typeOf(document, schema)}${required ? ", required" : ""})${
    description === undefined ? "" : `: ${oneLine(description)}`
  }`

const titled = (title: string, lines: ReadonlyArray<string>) => (lines.length === 0 ? [] : [title, lines.join("\n")])

const exampleOf = ({ example, examples }: Media) => example ?? Object.values(examples ?? {})[0]

const bodyLines = (document: Document, title: string, detail: Detail, content: Readonly<Record<string, Media>> = {}) =>
  Object.entries(content).flatMap(([type, media]) => {
    const example = detail === "page" ? exampleOf(media) : undefined
    return [
      `${title} (\`${type}\`):`,
      ...[fieldsOf(document, media.schema, detail).join("\n")].filter((lines) => lines !== ""),
      ...(example === undefined ? [] : [`\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``])
    ]
  })

const callMarkdown = (document: Document, { method, operation, path }: Call, detail: Detail): string => {
  const { description, operationId, requestBody, responses, summary = operationId } = operation
  const permission = operation["x-permission"]
  const feature = operation["x-plan-feature"]
  const needs = [
    ...(permission === undefined ? [] : [`Permission: \`${permission}\`.`]),
    ...(feature === undefined ? [] : [`Plan feature: \`${feature}\`.`]),
    ...(operation.security.length === 0 ? ["Needs no token."] : [])
  ]
  return [
    `## ${summary}`,
    `\`${method} ${path}\` (operation \`${operationId}\`)`,
    ...(description === undefined ? [] : [description]),
    ...(needs.length === 0 ? [] : [needs.join(" ")]),
    ...titled(
      "Parameters:",
      parametersOf(document, operation).map((parameter) => parameterLine(document, parameter))
    ),
    ...bodyLines(document, "Body", detail, requestBody?.content),
    ...Object.entries(responses).flatMap(([status, answer]) =>
      status.startsWith("2")
        ? [
            `Answer ${status}: ${oneLine(resolveIn(document)(answer).description)}`,
            ...bodyLines(document, "Content", detail, resolveIn(document)(answer).content)
          ]
        : []
    ),
    ...titled(
      "Errors:",
      detail === "summary"
        ? []
        : refusalsOf(document, operation).map(({ code, status, title }) => `- ${status} \`${code}\`: ${title}.`)
    )
  ].join("\n\n")
}

/** Page of an area as Markdown. */
export const areaMarkdown = (document: Document, { description, name }: Area, detail: Detail): string =>
  `${[
    `# ${name}`,
    `> ${description}`,
    ...callsOf(document)
      .filter(({ area }) => area === name)
      .map((call) => callMarkdown(document, call, detail))
  ].join("\n\n")}\n`

/** Page of the error codes as Markdown. */
export const errorsMarkdown = (document: Document): string => {
  const refusals = new Map<string, { readonly status: string; readonly title: string; readonly calls: Array<string> }>()
  const calls = callsOf(document)
  for (const { area, operation } of calls) {
    for (const { code, status, title } of refusalsOf(document, operation)) {
      const known = refusals.get(code) ?? { status, title, calls: [] }
      known.calls.push(`[${operation.operationId}](${operationPath(area, operation.operationId)})`)
      refusals.set(code, known)
    }
  }
  const lines = Array.from(refusals, ([code, { calls: at, status, title }]) => ({
    status,
    line: `- ${status} \`${code}\`: ${title}. ${at.length > 12 ? `${at.length} calls can return it.` : `Calls: ${at.join(", ")}.`}`
  })).toSorted((one, other) => Number(one.status) - Number(other.status))
  return `# Error codes\n\nThe \`code\` of a problem is stable: branch on it.\n\n${lines.map(({ line }) => line).join("\n")}\n`
}

/** First page of the reference as Markdown. */
export const referenceMarkdown = (areas: ReadonlyArray<Area>): string =>
  `${[
    "# API reference",
    "Requests, answers and errors of each call. Calls and answers are JSON. Ids are UUIDs, times are RFC 3339 in UTC.",
    areas
      .map(({ description, name, operations }) => {
        const links = operations.map(
          ({ id, method, summary }) => `  - ${method} [${summary}](${operationPath(name, id)})`
        )
        return [`- [${name}](${areaPath(name)}.md): ${description}`, ...links].join("\n")
      })
      .join("\n"),
    "- [Error codes](/docs/reference/errors.md)\n- [OpenAPI 3.1 document](/openapi.json)"
  ].join("\n\n")}\n`
