import { Predicate } from "effect"
import type { Document } from "../../api/describe.ts"
import { operationPath } from "./areas.ts"
import { callsOf, type Refusal, refusalsOf, resolveIn } from "./contract.ts"
import { linesOf, type Schemas } from "./schemaMarkdown.ts"
import { isJson, propertiesOf, wholeOf } from "./schemaParts.ts"

/** Fields of every problem, which the guide to errors describes. */
const standard: ReadonlySet<string> = new Set(["type", "title", "status", "detail", "code", "requestId"])

/** Errors of requests without a call, which the contract does not contain. */
const outside = [
  { status: "404", code: "path_not_found", text: "This path does not exist." },
  {
    status: "405",
    code: "method_not_allowed",
    text: "The path does not support this method. `allowed` and the `Allow` header list the supported methods."
  }
]

/** Explanation of an occurrence in the example of the error. */
const detailOf = (document: Document, code: string): string | null => {
  const example = document.components.examples[code]
  const value = example === undefined ? undefined : resolveIn(document)(example).value
  return isJson(value) && Predicate.isString(value["detail"]) ? value["detail"] : null
}

const fieldLines = (document: Document, name: string | null): ReadonlyArray<string> => {
  if (name === null) return []
  const whole = wholeOf(document, document.components.schemas[name] ?? {})
  const own = propertiesOf(whole).filter(([field]) => !standard.has(field))
  const schemas: Schemas = { document, shared: new Set(), depth: null }
  return linesOf(schemas, { ...whole, properties: Object.fromEntries(own) }, 0)
}

interface Entry extends Refusal {
  readonly calls: Array<string>
}

const entriesOf = (document: Document): ReadonlyArray<Entry> => {
  const entries = new Map<string, Entry>()
  for (const { area, operation } of callsOf(document)) {
    for (const refusal of refusalsOf(document, operation)) {
      const entry = entries.get(refusal.code) ?? { ...refusal, calls: [] }
      entry.calls.push(`[${operation.operationId}](${operationPath(area, operation.operationId)})`)
      entries.set(refusal.code, entry)
    }
  }
  return Array.from(entries.values()).toSorted((one, other) => Number(one.status) - Number(other.status))
}

const errorMarkdown = (document: Document, { calls, code, schema, status, title }: Entry): string => {
  const detail = detailOf(document, code)
  const fields = fieldLines(document, schema)
  return [
    `## ${code}`,
    `Status ${status}. ${title}.`,
    ...(detail === null ? [] : [`Example of \`detail\`: ${detail}`]),
    ...(fields.length === 0 ? [] : [`Fields:\n\n${fields.join("\n")}`]),
    calls.length > 12 ? `${calls.length} calls can return it.` : `Calls: ${calls.join(", ")}.`
  ].join("\n\n")
}

/** Page of the error codes as Markdown, with the fields of each error. */
export const errorsMarkdown = (document: Document): string => {
  const entries = entriesOf(document)
  return `${[
    "# Error codes",
    "The `code` of a problem is stable: branch on it. Each error also has the [fields of all problems](/docs/guides/errors.md).",
    ...entries.map((entry) => errorMarkdown(document, entry)),
    ...outside
      .filter(({ code }) => entries.every((entry) => entry.code !== code))
      .map(({ code, status, text }) => `## ${code}\n\nStatus ${status}. ${text}`)
  ].join("\n\n")}\n`
}
