import { tryIt } from "./console.js"
import { h, icon, more, need } from "./dom.js"
import { callFigure } from "./call.js"
import { codeFigure, rewrite } from "./code.js"
import { asJson, exampleOf, headerName, sampleOf } from "./example.js"
import { fieldTree, parameterList } from "./fields.js"
import { gate } from "./gates.js"
import { problemHref } from "./index.js"
import { prose, words } from "./prose.js"
import { shapeOf } from "./schema.js"

/**
 * @typedef {import("./openapi.js").Reference} Reference
 * @typedef {import("./openapi.js").Operation} Operation
 * @typedef {import("./openapi.js").Answer} Answer
 * @typedef {import("./openapi.js").Refusal} Refusal
 * @typedef {Reference["resolve"]} Resolve
 */

/** @param {string} path */
const pathWithMarks = (path) =>
  path.split(/(\{\w+\})/).map((part) => (part.startsWith("{") ? h("span", { class: "path-part" }, part) : part))

/** @param {Operation} operation */
export const route = (operation) => [
  h("span", { class: `method method-${operation.method.toLowerCase()}` }, operation.method),
  h("code", { class: "path" }, pathWithMarks(operation.path))
]

/**
 * A section of an operation, which links and the search lead to.
 *
 * @param {Operation} operation
 * @param {string} name
 * @param {ReadonlyArray<import("./dom.js").Child>} heading
 * @param {...(import("./dom.js").Child | ReadonlyArray<import("./dom.js").Child>)} children
 */
const part = (operation, name, heading, ...children) =>
  h("section", { class: "part", id: `${operation.anchor}/${name}` }, h("h4", {}, heading), ...children)

const places = [
  { in: "path", title: "In the path" },
  { in: "query", title: "In the query" },
  { in: "cookie", title: "Cookies" }
]

/** @param {Operation} operation @param {Resolve} resolve */
const parameterSections = (operation, resolve) =>
  places.flatMap((place) => {
    const here = operation.parameters.filter((parameter) => parameter.in === place.in)
    if (here.length === 0) return []
    const named = here.map((one) => ({ ...one, label: one.name }))
    return [part(operation, place.in, [place.title], parameterList(named, resolve, "request"))]
  })

/** @param {Operation} operation @param {Reference} reference */
const headerSection = (operation, { resolve, sharedHeaders }) => {
  const headers = operation.parameters
    .filter((parameter) => parameter.in === "header")
    .map((parameter) => ({ ...parameter, label: headerName(parameter.name) }))
  const [own = [], shared = []] = [false, true].map((wanted) =>
    headers.filter(({ name }) => sharedHeaders.includes(name) === wanted)
  )
  return (
    headers.length > 0 &&
    part(
      operation,
      "headers",
      ["Headers"],
      own.length > 0 && parameterList(own, resolve, "request"),
      shared.length > 0 &&
        more([shared.map(({ label }) => label).join(", ")], () => parameterList(shared, resolve, "request"))
    )
  )
}

/** Media types with the same schema are one body. @param {Operation} operation */
const bodiesOf = ({ requestBody }) => {
  /** @type {Map<string, { media: import("./openapi.js").Media, types: Array<string> }>} */
  const bodies = new Map()
  for (const [type, media] of Object.entries(requestBody?.content ?? {})) {
    const key = JSON.stringify(media.schema ?? {})
    const known = bodies.get(key)
    if (known === undefined) bodies.set(key, { media, types: [type] })
    else known.types.push(type)
  }
  return [...bodies.values()]
}

/** @param {Operation} operation @param {Resolve} resolve */
const bodySections = (operation, resolve) =>
  bodiesOf(operation).map(({ media, types }, index) =>
    part(
      operation,
      index === 0 ? "body" : `body-${index + 1}`,
      ["Body", types.length === 1 && h("span", { class: "media" }, types[0] ?? "")],
      types.length > 1 &&
        h(
          "p",
          { class: "field-values" },
          "One of ",
          types.flatMap((type, place) => [place > 0 && " ", h("code", {}, type)])
        ),
      fieldTree(shapeOf(media.schema ?? {}, resolve), "request")
    )
  )

/** @type {Record<string, string>} */
const statusNames = {
  200: "OK",
  201: "Created",
  202: "Accepted",
  204: "No content",
  304: "Not modified",
  400: "Bad request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not found",
  405: "Method not allowed",
  409: "Conflict",
  412: "Precondition failed",
  413: "Content too large",
  415: "Unsupported media type",
  422: "Unprocessable content",
  429: "Too many requests",
  500: "Internal server error",
  503: "Service unavailable"
}

/** @param {string} status */
const statusMark = (status) => h("span", { class: `status status-${status[0] ?? "x"}` }, status)

const uselessDescriptions = new Set(["Success", "Error", "<No Content>"])

