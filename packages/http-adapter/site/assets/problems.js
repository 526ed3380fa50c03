import { h, more } from "./dom.js"
import { fieldTree } from "./fields.js"
import { words } from "./prose.js"
import { shapeOf } from "./schema.js"

/** @typedef {import("./openapi.js").Reference} Reference @typedef {import("./openapi.js").Operation} Operation @typedef {import("./openapi.js").Refusal} Refusal */

/** @param {unknown} example */
const detailOf = (example) =>
  example !== null && typeof example === "object" && "detail" in example ? String(example.detail) : ""

const standard = new Set(["type", "title", "status", "detail", "code", "requestId"])

/** @param {Reference} reference */
const distinct = ({ operations }) => {
  /** @type {Map<string, { refusal: Refusal, at: Array<Operation> }>} */
  const found = new Map()
  for (const operation of operations) {
    for (const refusal of operation.refusals) {
      const entry = found.get(refusal.code)
      if (entry === undefined) found.set(refusal.code, { refusal, at: [operation] })
      else if (!entry.at.includes(operation)) entry.at.push(operation)
    }
  }
  return [...found.values()].toSorted(
    (one, other) =>
      Number(one.refusal.status) - Number(other.refusal.status) || one.refusal.code.localeCompare(other.refusal.code)
  )
}

/** What is answered where there is no call, and so no place in the OpenAPI document to say it. */
const outside = [
  { status: "404", code: "path_not_found", text: "This path does not exist." },
  {
    status: "405",
    code: "method_not_allowed",
    text: "The path does not support this method. `allowed` and the `Allow` header list the supported methods."
  }
]

/** @param {string} status @param {string} code @param {ReadonlyArray<import("./dom.js").Child>} body */
const problemArticle = (status, code, body) =>
  h(
    "article",
    { class: "problem", id: `problem/${code}`, "data-place": "problems" },
    h(
      "h2",
      {},
      h("span", { class: `status status-${status[0] ?? "x"}` }, status),
      " ",
      h("code", {}, code),
      h("a", { class: "anchor", href: `#problem/${code}`, "aria-label": `Link to ${code}` })
    ),
    body
  )

/**
 * Every error code with its fields and its calls: the page that the `type` of a problem leads to.
 *
 * @param {Reference} reference
 */
export const problemCatalogue = (reference) => [
  ...distinct(reference).map(({ at, refusal }) => {
    const shape = shapeOf(refusal.schema, reference.resolve)
    const fields = shape.fields.filter((field) => !standard.has(field.name))
    return problemArticle(refusal.status, refusal.code, [
      h("p", {}, shape.description === "" ? `${refusal.title}.` : shape.description),
      detailOf(refusal.example) !== "" && h("p", { class: "problem-says" }, detailOf(refusal.example)),
      fields.length > 0 && fieldTree({ ...shape, fields }, "answer"),
      more(
        [
          at.length === reference.operations.length
            ? "Any call can return it"
            : `${at.length} ${at.length === 1 ? "call" : "calls"} can return it`
        ],
        () =>
          h(
            "ul",
            { class: "given-by" },
            at.map((operation) =>
              h(
                "li",
                {},
                h("a", { href: operation.href }, operation.summary),
                " ",
                h("code", {}, `${operation.method} ${operation.path}`)
              )
            )
          )
      )
    ])
  }),
  ...outside
    .filter(({ code }) => reference.operations.every(({ refusals }) => refusals.every((one) => one.code !== code)))
    .map(({ code, status, text }) => problemArticle(status, code, [h("p", {}, words(text))]))
]
