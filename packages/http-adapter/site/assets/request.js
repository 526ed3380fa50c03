import { asJson, exampleOf, headerName, parameterSample, pathWith } from "./example.js"
import { h } from "./dom.js"
import { withoutNull } from "./schema.js"
import { labelled } from "./whoCalls.js"

/**
 * @typedef {import("./openapi.js").Operation} Operation
 * @typedef {import("./openapi.js").Parameter} Parameter
 * @typedef {import("./example.js").Resolve} Resolve
 * @typedef {{ url: string, method: string, headers: Record<string, string>, body: string | Blob | null }} Request
 */

/** A new key. `crypto.randomUUID` is only there on pages that came over TLS or from this machine. */
export const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("")

/** @param {string} id @param {ReadonlyArray<unknown>} values @param {boolean} isRequired */
const choice = (id, values, isRequired) =>
  h(
    "select",
    { id, required: isRequired },
    !isRequired && h("option", { value: "" }, "not sent"),
    values.map((value) => h("option", { value: String(value) }, String(value)))
  )

/** @param {Parameter} parameter @param {string} id @param {Resolve} resolve */
const controlOf = (parameter, id, resolve) => {
  const schema = withoutNull(parameter.schema ?? {}, resolve).schemas[0] ?? {}
  const isRequired = parameter.required === true
  if (Array.isArray(schema.enum)) return choice(id, schema.enum, isRequired)
  if (schema.type === "boolean") return choice(id, [true, false], isRequired)
  const shared = { id, required: isRequired, spellcheck: "false", autocomplete: "off" }
  if (schema.type === "array") return h("textarea", { ...shared, rows: 2, placeholder: "One per line" })
  if (schema.patternProperties !== undefined) {
    return h("textarea", { ...shared, rows: 2, placeholder: `${parameter.name}.name=value, one per line` })
  }
  if (schema.contentSchema !== undefined) return h("textarea", { ...shared, rows: 3, placeholder: "JSON" })
  const input = h("input", { ...shared, type: "text" })
  if (isRequired) input.placeholder = String(parameterSample(parameter, resolve))
  if (schema.type === "integer") input.inputMode = "numeric"
  return input
}

/** @param {string} text */
const linesOf = (text) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)

/**
 * A field for a parameter, and what it says: names and values, as the address or the headers have them.
 *
 * @param {Parameter} parameter
 * @param {string} id
 * @param {Resolve} resolve
 */
const parameterField = (parameter, id, resolve) => {
  const control = controlOf(parameter, id, resolve)
  const schema = withoutNull(parameter.schema ?? {}, resolve).schemas[0] ?? {}
  const label = parameter.in === "header" ? headerName(parameter.name) : parameter.name
  return {
    parameter,
    control,
    element: labelled(parameter.required === true ? `${label} (required)` : label, control),
    /** @returns {ReadonlyArray<readonly [name: string, value: string]>} */
    read: () => {
      if (control.value === "") return []
      if (schema.patternProperties !== undefined) {
        return linesOf(control.value).map((line) => {
          const at = line.indexOf("=")
          return at === -1 ? [line, ""] : [line.slice(0, at), line.slice(at + 1)]
        })
      }
      const values = schema.type === "array" ? linesOf(control.value) : [control.value]
      return values.map((value) => [parameter.name, value])
    }
  }
}

/** Texts can be written into the page, other files are chosen. @param {string} type */
const isText = (type) => /^text\/|json$/.test(type)

/**
 * @param {Operation} operation
 * @param {string} id
 * @param {Resolve} resolve
 * @returns {{ elements: ReadonlyArray<HTMLElement>, read: () => { type: string, body: string | Blob } | null }}
 */
const bodyFields = (operation, id, resolve) => {
  const content = Object.entries(operation.requestBody?.content ?? {})
  const [first] = content
  if (first === undefined) return { elements: [], read: () => null }
  const isRequired = operation.requestBody?.required !== false
  const types = content.map(([type]) => type)
  const type = h(
    "select",
    { id: `${id}-type` },
    types.map((one) => h("option", { value: one }, one))
  )
  const file = h("input", { id: `${id}-file`, type: "file", accept: types.join(",") })
  const isJson = first[0] === "application/json"
  const example = exampleOf(first[1], resolve)
  const text = h("textarea", {
    id: `${id}-body`,
    class: "console-body",
    rows: 10,
    spellcheck: "false",
    autocomplete: "off",
    required: isRequired && isJson
  })
  if (isText(first[0])) text.value = isJson ? asJson(example) : String(example)
  file.required = isRequired && !isText(first[0])
  file.addEventListener("change", () => {
    const chosen = file.files?.[0]?.type ?? ""
    if (types.includes(chosen)) type.value = chosen
  })
  text.addEventListener("input", () => text.setCustomValidity(""))
  type.addEventListener("change", () => {
    const chosen = operation.requestBody?.content[type.value]
    if (chosen !== undefined && isText(type.value) && !isJson) text.value = String(exampleOf(chosen, resolve))
  })
  return {
    elements: [
      ...(types.length > 1 ? [labelled("Type of the body", type)] : []),
      ...(isJson ? [] : [labelled("File", file)]),
      ...(isText(first[0]) ? [labelled(isJson ? "Body" : "Or this text", text)] : [])
    ],
    read: () => {
      const chosen = file.files?.[0]
      if (chosen !== undefined) return { type: type.value, body: chosen }
      return text.value.trim() === "" ? null : { type: type.value, body: text.value }
    }
  }
}