/** @param {Operation} operation @param {string} status @param {Answer} answer @param {Resolve} resolve */
const answerSection = (operation, status, answer, resolve) => {
  const headers = Object.entries(answer.headers ?? {}).map(([name, header]) => ({
    ...header,
    name,
    label: headerName(name),
    in: "header",
    schema: header.schema ?? {}
  }))
  const description = answer.description ?? ""
  const isWorded = description.includes(" ") && !uselessDescriptions.has(description)
  const types = Object.keys(answer.content ?? {})
  /** @type {Map<string, import("./openapi.js").Schema>} */
  const schemas = new Map(
    Object.values(answer.content ?? {}).map(({ schema = {} }) => [JSON.stringify(schema), schema])
  )
  return part(
    operation,
    `answer-${status}`,
    ["Answer ", statusMark(status), h("span", { class: "media" }, types[0] ?? statusNames[status] ?? "")],
    isWorded && h("p", {}, words(description)),
    types.length > 1 &&
      h(
        "p",
        { class: "field-values" },
        "One of ",
        types.flatMap((type, place) => [place > 0 && " ", h("code", {}, type)])
      ),
    [...schemas.values()].map((schema) => fieldTree(shapeOf(schema, resolve), "answer")),
    headers.length > 0 && more([`${headers.length} headers`], () => parameterList(headers, resolve, "answer"))
  )
}

/** @param {ReadonlyArray<Refusal>} refusals */
const refusalTable = (refusals) =>
  h(
    "ul",
    { class: "refusals" },
    refusals.map(({ code, status, title }) =>
      h("li", {}, statusMark(status), h("a", { href: problemHref(code) }, h("code", {}, code)), h("span", {}, title))
    )
  )

/** @param {Operation} operation @param {Reference} reference */
const refusalSection = (operation, { commonCodes }) => {
  const common = commonCodes[operation.method] ?? []
  const [own, shared] = [false, true].map((wanted) =>
    operation.refusals.filter(({ code }) => common.includes(code) === wanted)
  )
  if (own === undefined || shared === undefined || operation.refusals.length === 0) return []
  const isAlone = own.length === 0
  return [
    part(
      operation,
      "errors",
      ["Errors"],
      !isAlone && refusalTable(own),
      shared.length > 0 &&
        more(
          [
            isAlone
              ? `${shared.length} that most calls can return`
              : `${shared.length} more that most calls can return`,
            h("span", { class: "unseen" }, `, at ${operation.summary}`)
          ],
          () => refusalTable(shared)
        )
    )
  ]
}

/** @param {Answer} answer @param {Refusal | null} refusal @param {Resolve} resolve */
const answerSample = (answer, refusal, resolve) => {
  const [media] = Object.values(answer.content ?? {})
  if (media === undefined) return "(no body)"
  return asJson(refusal === null ? exampleOf(media, resolve) : (refusal.example ?? sampleOf(refusal.schema, resolve)))
}

/** @param {Operation} operation @param {Resolve} resolve */
const samples = (operation, resolve) => {
  const choices = Object.entries(operation.answers).flatMap(([status, answer]) => {
    const refusals = operation.refusals.filter((refusal) => refusal.status === status)
    /** @type {ReadonlyArray<Refusal | null>} */
    const kinds = refusals.length === 0 ? [null] : refusals
    return kinds.map((refusal) => ({
      label: `${status} ${refusal?.code ?? statusNames[status] ?? ""}`.trim(),
      text: () => answerSample(answer, refusal, resolve)
    }))
  })
  const call = callFigure(operation, resolve)
  const [first] = choices
  if (first === undefined) return [call]
  const figure = codeFigure("", "json", first.text())
  const select = h(
    "select",
    { "aria-label": `Answer of ${operation.summary}` },
    choices.map(({ label }, index) => h("option", { value: index }, label))
  )
  select.addEventListener("change", () => rewrite(figure, choices[Number(select.value)]?.text() ?? ""))
  need("figcaption", figure).append(select)
  return [call, figure]
}

/**
 * An operation. The article has its heading at first; `finish` adds the request, the answers, the errors and the example calls.
 *
 * @param {Operation} operation
 * @param {Reference} reference
 */
export const operationArticle = (operation, reference) => {
  const { resolve } = reference
  const article = h(
    "article",
    {
      class: "operation",
      id: operation.anchor,
      "data-place": operation.anchor,
      "aria-labelledby": `title-${operation.id}`
    },
    h(
      "header",
      { class: "operation-head" },
      h(
        "h3",
        { id: `title-${operation.id}` },
        operation.summary,
        h("a", { class: "anchor", href: `#${operation.anchor}`, "aria-label": `Link to ${operation.summary}` })
      ),
      h("p", { class: "route" }, route(operation)),
      h(
        "p",
        { class: "badges" },
        operation.deprecated && h("span", { class: "badge badge-warning" }, "Deprecated"),
        operation.feature !== null && gate(operation.feature, "badge"),
        operation.permission !== null &&
          h("span", { class: "badge" }, icon("key"), "Permission ", h("code", {}, operation.permission)),
        !operation.secured && h("span", { class: "badge" }, "Needs no token")
      )
    )
  )
  const finish = () => {
    const answers = Object.entries(operation.answers).filter(([status]) => /^[123]/.test(status))
    article.append(
      h(
        "div",
        { class: "operation-words" },
        prose(operation.description),
        parameterSections(operation, resolve),
        bodySections(operation, resolve),
        headerSection(operation, reference),
        answers.map(([status, answer]) => answerSection(operation, status, answer, resolve)),
        refusalSection(operation, reference)
      ),
      h("div", { class: "operation-samples" }, tryIt(operation, resolve), samples(operation, resolve))
    )
  }
  return { article, finish }
}
