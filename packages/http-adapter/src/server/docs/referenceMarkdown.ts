import type { Document, Media, Parameter } from "../../api/describe.ts"
import { type Area, areaPath, operationPath } from "./areas.ts"
import { type Call, callsOf, parametersOf, refusalsOf, resolveIn } from "./contract.ts"
import { linesOf, oneLine, type Schemas, typeOf } from "./schemaMarkdown.ts"
import { sharedIn } from "./schemaParts.ts"

/** Detail of a page. A summary has one level of fields, no examples and no errors. */
type Detail = "page" | "summary"

const parameterLine = (schemas: Schemas, { description, name, required, schema, in: place }: Parameter) =>
  `- \`${name}\` (${place}, ${typeOf(schemas, schema)}${required ? ", required" : ""})${
    description === undefined ? "" : `: ${oneLine(description)}`
  }`

const titled = (title: string, lines: ReadonlyArray<string>) => (lines.length === 0 ? [] : [title, lines.join("\n")])

const exampleOf = ({ example, examples }: Media) => example ?? Object.values(examples ?? {})[0]

const bodyLines = (schemas: Schemas, title: string, detail: Detail, content: Readonly<Record<string, Media>> = {}) =>
  Object.entries(content).flatMap(([type, media]) => {
    const example = detail === "page" ? exampleOf(media) : undefined
    const lines = linesOf(schemas, { anyOf: [media.schema] }, 0)
    const named = lines.length === 0 && detail === "page" ? ` ${typeOf(schemas, media.schema)}` : ""
    return [
      `${title} (\`${type}\`):${named}`,
      ...(lines.length === 0 ? [] : [lines.join("\n")]),
      ...(example === undefined ? [] : [`\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``])
    ]
  })

const callMarkdown = (schemas: Schemas, { method, operation, path }: Call, detail: Detail): string => {
  const { document } = schemas
  const { description, operationId, requestBody, responses, summary = operationId } = operation
  const permission = operation["x-permission"]
  const feature = operation["x-plan-feature"]
  const needs = [
    ...(permission === undefined || description?.startsWith("Needs the permission") === true
      ? []
      : [`Permission: \`${permission}\`.`]),
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
      parametersOf(document, operation).map((parameter) => parameterLine(schemas, parameter))
    ),
    ...bodyLines(schemas, "Body", detail, requestBody?.content),
    ...Object.entries(responses).flatMap(([status, answer]) =>
      status.startsWith("2")
        ? [
            `Answer ${status}: ${oneLine(resolveIn(document)(answer).description)}`,
            ...bodyLines(schemas, "Content", detail, resolveIn(document)(answer).content)
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

/** Lists the schemas of requests and successful answers. */
const bodiesOf = (document: Document, calls: ReadonlyArray<Call>) =>
  calls.flatMap(({ operation: { requestBody, responses } }) =>
    [
      requestBody?.content,
      ...Object.entries(responses).map(([status, answer]) =>
        status.startsWith("2") ? resolveIn(document)(answer).content : undefined
      )
    ].flatMap((content = {}) => Object.values(content).map(({ schema }) => schema))
  )

const schemaMarkdown = (schemas: Schemas, name: string): string => {
  const schema = schemas.document.components.schemas[name] ?? {}
  const description = oneLine(schema["description"])
  return [`### ${name}`, ...(description === "" ? [] : [description]), linesOf(schemas, schema, 0).join("\n")].join(
    "\n\n"
  )
}

/** Page of an area as Markdown. Schemas of several places are at its end. */
export const areaMarkdown = (document: Document, { description, name }: Area, detail: Detail): string => {
  const calls = callsOf(document).filter(({ area }) => area === name)
  const shared = detail === "page" ? sharedIn(document, bodiesOf(document, calls)) : []
  const schemas: Schemas = { document, shared: new Set(shared), depth: detail === "page" ? null : 0 }
  return `${[
    `# ${name}`,
    `> ${description}`,
    ...calls.map((call) => callMarkdown(schemas, call, detail)),
    ...(shared.length === 0 ? [] : ["## Schemas"]),
    ...shared.map((one) => schemaMarkdown(schemas, one))
  ].join("\n\n")}\n`
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
