import type { ContactField } from "../../crm/index.ts"
import type { Fault } from "../../kernel/index.ts"
import { faultOfInput, type TemplateVariable, valuePointer } from "../../messaging/chat/index.ts"
import type { ContactPath, Value, Variables } from "./Value.ts"
import { tidy } from "./Wording.ts"
import { analyse, distinct, ofContact } from "./liquid/analyse.ts"

const pathsOf = (value: Value): ReadonlyArray<ContactPath> => {
  switch (value.kind) {
    case "constant":
      return []
    case "field":
      return [value.key === undefined ? { field: value.field } : { field: value.field, key: value.key }]
    case "liquid":
      return analyse(value.source, ofContact).required
  }
}

/** What a contact has to have so that this value can be made for it: nothing, if it has a fallback. */
export const requiredPathsOf = (value: Value): ReadonlyArray<ContactPath> =>
  value.kind !== "constant" && value.fallback !== undefined ? [] : pathsOf(value)

/**
 * What a contact has to have so that no variable is missing, as far as that can be told without reading contacts: a value may still
 * fail, or be too long.
 */
export const requiredPaths = (variables: Variables): ReadonlyArray<ContactPath> =>
  distinct(Object.values(variables).flatMap(requiredPathsOf), ofContact)

interface Surroundings {
  /** The variables of the template. */
  readonly variables: ReadonlyArray<TemplateVariable>
  readonly fields: ReadonlyArray<Pick<ContactField, "key" | "status">>
  /** Where the values stand. */
  readonly pointer: string
}

const constantOnly: ReadonlySet<TemplateVariable["kind"]> = new Set(["image", "video", "document", "location"])

const unknownKey = "There is no contact field with this key"

const ofKind = (value: Value, { kind }: TemplateVariable, pointer: string): ReadonlyArray<Fault> =>
  constantOnly.has(kind) && value.kind !== "constant"
    ? [{ pointer: `${pointer}/kind`, message: `Expected constant: a ${kind} is the same for everybody` }]
    : []

const ofText = (variable: TemplateVariable, text: string | undefined, pointer: string): ReadonlyArray<Fault> => {
  const message = text === undefined ? null : faultOfInput(variable, tidy(text))
  return message === null ? [] : [{ pointer, message }]
}

const ofValue = (
  value: Value,
  variable: TemplateVariable,
  pointer: string,
  isKnown: (path: ContactPath) => boolean
): ReadonlyArray<Fault> => {
  switch (value.kind) {
    case "constant":
      return ofText(variable, value.value, `${pointer}/value`)
    case "field":
      return [
        ...(value.key === undefined || isKnown({ field: value.field, key: value.key })
          ? []
          : [{ pointer: `${pointer}/key`, message: unknownKey }]),
        ...ofText(variable, value.fallback, `${pointer}/fallback`)
      ]
    case "liquid": {
      const { faults, named } = analyse(value.source, ofContact)
      const at = `${pointer}/source`
      return [
        ...faults.map((message) => ({ pointer: at, message })),
        ...named
          .filter((path) => !isKnown(path))
          .map(({ key }) => ({ pointer: at, message: `${unknownKey}: ${key ?? ""}` })),
        ...ofText(variable, value.fallback, `${pointer}/fallback`)
      ]
    }
  }
}

const has = (values: Variables, key: string) => Object.hasOwn(values, key)

/** Every fault of the values that are given of a template's variables, each with where it is. */
export const faultsOfGivenVariables = (
  values: Variables,
  { fields, pointer, variables }: Surroundings
): ReadonlyArray<Fault> => {
  const keys = new Set(fields.filter(({ status }) => status === "active").map(({ key }) => key))
  const isKnown = ({ key }: ContactPath) => key === undefined || keys.has(key)
  const known = new Map(variables.map((variable) => [variable.key, variable]))
  return Object.entries(values).flatMap(([key, value]) => {
    const at = valuePointer(pointer, key)
    const variable = known.get(key)
    return variable === undefined
      ? [{ pointer: at, message: "The template has no such variable" }]
      : [...ofKind(value, variable, at), ...ofValue(value, variable, at, isKnown)]
  })
}

/** The same, and each variable of the template that has no value. */
export const faultsOfVariables = (values: Variables, surroundings: Surroundings): ReadonlyArray<Fault> => [
  ...surroundings.variables
    .filter(({ key }) => !has(values, key))
    .map(({ key }) => ({
      pointer: valuePointer(surroundings.pointer, key),
      message: "Expected a value for this variable"
    })),
  ...faultsOfGivenVariables(values, surroundings)
]
