import { readFileSync, writeFileSync } from "node:fs"
import { isProblem } from "./breakingChanges.ts"
import { isJson, type Json } from "./schemaBreaks.ts"

const file = new URL("openapi.json", import.meta.url)

/** Keywords for readers, without a meaning for programs. */
const forReaders = new Set(["description", "example", "examples", "headers", "summary", "tags", "x-client-method"])

const isName = (keyword: string) => keyword === "properties" || keyword === "schemas"

/** Leaves out the texts. Names of fields and schemas can equal a keyword. */
const bare = (value: unknown, holdsNames = false): unknown => {
  if (Array.isArray(value)) return value.map((each) => bare(each))
  if (!isJson(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) =>
      !holdsNames && forReaders.has(key) ? [] : [[key, bare(part, isName(key) && !holdsNames)]]
    )
  )
}

const withoutErrors = (document: Json): Json => {
  const text = JSON.stringify(document, (key, value: unknown) =>
    key === "responses" && isJson(value)
      ? Object.fromEntries(Object.entries(value).filter(([status]) => status.startsWith("2")))
      : value
  )
  return JSON.parse(text)
}

/** Removes the schemas that only texts use. Errors are compared by their schemas. */
const withUsedSchemas = ({ components, paths, webhooks }: Json): Json => {
  const { parameters, schemas } = isJson(components) ? components : {}
  const all = isJson(schemas) ? schemas : {}
  const problems = Object.keys(all).filter(isProblem)
  const used = new Set(problems)
  const unread = [JSON.stringify([paths, webhooks, parameters, problems.map((name) => all[name])])]
  for (let text = unread.pop(); text !== undefined; text = unread.pop()) {
    for (const [, name = ""] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/gu)) {
      if (!used.has(name)) unread.push(JSON.stringify(all[name] ?? {}))
      used.add(name)
    }
  }
  return {
    paths,
    webhooks,
    components: { parameters, schemas: Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name))) }
  }
}

/** The part of an OpenAPI document that clients depend on. */
export const contractOf = (document: object): Json => {
  const plain: Json = JSON.parse(JSON.stringify(document))
  return withUsedSchemas(withoutErrors(bare(plain) as Json))
}

const lines = (value: unknown) =>
  isJson(value)
    ? `{\n${Object.entries(value)
        .map(([name, part]) => `${JSON.stringify(name)}:${JSON.stringify(part)}`)
        .join(",\n")}\n}`
    : "{}"

/** Records a contract, with a line per path and per schema. */
export const record = ({ components, paths, webhooks }: Json) => {
  const { parameters, schemas } = isJson(components) ? components : {}
  const text = `{"paths":${lines(paths)},"webhooks":${lines(webhooks)},"components":{"parameters":${lines(parameters)},"schemas":${lines(schemas)}}}\n`
  writeFileSync(file, text)
}

/** Reads the recorded contract. */
export const recorded = (): Json => JSON.parse(readFileSync(file, "utf8"))
