import { codeFigure, dressCode, rewrite } from "./code.js"
import { all, h, icon, need } from "./dom.js"
import { asJson, curlOf, exampleOf, headerName, sampleOf } from "./example.js"
import { fieldTree, parameterList } from "./fields.js"
import { drawGates, gate } from "./gates.js"
import { markPlace } from "./nav.js"
import { loadReference } from "./openapi.js"
import { commonCodes, problemCatalogue } from "./problems.js"
import { prose, words } from "./prose.js"
import { shapeOf } from "./schema.js"
import { spy } from "./spy.js"

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
    return [h("section", { class: "part" }, h("h4", {}, place.title), parameterList(named, resolve, "request"))]
  })

/** @param {Operation} operation @param {Reference} reference */
const headerSection = (operation, { operations, resolve }) => {
  const headers = operation.parameters
    .filter((parameter) => parameter.in === "header")
    .map((parameter) => ({ ...parameter, label: headerName(parameter.name) }))
  const [own = [], shared = []] = [false, true].map((wanted) =>
    headers.filter(({ name }) => {
      const takers = operations.filter(({ parameters }) => parameters.some((one) => one.name === name))
      return takers.length > operations.length / 4 === wanted
    })
  )
  return (
    headers.length > 0 &&
    h(
      "section",
      { class: "part" },
      h("h4", {}, "Headers"),
      own.length > 0 && parameterList(own, resolve, "request"),
      shared.length > 0 &&
        h(
          "details",
          { class: "field-more" },
          h("summary", {}, shared.map(({ label }) => label).join(", ")),
          parameterList(shared, resolve, "request")
        )
    )
  )
}

/** @param {Operation} operation @param {Resolve} resolve */
const bodySections = (operation, resolve) =>
  Object.entries(operation.requestBody?.content ?? {}).map(([type, media]) =>
    h(
      "section",
      { class: "part" },
      h("h4", {}, "Body", h("span", { class: "media" }, type)),
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

/** @param {string} status @param {Answer} answer @param {Resolve} resolve */
const answerSection = (status, answer, resolve) => {
  const headers = Object.entries(answer.headers ?? {}).map(([name, header]) => ({
    ...header,
    name,
    label: headerName(name),
    in: "header",
    schema: header.schema ?? {}
  }))
  const description = answer.description ?? ""
  const isWorded = description.includes(" ") && !uselessDescriptions.has(description)
  return h(
    "section",
    { class: "part" },
    h(
      "h4",
      {},
      "Answer ",
      statusMark(status),
      h("span", { class: "media" }, Object.keys(answer.content ?? {})[0] ?? statusNames[status] ?? "")
    ),
    isWorded && h("p", {}, words(description)),
    Object.values(answer.content ?? {}).map((media) => fieldTree(shapeOf(media.schema ?? {}, resolve), "answer")),
    headers.length > 0 &&
      h(
        "details",
        { class: "field-more" },
        h("summary", {}, `${headers.length} headers`),
        parameterList(headers, resolve, "answer")
      )
  )
}

/** @param {ReadonlyArray<Refusal>} refusals */
const refusalTable = (refusals) =>
  h(
    "ul",
    { class: "refusals" },
    refusals.map(({ code, status, title }) =>
      h("li", {}, statusMark(status), h("a", { href: `#problem/${code}` }, h("code", {}, code)), h("span", {}, title))
    )
  )

/** @param {Operation} operation @param {ReturnType<typeof commonCodes>} isCommon */
const refusalSection = (operation, isCommon) => {
  const [own, shared] = [false, true].map((wanted) =>
    operation.refusals.filter(({ code }) => isCommon(operation, code) === wanted)
  )
  if (own === undefined || shared === undefined || operation.refusals.length === 0) return []
  const isAlone = own.length === 0
  return [
    h(
      "section",
      { class: "part" },
      h("h4", {}, "Errors"),
      !isAlone && refusalTable(own),
      shared.length > 0 &&
        h(
          "details",
          { class: "field-more" },
          h(
            "summary",
            {},
            isAlone ? `${shared.length} that most calls can give` : `${shared.length} more, that most calls can give`,
            h("span", { class: "unseen" }, `, at ${operation.summary}`)
          ),
          refusalTable(shared)
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
  const curl = codeFigure("Call", "bash", curlOf(operation, resolve))
  const [first] = choices
  if (first === undefined) return [curl]
  const figure = codeFigure("", "json", first.text())
  const select = h(
    "select",
    { "aria-label": `Answer of ${operation.summary}` },
    choices.map(({ label }, index) => h("option", { value: index }, label))
  )
  select.addEventListener("change", () => rewrite(figure, choices[Number(select.value)]?.text() ?? ""))
  need("figcaption", figure).append(select)
  return [curl, figure]
}

/** @param {Operation} operation @param {Reference} reference @param {ReturnType<typeof commonCodes>} isCommon */
const operationArticle = (operation, reference, isCommon) => {
  const { resolve } = reference
  const answers = Object.entries(operation.answers).filter(([status]) => /^[123]/.test(status))
  return h(
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
    ),
    h(
      "div",
      { class: "operation-words" },
      prose(operation.description),
      parameterSections(operation, resolve),
      bodySections(operation, resolve),
      headerSection(operation, reference),
      answers.map(([status, answer]) => answerSection(status, answer, resolve)),
      refusalSection(operation, isCommon)
    ),
    h("div", { class: "operation-samples" }, samples(operation, resolve))
  )
}

/** @param {Reference} reference */
const draw = (reference) => {
  const isCommon = commonCodes(reference)
  return [
    ...reference.areas.map((area) =>
      h(
        "section",
        { class: "area", id: area.anchor, "data-place": area.anchor, "aria-labelledby": `title-${area.anchor}` },
        h(
          "div",
          { class: "area-head" },
          h(
            "h2",
            { id: `title-${area.anchor}` },
            area.name,
            h("a", { class: "anchor", href: `#${area.anchor}`, "aria-label": `Link to ${area.name}` })
          ),
          prose(area.description),
          h(
            "ul",
            { class: "routes" },
            area.operations.map((operation) =>
              h(
                "li",
                {},
                h(
                  "a",
                  {
                    href: `#${operation.anchor}`,
                    "aria-label": `${operation.method} ${operation.path}: ${operation.summary}`
                  },
                  route(operation),
                  operation.feature !== null && gate(operation.feature, "sign")
                )
              )
            )
          )
        ),
        area.operations.map((operation) => operationArticle(operation, reference, isCommon))
      )
    ),
    problemCatalogue(reference)
  ]
}

const goToFragment = () => {
  const id = decodeURIComponent(location.hash.slice(1))
  const target = id === "" ? null : document.getElementById(id)
  if (target === null) return
  target.closest("details")?.setAttribute("open", "")
  target.scrollIntoView({ behavior: "instant" })
  markPlace(target.dataset.place ?? id)
}

const start = async () => {
  const slot = need("[data-reference]")
  try {
    const reference = await loadReference()
    slot.replaceChildren(...draw(reference))
  } catch {
    slot.replaceChildren(
      h(
        "p",
        { class: "notice notice-warning" },
        "The reference could not be read from this server. Load the page again in a moment."
      )
    )
    return
  }
  dressCode(slot)
  drawGates(slot)
  goToFragment()
  addEventListener("hashchange", goToFragment)
  spy(all("[data-place]"), (element) => markPlace(element.dataset.place ?? ""))
}

void start()
