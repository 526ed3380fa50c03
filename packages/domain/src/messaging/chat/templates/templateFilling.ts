import type { ValidationIssue } from "../../../kernel/index.ts"
import type { MessageTemplate, TemplateInputs, TemplateVariable } from "../MessageTemplate.ts"
import type { FilledTemplate } from "../Outgoing.ts"
import { isNamedStyle } from "./templateVariables.ts"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/u
const coordinatesPattern = /^(-?\d{1,2}(?:\.\d{1,10})?),\s*(-?\d{1,3}(?:\.\d{1,10})?)$/u

/** Returns the JSON pointer of a variable's value, below the pointer of the values. */
export const valuePointer = (values: string, key: string): string =>
  `${values}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`

const parseCoordinates = (value: string) => {
  const [, latitude, longitude] = coordinatesPattern.exec(value) ?? []
  const found = { latitude: Number(latitude), longitude: Number(longitude) }
  return latitude !== undefined && Math.abs(found.latitude) <= 90 && Math.abs(found.longitude) <= 180 ? found : null
}

/** Returns the issue of a variable's value; `null` for a valid value. */
export const templateValueIssue = ({ kind }: TemplateVariable, value: string): string | null => {
  switch (kind) {
    case "image":
    case "video":
    case "document":
      return uuid.test(value) ? null : `Expected the id of an uploaded ${kind}`
    case "location":
      return parseCoordinates(value) === null ? "Expected a place such as 52.52,13.405" : null
    case "url_suffix":
      return /\s/u.test(value) ? "Expected the end of an address, without spaces" : null
    case "code":
      return value.length > 15 ? "Expected a code of at most 15 characters" : null
    case "text":
      return /[\n\t]| {5}/u.test(value)
        ? "Expected one line without tabs and long gaps, because the provider rejects them"
        : null
  }
}

const validateTemplateValues = (
  variables: ReadonlyArray<TemplateVariable>,
  values: TemplateInputs,
  at: string
): ReadonlyArray<ValidationIssue> => {
  const known = new Set(variables.map(({ key }) => key))
  return [
    ...variables.flatMap((variable) => {
      const pointer = valuePointer(at, variable.key)
      if (!Object.hasOwn(values, variable.key)) return [{ pointer, message: "Expected a value for this variable" }]
      const message = templateValueIssue(variable, values[variable.key] ?? "")
      return message === null ? [] : [{ pointer, message }]
    }),
    ...Object.keys(values)
      .filter((key) => !known.has(key))
      .map((key) => ({ pointer: valuePointer(at, key), message: "The template does not have this variable" }))
  ]
}

const valuesByPrefix = (prefix: string, variables: ReadonlyArray<TemplateVariable>, values: TemplateInputs) =>
  Object.fromEntries(
    variables
      .filter(({ key }) => key.startsWith(prefix))
      .map(({ key }) => [key.slice(prefix.length), values[key] ?? ""] as const)
  )

const fillHeader = ({ components, variables }: MessageTemplate, values: TemplateInputs): FilledTemplate["header"] => {
  const { header } = components
  if (header === undefined) return { kind: "none" }
  if (header.format === "text") {
    const texts = valuesByPrefix("header.", variables, values)
    return Object.keys(texts).length === 0 ? { kind: "none" } : { kind: "text", values: texts }
  }
  const value = values["header"] ?? ""
  if (header.format !== "location") return { kind: "media", media: header.format, mediaId: value, filename: null }
  const found = parseCoordinates(value)
  return found === null ? { kind: "none" } : { kind: "location", ...found }
}

/** Fills the template, or returns every issue of the values. `at` is the pointer of the values. */
export const fillTemplate = (
  template: MessageTemplate,
  values: TemplateInputs,
  at: string
): FilledTemplate | ReadonlyArray<ValidationIssue> => {
  const { components, language, name, variables } = template
  const faults = validateTemplateValues(variables, values, at)
  if (faults.length > 0) return faults
  return {
    name,
    language,
    named: isNamedStyle(components),
    header: fillHeader(template, values),
    body: valuesByPrefix("body.", variables, values),
    buttons: variables.flatMap(({ key, kind }) =>
      kind === "url_suffix" || kind === "code"
        ? [
            {
              index: Number(key.slice("buttons.".length)),
              type: kind === "code" ? ("copy_code" as const) : ("url" as const),
              value: values[key] ?? ""
            }
          ]
        : []
    )
  }
}
