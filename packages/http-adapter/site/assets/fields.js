import { h, later } from "./dom.js"
import { prose, words } from "./prose.js"
import { shapeOf } from "./schema.js"

/** @typedef {import("./schema.js").Shape} Shape @typedef {import("./schema.js").Field} Field */

/** @param {ReadonlyArray<string>} values */
const valueList = (values) =>
  values.length > 0 &&
  h(
    "p",
    { class: "field-values" },
    values.length === 1 ? "Always " : "One of ",
    values.flatMap((value, index) => [index > 0 && " ", h("code", {}, value)])
  )

/** @typedef {"request" | "answer"} Side perspective of the reader: fields that must be sent, or fields that can be missing */

/** @param {Shape} shape */
const hasInner = ({ fields, variants }) => variants.length > 0 || fields.length > 0

/** @param {Shape} shape @param {Side} side @returns {HTMLElement | false} */
const inner = (shape, side) => {
  if (shape.variants.length > 0) {
    return h(
      "div",
      { class: "variants" },
      shape.variants.map(({ label, shape: variant }, index) =>
        later({ class: "variant", open: index === 0 }, [h("code", {}, label)], () => fieldTree(variant, side))
      )
    )
  }
  return shape.fields.length > 0 && fieldList(shape.fields, side)
}

/** @param {Field} field @param {Side} side */
const fieldRow = ({ name, required, shape }, side) => {
  return h(
    "li",
    { class: "field-row" },
    h(
      "div",
      { class: "field-head" },
      h("code", { class: "field-name" }, name),
      h("span", { class: "field-type" }, shape.nullable ? `${shape.type} or null` : shape.type),
      side === "request" && required && h("span", { class: "field-required" }, "required"),
      side === "answer" && !required && h("span", { class: "field-optional" }, "may be absent")
    ),
    shape.rules.length > 0 && h("p", { class: "field-rules" }, shape.rules.join(" · ")),
    shape.description.includes("\n\n")
      ? h("div", { class: "field-description" }, prose(shape.description))
      : shape.description !== "" && h("p", { class: "field-description" }, words(shape.description)),
    valueList(shape.values),
    hasInner(shape) &&
      later(
        { class: "field-more", open: side === "answer" && name === "data" },
        [
          shape.variants.length > 0 ? `${shape.variants.length} kinds` : `${shape.fields.length} fields`,
          h("span", { class: "unseen" }, ` of ${name}`)
        ],
        () => inner(shape, side)
      )
  )
}

/** @param {ReadonlyArray<Field>} fields @param {Side} side */
const fieldList = (fields, side) =>
  h(
    "ul",
    { class: "fields" },
    fields.map((field) => fieldRow(field, side))
  )

/**
 * What a schema says, as a tree that opens.
 *
 * @param {Shape} shape
 * @param {Side} side
 * @returns {HTMLElement}
 */
export const fieldTree = (shape, side) => {
  if (shape.fields.length > 0 && shape.variants.length === 0) {
    return h(
      "div",
      {},
      shape.type !== "object" &&
        h(
          "p",
          { class: "field-values" },
          `A ${shape.type}${shape.rules.length > 0 ? ` · ${shape.rules.join(" · ")}` : ""}`
        ),
      fieldList(shape.fields, side)
    )
  }
  const more = inner(shape, side)
  return h(
    "div",
    { class: "field-alone" },
    h(
      "p",
      { class: "field-values" },
      h("span", { class: "field-type" }, shape.nullable ? `${shape.type} or null` : shape.type),
      shape.rules.length > 0 && ` · ${shape.rules.join(" · ")}`
    ),
    valueList(shape.values),
    more
  )
}

/**
 * The parameters of a call, as a list of fields.
 *
 * @param {ReadonlyArray<import("./openapi.js").Parameter & { label: string }>} parameters
 * @param {(schema: import("./openapi.js").Schema) => import("./openapi.js").Schema} resolve
 * @param {Side} side
 */
export const parameterList = (parameters, resolve, side) =>
  fieldList(
    parameters.map((parameter) => {
      const schema = parameter.schema ?? {}
      const shape =
        schema.contentSchema === undefined
          ? shapeOf(schema, resolve)
          : { ...shapeOf(schema.contentSchema, resolve), type: "JSON" }
      return {
        name: parameter.label,
        required: parameter.required === true,
        shape: { ...shape, description: parameter.description ?? shape.description }
      }
    }),
    side
  )
