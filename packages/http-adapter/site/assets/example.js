import { withoutNull } from "./schema.js"

/**
 * @typedef {import("./openapi.js").Schema} Schema
 * @typedef {import("./openapi.js").Media} Media
 * @typedef {import("./openapi.js").Operation} Operation
 * @typedef {import("./openapi.js").Parameter} Parameter
 * @typedef {(schema: Schema) => Schema} Resolve
 */

/** Values for where the schema says too little. @type {Record<string, string>} */
const byName = { currency: "EUR", phone: "+4915112345678", validFrom: "2026-11-20" }

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

/**
 * A value for a parameter.
 *
 * @param {Parameter} parameter
 * @param {Resolve} resolve
 * @returns {unknown}
 */
export const parameterSample = (parameter, resolve) =>
  parameter.example ?? byName[parameter.name] ?? sampleOf(parameter.schema ?? {}, resolve)

/**
 * The path of a call with a value in each of its places.
 *
 * @param {Operation} operation
 * @param {(name: string) => string} valueOf
 */
export const pathWith = (operation, valueOf) =>
  operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(valueOf(name)))

/**
 * The address of an example call, under a server that readers replace with theirs.
 *
 * @param {Operation} operation
 * @param {Resolve} resolve
 */
export const exampleUrl = (operation, resolve) => {
  const path = pathWith(operation, (name) => {
    const parameter = operation.parameters.find((one) => one.in === "path" && one.name === name)
    return parameter === undefined ? name : String(parameterSample(parameter, resolve))
  })
  const query = operation.parameters
    .filter((one) => one.in === "query" && one.required === true)
    .map((one) => `${one.name}=${encodeURIComponent(String(parameterSample(one, resolve)))}`)
    .join("&")
  return `http://127.0.0.1:8787${path}${query === "" ? "" : `?${query}`}`
}

/**
 * The media type of an example call's body, and whether that body is a file.
 *
 * @param {Operation} operation
 */
export const exampleBody = (operation) => {
  const [found] = Object.entries(operation.requestBody?.content ?? {})
  return found === undefined ? null : { type: found[0], media: found[1], isFile: found[0] !== "application/json" }
}

/** @type {Record<string, string>} */
const files = { "image/jpeg": "photo.jpg", "text/csv": "contacts.csv" }

/** The name of a file of a media type, for examples. @param {string} type */
export const fileOf = (type) => files[type] ?? "file"

/**
 * Whether an example call carries a header: those that are required, and those that a careful caller sends.
 *
 * @param {Parameter} parameter
 */
export const isExampleHeader = ({ in: place, name, required }) =>
  place === "header" && (required === true || /^(?:x-organization-id|idempotency-key|if-match)$/i.test(name))

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
