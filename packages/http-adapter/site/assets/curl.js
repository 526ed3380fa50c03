import {
  asJson,
  exampleBody,
  exampleOf,
  exampleUrl,
  fileOf,
  headerName,
  isExampleHeader,
  parameterSample
} from "./example.js"

/**
 * @typedef {import("./openapi.js").Operation} Operation
 * @typedef {import("./example.js").Resolve} Resolve
 */

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** @param {string} url */
const quotedUrl = (url) => (/[?&%]/.test(url) ? `"${url}"` : url)

/** @type {Record<string, string>} */
const values = {
  "x-organization-id": "YOUR_ORGANIZATION_ID",
  "idempotency-key": "$(uuidgen)",
  "if-match": String.raw`\"3\"`
}

/** @param {Operation} operation @param {Resolve} resolve */
const bodyOf = (operation, resolve) => {
  const body = exampleBody(operation)
  if (body === null) return []
  const json = () => asJson(exampleOf(body.media, resolve)).replaceAll("\n", "\n  ")
  return [
    `-H "Content-Type: ${body.type}"`,
    body.isFile ? `--data-binary @${fileOf(body.type)}` : `-d ${quoted(json())}`
  ]
}

/**
 * A call of the endpoint for a shell.
 *
 * @param {Operation} operation
 * @param {Resolve} resolve
 */
export const curlOf = (operation, resolve) => {
  const url = quotedUrl(exampleUrl(operation, resolve))
  const headers = operation.parameters
    .filter(isExampleHeader)
    .map((one) => `${headerName(one.name)}: ${values[one.name.toLowerCase()] ?? parameterSample(one, resolve)}`)
  return [
    operation.method === "GET" ? `curl ${url}` : `curl -X ${operation.method} ${url}`,
    ...(operation.secured ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...headers.map((header) => `-H "${header}"`),
    ...bodyOf(operation, resolve)
  ].join(" \\\n  ")
}