/** @param {Operation} operation */
const answerTypes = ({ answers }) => [
  ...new Set(
    Object.entries(answers)
      .filter(([status]) => status.startsWith("2"))
      .flatMap(([, answer]) => Object.keys(answer.content ?? {}))
  )
]

const places = [
  { in: "path", title: "In the path" },
  { in: "query", title: "In the query" },
  { in: "header", title: "Headers" }
]

const elsewhere = new Set(["x-organization-id", "x-request-id"])

/**
 * The fields of a request, and how they are read.
 *
 * @param {Operation} operation
 * @param {string} id
 * @param {Resolve} resolve
 */
export const requestFields = (operation, id, resolve) => {
  const fields = operation.parameters
    .filter((one) => one.in !== "cookie" && !elsewhere.has(one.name.toLowerCase()))
    .map((one) => parameterField(one, `${id}-${one.in}-${one.name}`, resolve))
  const body = bodyFields(operation, id, resolve)
  const types = answerTypes(operation)
  const accept = h(
    "select",
    { id: `${id}-accept` },
    types.map((type) => h("option", { value: type }, type))
  )
  const choosesAnswer = types.length > 1 && types.length < 6
  const keys = fields.filter(({ parameter }) => parameter.name.toLowerCase() === "idempotency-key")
  /** Every new request gets a new key, unless the reader has entered a key. */
  const renewKey = () => {
    for (const { control } of keys) {
      if (control.value === "" || control.value === control.dataset.made) control.value = newKey()
      control.dataset.made = control.value
    }
  }
  renewKey()
  const groups = places.flatMap((place) => {
    const here = fields.filter(({ parameter }) => parameter.in === place.in)
    if (here.length === 0) return []
    const needed = here.filter(
      ({ parameter }) => parameter.required === true || keys.some((key) => key.parameter === parameter)
    )
    const others = here.filter((field) => !needed.includes(field)).map(({ element }) => element)
    return [
      h(
        "fieldset",
        { class: "console-part" },
        h("legend", {}, place.title),
        needed.map(({ element }) => element),
        others.length > 0 &&
          h(
            "details",
            { class: "field-more" },
            h(
              "summary",
              {},
              `${others.length} optional`,
              h("span", { class: "unseen" }, `, ${place.title.toLowerCase()}`)
            ),
            others
          )
      )
    ]
  })
  return {
    renewKey,
    elements: [
      ...groups,
      ...(body.elements.length + (choosesAnswer ? 1 : 0) === 0
        ? []
        : [h("div", { class: "console-part" }, body.elements, choosesAnswer && labelled("Type of the answer", accept))])
    ],
    /**
     * @param {import("./credentials.js").Credentials | null} who
     * @returns {Request}
     */
    read: (who) => {
      /** @param {string} place */
      const pairs = (place) => fields.filter(({ parameter }) => parameter.in === place).flatMap(({ read }) => read())
      const path = pathWith(operation, (name) => pairs("path").find(([one]) => one === name)?.[1] ?? "")
      const query = new URLSearchParams(pairs("query").map(([name, value]) => [name, value])).toString()
      const sent = body.read()
      const takesOrganization = operation.parameters.some(({ name }) => name.toLowerCase() === "x-organization-id")
      return {
        url: `${path}${query === "" ? "" : `?${query}`}`,
        method: operation.method,
        headers: {
          ...(choosesAnswer && { Accept: accept.value }),
          ...(operation.secured && who !== null && { Authorization: `Bearer ${who.token}` }),
          ...(takesOrganization &&
            who !== null &&
            who.organizationId !== "" && { "X-Organization-Id": who.organizationId }),
          ...Object.fromEntries(pairs("header").map(([name, value]) => [headerName(name), value])),
          ...(sent !== null && { "Content-Type": sent.type })
        },
        body: sent?.body ?? null
      }
    }
  }
}
