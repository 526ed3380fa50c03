import type { TemplateInputs, TemplateVariable } from "../../messaging/chat/index.ts"
import type { ValueContact } from "./readPath.ts"
import type { Variables } from "./Value.ts"
import { valueRenderer, type ValueSurroundings } from "./valueRenderer.ts"

/** The values of all variables for a contact, or the keys of those that are missing. */
export type RenderedVariables =
  | { readonly values: TemplateInputs; readonly missing: null }
  | { readonly values: null; readonly missing: readonly [string, ...ReadonlyArray<string>] }

interface Surroundings extends Pick<ValueSurroundings, "fields" | "language"> {
  readonly variables: ReadonlyArray<TemplateVariable>
}

/** Reads the values of a template's variables once, to render them for many contacts. */
export const variablesRenderer = (
  values: Variables,
  { fields, language, variables }: Surroundings
): ((contact: ValueContact) => RenderedVariables) => {
  const renderers = variables.map((variable) => {
    const value = Object.hasOwn(values, variable.key) ? values[variable.key] : undefined
    return {
      key: variable.key,
      render: value === undefined ? () => null : valueRenderer(value, { variable, language, fields })
    }
  })
  return (contact) => {
    const rendered = renderers.map(({ key, render }) => [key, render(contact)] as const)
    const [first, ...others] = rendered.flatMap(([key, text]) => (text === null ? [key] : []))
    return first === undefined
      ? { values: Object.fromEntries(rendered.map(([key, text]) => [key, text ?? ""])), missing: null }
      : { values: null, missing: [first, ...others] }
  }
}
