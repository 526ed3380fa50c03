import type { Fields } from "../checks.ts"
import type { KeptTemplate } from "../World.ts"
import { badBody, badHeader, subcodes, tooLong } from "./subcodes.ts"
import { refuseForUser } from "../checks.ts"

export type ParameterFormat = KeptTemplate["parameterFormat"]

const variable = /\{\{([^{}]*)\}\}/gu

/** Names of the variables of a text, in order, with repetitions. */
export const variablesIn = (text: unknown): ReadonlyArray<string> =>
  typeof text === "string" ? Array.from(text.matchAll(variable), ([, name = ""]) => name.trim()) : []

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== ""

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const checkNames = (names: ReadonlyArray<string>, format: ParameterFormat, refuse: (message: string) => never) => {
  if (format === "NAMED") {
    const wrong = names.find((name) => !/^[a-z_]+$/u.test(name))
    if (wrong !== undefined) {
      refuse(`The variable {{${wrong}}} must have lower-case letters and underscores only.`)
    }
    if (new Set(names).size < names.length) refuse("The names of variables must be unique.")
    return
  }
  const unique = [...new Set(names)]
  if (unique.some((name, index) => name !== String(index + 1))) {
    refuse("The variables must be numbered {{1}}, {{2}} and so on, without a gap.")
  }
}

const checkExamples = (
  names: ReadonlyArray<string>,
  component: Fields,
  format: ParameterFormat,
  part: "header" | "body",
  refuse: (message: string) => never
) => {
  if (names.length === 0) return
  const example = isFields(component["example"]) ? component["example"] : {}
  if (format === "NAMED") {
    const given = example[`${part}_text_named_params`]
    const known = Array.isArray(given) ? given.filter(isFields).map((entry) => entry["param_name"]) : []
    if (names.some((name) => !known.includes(name))) {
      refuse(`The ${part} needs an example for each variable in ${part}_text_named_params.`)
    }
    return
  }
  const given: unknown = example[`${part}_text`]
  const first: unknown = part === "body" && Array.isArray(given) ? given[0] : given
  const values = Array.isArray(first) ? first : [first]
  if (values.length !== new Set(names).size || !values.every(isText)) {
    refuse(`The ${part} needs an example for each variable in ${part}_text.`)
  }
}

const outsideOf = (text: string) => text.replaceAll(variable, " ")

const checkPlacement = (text: string, count: number) => {
  if (/^\s*\{\{|\}\}\s*$/u.test(text)) {
    refuseForUser(
      subcodes.variableAtEdge,
      "Leading or Trailing Parameters Not Allowed",
      "Variables cannot be at the start or the end of the template."
    )
  }
  if (/\}\}\s*\{\{/u.test(text)) badBody("Variables must have text between them.")
  const words = outsideOf(text).match(/[\p{L}\p{N}]+/gu)?.length ?? 0
  if (count > 2 * words) {
    refuseForUser(
      subcodes.tooManyVariables,
      "Parameters Words Ratio Exceeds Limit",
      "This template has too many variables for its length. Reduce the variables or make the message longer."
    )
  }
}

/** Checks the text of a body. */
export const checkBodyText = (component: Fields, format: ParameterFormat, most = 1_024) => {
  const text = component["text"]
  if (!isText(text)) return badBody("The body needs a text.")
  if (Array.from(text).length > most) return tooLong("body", most)
  if (/\n{3,}|\t| {5,}/u.test(text))
    return badBody("The body cannot have tabs, more than two line breaks or more than four spaces in sequence.")
  const names = variablesIn(text)
  checkNames(names, format, badBody)
  if (names.length > 0) checkPlacement(text, names.length)
  return checkExamples(format === "NAMED" ? names : [...new Set(names)], component, format, "body", badBody)
}

/** Checks the text of a header: at most one variable, no line breaks, no markdown. */
export const checkHeaderText = (component: Fields, format: ParameterFormat) => {
  const text = component["text"]
  if (!isText(text)) return badHeader("The header needs a text.")
  if (text.length > 60) return tooLong("header", 60)
  if (/[\n*~`]|\b_.+_\b/u.test(text)) return badHeader("The header cannot have line breaks, markdown or asterisks.")
  const names = variablesIn(text)
  if (names.length > 1) return badHeader("The header can have one variable.")
  checkNames(names, format, badHeader)
  return checkExamples(names, component, format, "header", badHeader)
}
