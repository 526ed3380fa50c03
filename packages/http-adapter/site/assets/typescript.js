import { exampleBody, exampleOf, exampleUrl, fileOf, parameterSample } from "./example.js"

/**
 * @typedef {import("./openapi.js").Operation} Operation
 * @typedef {import("./example.js").Resolve} Resolve
 */

/** @param {string} key */
const nameOf = (key) => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key))

const lineLength = 64

/** @param {unknown} value @param {string} [margin] @returns {string} */
const literal = (value, margin = "") => {
  if (value === fileToSend) return "file"
  if (value === null || typeof value !== "object") return JSON.stringify(value)
  const isList = Array.isArray(value)
  const inner = `${margin}  `
  const parts = isList
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).map(([key, item]) => `${nameOf(key)}: ${literal(item, inner)}`)
  const [open, close] = isList ? "[]" : "{}"
  if (parts.length === 0) return `${open}${close}`
  const line = isList ? `[${parts.join(", ")}]` : `{ ${parts.join(", ")} }`
  return line.length + margin.length <= lineLength && !line.includes("\n")
    ? line
    : `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${margin}${close}`
}

/** @param {Operation} operation @param {RegExp} name */
const takes = (operation, name) => operation.parameters.some((one) => one.in === "header" && name.test(one.name))

/** @param {Operation} operation @param {Resolve} resolve */
const fetchOf = (operation, resolve) => {
  const body = exampleBody(operation)
  const answer = Object.entries(operation.answers).find(([status]) => status.startsWith("2"))
  const types = Object.keys(answer?.[1].content ?? {})
  const isFile = body?.isFile === true
  const content =
    body === null || isFile
      ? `await openAsBlob(${JSON.stringify(fileOf(body?.type ?? ""))})`
      : `JSON.stringify(${literal(exampleOf(body.media, resolve), "  ")})`
  const headers = [
    ...(operation.secured ? ['Authorization: "Bearer YOUR_TOKEN"'] : []),
    ...(takes(operation, /^x-organization-id$/i) ? ['"X-Organization-Id": "YOUR_ORGANIZATION_ID"'] : []),
    ...(takes(operation, /^idempotency-key$/i) ? ['"Idempotency-Key": crypto.randomUUID()'] : []),
    ...(body === null ? [] : [`"Content-Type": ${JSON.stringify(body.type)}`])
  ]
  return [
    ...(isFile ? ['import { openAsBlob } from "node:fs"', ""] : []),
    `const response = await fetch(${JSON.stringify(exampleUrl(operation, resolve))}, {`,
    ...(operation.method === "GET" ? [] : [`  method: "${operation.method}",`]),
    ...(headers.length === 0 ? [] : [`  headers: {\n    ${headers.join(",\n    ")}\n  }${body === null ? "" : ","}`]),
    ...(body === null ? [] : [`  body: ${content}`]),
    "})",
    ...(types.length === 0
      ? []
      : [
          types.includes("application/json")
            ? "const answer = await response.json()"
            : "const bytes = await response.bytes()"
        ])
  ].join("\n")
}

/** Placeholder for the file in a literal. */
const fileToSend = { file: null }

/** @param {Operation} operation @param {Resolve} resolve */
const inputOf = (operation, resolve) => {
  const body = exampleBody(operation)
  /** @param {"path" | "query"} place */
  const named = (place) =>
    Object.fromEntries(
      operation.parameters
        .filter((one) => one.in === place && (place === "path" || one.required === true))
        .map((one) => [one["x-client-name"] ?? one.name, parameterSample(one, resolve)])
    )
  const isFile = body?.isFile === true
  return {
    ...named("path"),
    ...named("query"),
    ...(takes(operation, /^if-match$/i) && { ifMatch: 3 }),
    ...(isFile && body.type !== "text/csv" && { contentType: body.type }),
    ...(isFile ? { body: fileToSend } : body === null ? {} : Object(exampleOf(body.media, resolve)))
  }
}

/**
 * A call of the endpoint with the light client.
 *
 * @param {Operation} operation
 * @param {Resolve} resolve
 */
export const typescriptOf = (operation, resolve) => {
  if (operation.client === null) return fetchOf(operation, resolve)
  const settings = [
    'baseUrl: "http://127.0.0.1:8787"',
    ...(operation.secured ? ['token: "YOUR_TOKEN"'] : []),
    ...(takes(operation, /^x-organization-id$/i) ? ['organizationId: "YOUR_ORGANIZATION_ID"'] : [])
  ]
  const input = inputOf(operation, resolve)
  const hasAnswer = Object.entries(operation.answers).some(
    ([status, answer]) => status.startsWith("2") && Object.keys(answer.content ?? {}).length > 0
  )
  const body = exampleBody(operation)
  const isFile = body?.isFile === true
  return `import { createParley } from "@parley/client"
${isFile ? 'import { openAsBlob } from "node:fs"\n' : ""}${isFile ? `\nconst file = await openAsBlob(${JSON.stringify(fileOf(body.type))})` : ""}
const parley = createParley({
  ${settings.join(",\n  ")}
})

const ${hasAnswer ? "{ data, problem }" : "{ problem }"} = await parley.${operation.client}(${Object.keys(input).length === 0 ? "" : literal(input)})`
}
