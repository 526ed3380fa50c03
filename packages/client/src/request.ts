import type { FileBody } from "./operation.ts"

/** An endpoint as the table describes it: method, path, and flags for everything that differs from most endpoints. */
export interface Endpoint {
  readonly method: string
  readonly path: string
  readonly flags: Readonly<Record<string, string | undefined>>
  /** Format of the answer. The caller reads a stream. */
  readonly answer: "json" | "stream" | "text"
}

/** Reads an entry of the table, such as `PATCH /api/v1/contacts/{id} headers=if-match`. */
export const readEndpoint = (entry: string): Endpoint => {
  const [method = "", path = "", ...words] = entry.split(" ")
  const flags: Endpoint["flags"] = Object.fromEntries(words.map((word) => word.split("=")))
  return { method, path, flags, answer: "file" in flags ? "stream" : "text" in flags ? "text" : "json" }
}

/** The fields of an input in their places. */
export interface PlacedRequest {
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: FileBody | undefined
}

type Fields = Record<string, unknown>

const camelCase = (header: string) => header.replace(/-(\w)/gu, (_, letter: string) => letter.toUpperCase())

/** Dot segments would lead to another path, and an empty segment to the list of the resource. */
const segmentOf = (name: string, value: unknown) => {
  const text = String(value ?? "")
  if (/^\.{0,2}$/u.test(text)) throw new TypeError(`The path needs a value for "${name}"`)
  return encodeURIComponent(text)
}

const parameterOf = (value: unknown) =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value)

const queryOf = (fields: Fields) => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) query.append(name, parameterOf(one))
    }
  }
  const text = query.toString()
  return text === "" ? "" : `?${text}`
}

const namesIn = (flag: string | undefined) => flag?.split(",") ?? []

/** A version is an entity tag. */
const headerOf = (value: unknown) => (typeof value === "number" ? `"${value}"` : String(value))

/** Places the fields of an input: path, headers, then the query or the JSON body. */
export const placeFields = ({ flags, method, path }: Endpoint, input: object): PlacedRequest => {
  const fields: Fields = { ...input }
  const take = (name: string) => {
    const { [name]: value } = fields
    delete fields[name]
    return value
  }
  const headers: Record<string, string> = {}
  const filled = path.replace(/\{(\w+)\}/gu, (_, name: string) => segmentOf(name, take(name)))
  for (const header of namesIn(flags["headers"])) {
    const value = take(camelCase(header))
    if (value !== undefined) headers[header] = headerOf(value)
  }
  if (flags["upload"] !== undefined) {
    const body = take("body") as FileBody
    headers["content-type"] = String(take("contentType") ?? flags["upload"])
    return { path: filled + queryOf(fields), headers, body }
  }
  if (method === "GET" || method === "DELETE") return { path: filled + queryOf(fields), headers, body: undefined }
  const query = Object.fromEntries(namesIn(flags["query"]).map((name) => [name, take(name)]))
  const body = JSON.stringify(fields)
  if (body === "{}" && "bodyless" in flags) return { path: filled + queryOf(query), headers, body: undefined }
  headers["content-type"] = "application/json"
  return { path: filled + queryOf(query), headers, body }
}
