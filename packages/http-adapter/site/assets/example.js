import { withoutNull } from "./schema.js"

/**
 * @typedef {import("./openapi.js").Schema} Schema
 * @typedef {import("./openapi.js").Media} Media
 * @typedef {import("./openapi.js").Operation} Operation
 * @typedef {(schema: Schema) => Schema} Resolve
 */

/** @type {Record<string, string>} */
const byFormat = {
  uuid: "01934f6e-8c2b-7d10-9f3a-5b1c2d3e4f50",
  "date-time": "2026-11-20T09:30:00.000Z",
  date: "2026-11-20",
  email: "ada@example.com",
  uri: "https://example.com"
}

/**
 * A value that the schema allows, for where the document gives no example.
 *
 * @param {Schema} schema
 * @param {Resolve} resolve
 * @param {number} [depth]
 * @returns {unknown}
 */
export const sampleOf = (schema, resolve, depth = 0) => {
  const whole = withoutNull(schema, resolve).schemas[0] ?? {}
  const said = whole.example ?? whole.examples?.[0] ?? whole.const ?? whole.default ?? whole.enum?.[0]
  if (said !== undefined) return said
  if (depth > 6) return null
  if (whole.type === "array" || whole.items !== undefined) {
    const items = typeof whole.items === "object" ? whole.items : (whole.prefixItems?.[0] ?? {})
    return [sampleOf(items, resolve, depth + 1)]
  }
  if (whole.properties !== undefined) {
    return Object.fromEntries(
      Object.entries(whole.properties).map(([name, property]) => [name, sampleOf(property, resolve, depth + 1)])
    )
  }
  switch (whole.type) {
    case "object":
      return {}
    case "boolean":
      return true
    case "integer":
    case "number":
      return Math.max(whole.minimum ?? 1, Math.min(1, whole.maximum ?? 1))
    case "null":
      return null
    default:
      return byFormat[whole.format] ?? "text"
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
const parameterSample = (parameter, resolve) => String(parameter.example ?? sampleOf(parameter.schema ?? {}, resolve))

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
