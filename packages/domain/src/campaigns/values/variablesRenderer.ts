import type { AttributeValue, ContactField } from "../../crm/index.ts"
import { templateValueIssue, type TemplateInputs, type TemplateVariable } from "../../messaging/chat/index.ts"
import { maxValueLength, readPath, type BroadcastValue, type ValueContact, type Variables } from "./BroadcastValue.ts"
import { makePlainLocaleFormat, toSingleLine, type LocaleFormat, makeLocaleFormat } from "./LocaleFormat.ts"
import { contactVocabulary, parseSource } from "./liquid/analyse.ts"
import { liquid, withLocaleFormat } from "./liquid/filters.ts"
import { contactScope } from "./liquid/liquidScope.ts"

/** A template variable in the template's language. */
export interface ValueContext {
  readonly variable: TemplateVariable
  readonly language: string
  readonly fields: ReadonlyArray<Pick<ContactField, "key" | "type">>
}

/** Renders the text for a contact; `null` if it is missing. */
export type ValueRenderer = (contact: ValueContact) => string | null

type RawRenderer = (contact: ValueContact) => string | null

type Types = ReadonlyMap<string, ContactField["type"]>

const makeFieldRenderer = (
  value: Extract<BroadcastValue, { readonly kind: "field" }>,
  wording: LocaleFormat,
  types: Types
): RawRenderer => {
  const { field, key } = value
  const path = key === undefined ? { field } : { field, key }
  const type = key === undefined ? undefined : types.get(key)
  const asText = (found: AttributeValue) => wording.attribute(found, type)
  return (contact) => {
    const found = readPath(contact, path)
    return found === null ? null : asText(found)
  }
}

const makeLiquidRenderer = (source: string, wording: LocaleFormat, types: Types): RawRenderer => {
  const { faults, named, required, templates } = parseSource(source, contactVocabulary)
  if (faults.length > 0) return () => null
  return (contact) => {
    if (required.some((path) => readPath(contact, path) === null)) return null
    try {
      return String(liquid.renderSync(templates, withLocaleFormat(contactScope(contact, named, types), wording)))
    } catch {
      // A value that fails to render or exceeds the limits is missing.
      return null
    }
  }
}

const makeRawRenderer = (value: BroadcastValue, wording: LocaleFormat, types: Types): RawRenderer => {
  switch (value.kind) {
    case "constant":
      return () => value.value
    case "field":
      return makeFieldRenderer(value, wording, types)
    case "liquid":
      return makeLiquidRenderer(value.source, wording, types)
  }
}

/**
 * Compiles a value once for many contacts. The fallback replaces a value that fails or does not fit the variable. Without one, the value is missing.
 */
export const makeValueRenderer = (
  value: BroadcastValue,
  { fields, language, variable }: ValueContext
): ValueRenderer => {
  const wording = variable.kind === "text" ? makeLocaleFormat(language) : makePlainLocaleFormat()
  const raw = makeRawRenderer(value, wording, new Map(fields.map(({ key, type }) => [key, type])))
  const fitting = (text: string | null | undefined): string | null => {
    if (text === null || text === undefined) return null
    const tidied = toSingleLine(text)
    const fits =
      tidied !== "" && Array.from(tidied).length <= maxValueLength && templateValueIssue(variable, tidied) === null
    return fits ? tidied : null
  }
  const fallback = fitting(value.kind === "constant" ? null : value.fallback)
  return (contact) => fitting(raw(contact)) ?? fallback
}

/** Renders a value for one contact; `null` if it is missing. */
export const renderValue = (value: BroadcastValue, contact: ValueContact, surroundings: ValueContext): string | null =>
  makeValueRenderer(value, surroundings)(contact)

/** Values of all variables for a contact, or the keys of the missing ones with the values of the others. */
export type RenderedVariables =
  | { readonly values: TemplateInputs; readonly missing: null }
  | {
      readonly values: null
      readonly found: TemplateInputs
      readonly missing: readonly [string, ...ReadonlyArray<string>]
    }

interface VariablesContext extends Pick<ValueContext, "fields" | "language"> {
  readonly variables: ReadonlyArray<TemplateVariable>
}

/** Compiles the values of a template's variables once for many contacts. */
export const makeVariablesRenderer = (
  values: Variables,
  { fields, language, variables }: VariablesContext
): ((contact: ValueContact) => RenderedVariables) => {
  const renderers = variables.flatMap((variable) => {
    const { isOptional, key } = variable
    const value = Object.hasOwn(values, key) ? values[key] : undefined
    if (value === undefined && isOptional === true) return []
    const render = value === undefined ? () => null : makeValueRenderer(value, { variable, language, fields })
    return [{ key, isOptional, render }]
  })
  const optional = new Set(renderers.flatMap(({ isOptional, key }) => (isOptional === true ? [key] : [])))
  return (contact) => {
    const rendered = renderers.map(({ key, render }) => [key, render(contact)] as const)
    const [first, ...others] = rendered.flatMap(([key, text]) => (text === null && !optional.has(key) ? [key] : []))
    const found = Object.fromEntries(rendered.flatMap(([key, text]) => (text === null ? [] : [[key, text]])))
    return first === undefined ? { values: found, missing: null } : { values: null, found, missing: [first, ...others] }
  }
}
