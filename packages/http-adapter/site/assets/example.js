import { withoutNull } from "./schema.js"

/**
 * @typedef {import("./openapi.js").Schema} Schema
 * @typedef {import("./openapi.js").Media} Media
 * @typedef {import("./openapi.js").Operation} Operation
 * @typedef {(schema: Schema) => Schema} Resolve
 */

/** @type {Record<string, unknown>} */
const byName = {
  name: "Ada Lovelace",
  email: "ada@example.com",
  slug: "acme-retail",
  timezone: "Europe/Berlin",
  locale: "en",
  currency: "EUR",
  password: "correct horse battery staple",
  currentPassword: "correct horse battery staple",
  newPassword: "staple battery horse correct",
  token: "eyJhbGciOiJFZERTQSJ9…",
  accessToken: "eyJhbGciOiJFZERTQSJ9…",
  sessionToken: "eyJhbGciOiJFZERTQSJ9…",
  refreshToken: "Zk3vT0p9…",
  code: "q8Yw2mX…",
  cursor: "eyJrIjpbIjAxOTM0…",
  nextCursor: "eyJrIjpbIjAxOTM0…",
  after: "eyJrIjpbIjAxOTM0…",
  requestId: "req_01JD8W3Z5Q",
  version: 1,
  position: 42,
  limit: 25,
  status: "active",
  detail: "What happened, in a sentence.",
  pointer: "/name",
  message: "Expected a name"
}

/** @type {Record<string, unknown>} */
const byFormat = {
  uuid: "01934f6e-8c2b-7d10-9f3a-5b1c2d3e4f50",
  "date-time": "2026-11-20T09:30:00.000Z",
  date: "2026-11-20",
  email: "ada@example.com",
  uri: "https://example.com",
  binary: "…"
}

/** @type {ReadonlyArray<readonly [owner: RegExp, names: Record<string, string>]>} */
const byOwner = [
  [/AutomationToken/, { name: "Nightly report" }],
  [/Automation/, { name: "Greet new contacts" }],
  [/Organization/, { name: "Acme Retail" }]
]

/** @param {Schema} schema */
const ownerOf = (schema) => {
  const named = [schema, ...(schema.anyOf ?? [])].find((one) => typeof one.$ref === "string")
  return named === undefined ? "" : String(named.$ref).split("/").at(-1)
}

/** @param {string | undefined} owner @param {string} name */
const nameWithin = (owner, name) => byOwner.find(([pattern]) => pattern.test(owner ?? ""))?.[1][name]

/** @param {string} name */
const isTime = (name) => /(?:At|^at|^from|^to)$/.test(name)

/** @param {string} name */
const isId = (name) => /(?:Id|^id)$/.test(name)

/** @param {string} name @param {Schema} schema */
const textOf = (name, schema) => {
  if (schema.format !== undefined && byFormat[schema.format] !== undefined) return byFormat[schema.format]
  const known = byName[name]
  if (typeof known === "string") return known
  if (isTime(name)) return byFormat["date-time"]
  if (isId(name)) return byFormat["uuid"]
  return /[uU]rl$/.test(name) ? "https://example.com" : "text"
}

/** @param {string} name @param {Schema} schema */
const numberOf = (name, schema) => {
  const known = byName[name]
  if (typeof known === "number") return known
  const least = schema.minimum ?? 0
  return least > -1_000_000 && least > 0 ? least : Math.min(3, schema.maximum ?? 3)
}

/**
 * A value that the schema allows, and that a reader can make sense of.
 *
 * @param {Schema} schema
 * @param {Resolve} resolve
 * @param {string} [name]
 * @param {number} [depth]
 * @returns {unknown}
 */
export const sampleOf = (schema, resolve, name = "", depth = 0) => {
  const { nullable, schemas } = withoutNull(schema, resolve)
  const whole = schemas[0] ?? {}
  const said = whole.example ?? whole.examples?.[0] ?? whole.const ?? whole.default ?? whole.enum?.[0]
  if (said !== undefined) return said
  if (depth > 6 || (nullable && /^(?:avatarUrl|revokedAt|before)$/.test(name))) return null
  if (whole.type === "array" || whole.items !== undefined) {
    const items = typeof whole.items === "object" ? whole.items : (whole.prefixItems?.[0] ?? {})
    return [sampleOf(items, resolve, name.replace(/s$/, ""), depth + 1)]
  }
  if (whole.properties !== undefined) {
    const owner = ownerOf(schema)
    return Object.fromEntries(
      Object.entries(whole.properties).map(([key, property]) => [
        key,
        nameWithin(owner, key) ?? sampleOf(property, resolve, key, depth + 1)
      ])
    )
  }
  switch (whole.type) {
    case "object":
      return {}
    case "boolean":
      return true
    case "integer":
    case "number":
      return numberOf(name, whole)
    case "null":
      return null
    default:
      return textOf(name, whole)
  }
}

/**
 * @param {Media} media
 * @param {Resolve} resolve
 */
export const exampleOf = (media, resolve) =>
  media.example ?? Object.values(media.examples ?? {})[0]?.value ?? sampleOf(media.schema ?? {}, resolve)

/** @param {unknown} value */
export const asJson = (value) => JSON.stringify(value, null, 2)

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** @param {import("./openapi.js").Parameter} parameter @param {Resolve} resolve */
const parameterSample = (parameter, resolve) =>
  String(parameter.example ?? sampleOf(parameter.schema ?? {}, resolve, parameter.name))

/** @type {Record<string, string>} */
const headerSamples = {
  "x-organization-id": "YOUR_ORGANIZATION_ID",
  "idempotency-key": "$(uuidgen)",
  "if-match": '\\"3\\"'
}

/** @type {Record<string, string>} */
const headerNames = {
  "x-organization-id": "X-Organization-Id",
  "idempotency-key": "Idempotency-Key",
  "if-match": "If-Match",
  "x-request-id": "X-Request-Id",
  "last-event-id": "Last-Event-ID",
  accept: "Accept"
}

/** @param {string} name */
export const headerName = (name) => headerNames[name.toLowerCase()] ?? name

/**
 * A call of the endpoint for a shell.
 *
 * @param {Operation} operation
 * @param {Resolve} resolve
 */
export const curlOf = (operation, resolve) => {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const parameter = operation.parameters.find((one) => one.in === "path" && one.name === name)
    return parameter === undefined ? name : parameterSample(parameter, resolve)
  })
  const query = operation.parameters
    .filter((one) => one.in === "query" && one.required === true)
    .map((one) => `${one.name}=${encodeURIComponent(parameterSample(one, resolve))}`)
    .join("&")
  const url = `http://127.0.0.1:8787${path}${query === "" ? "" : `?${query}`}`
  const headers = operation.parameters
    .filter((one) => one.in === "header" && one.name.toLowerCase() !== "x-request-id")
    .map((one) => `${headerName(one.name)}: ${headerSamples[one.name.toLowerCase()] ?? parameterSample(one, resolve)}`)
  const [media] = Object.entries(operation.requestBody?.content ?? {})
  const lines = [
    operation.method === "GET" ? `curl ${quotedUrl(url)}` : `curl -X ${operation.method} ${quotedUrl(url)}`,
    ...(operation.secured ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...headers.map((header) => `-H "${header}"`),
    ...(media === undefined
      ? []
      : [`-H "Content-Type: ${media[0]}"`, `-d ${quoted(asJson(exampleOf(media[1], resolve)))}`])
  ]
  return lines.join(" \\\n  ")
}

/** @param {string} url */
function quotedUrl(url) {
  return /[?&]/.test(url) ? `"${url}"` : url
}
