import type { ContactField } from "../../crm/index.ts"
import type { ValidationIssue } from "../../kernel/index.ts"
import { isConstantKind, templateValueIssue, type TemplateVariable, valuePointer } from "../../messaging/chat/index.ts"
import type { ContactPath, BroadcastValue, Variables } from "./BroadcastValue.ts"
import { toSingleLine } from "./LocaleFormat.ts"
import { analyse, distinctPaths, contactVocabulary } from "./liquid/analyse.ts"

const pathsOf = (value: BroadcastValue): ReadonlyArray<ContactPath> => {
  switch (value.kind) {
    case "constant":
      return []
    case "field":
      return [value.key === undefined ? { field: value.field } : { field: value.field, key: value.key }]
    case "liquid":
      return analyse(value.source, contactVocabulary).required
  }
}

/** Returns the contact fields that this value requires: none with a fallback. */
export const requiredValuePaths = (value: BroadcastValue): ReadonlyArray<ContactPath> =>
  value.kind !== "constant" && value.fallback !== undefined ? [] : pathsOf(value)

/** Returns the contact fields that all variables require. A value can still fail or be too long, which only a rendering shows. */
export const requiredPaths = (variables: Variables): ReadonlyArray<ContactPath> =>
  distinctPaths(Object.values(variables).flatMap(requiredValuePaths), contactVocabulary)

interface VariablesContext {
  /** Variables of the template. */
  readonly variables: ReadonlyArray<TemplateVariable>
  readonly fields: ReadonlyArray<Pick<ContactField, "key" | "status">>
  /** Pointer to the values. */
  readonly pointer: string
}

const unknownKey = "There is no contact field with this key"

const validateKind = (
  value: BroadcastValue,
  { kind }: TemplateVariable,
  pointer: string
): ReadonlyArray<ValidationIssue> =>
  isConstantKind(kind) && value.kind !== "constant"
    ? [{ pointer: `${pointer}/kind`, message: `Expected constant: a ${kind} is the same for all contacts` }]
    : []

const validateText = (
  variable: TemplateVariable,
  text: string | undefined,
  pointer: string
): ReadonlyArray<ValidationIssue> => {
  const message = text === undefined ? null : templateValueIssue(variable, toSingleLine(text))
  return message === null ? [] : [{ pointer, message }]
}

const validateValue = (
  value: BroadcastValue,
  variable: TemplateVariable,
  pointer: string,
  isKnown: (path: ContactPath) => boolean
): ReadonlyArray<ValidationIssue> => {
  switch (value.kind) {
    case "constant":
      return validateText(variable, value.value, `${pointer}/value`)
    case "field":
      return [
        ...(value.key === undefined || isKnown({ field: value.field, key: value.key })
          ? []
          : [{ pointer: `${pointer}/key`, message: unknownKey }]),
        ...validateText(variable, value.fallback, `${pointer}/fallback`)
      ]
    case "liquid": {
      const { faults, named } = analyse(value.source, contactVocabulary)
      const at = `${pointer}/source`
      return [
        ...faults.map((message) => ({ pointer: at, message })),
        ...named
          .filter((path) => !isKnown(path))
          .map(({ key }) => ({ pointer: at, message: `${unknownKey}: ${key ?? ""}` })),
        ...validateText(variable, value.fallback, `${pointer}/fallback`)
      ]
    }
  }
}

const has = (values: Variables, key: string) => Object.hasOwn(values, key)

/** Returns all errors in the given values of a template's variables, with pointers. */
export const validateGivenVariables = (
  values: Variables,
  { fields, pointer, variables }: VariablesContext
): ReadonlyArray<ValidationIssue> => {
  const keys = new Set(fields.filter(({ status }) => status === "active").map(({ key }) => key))
  const isKnown = ({ key }: ContactPath) => key === undefined || keys.has(key)
  const known = new Map(variables.map((variable) => [variable.key, variable]))
  return Object.entries(values).flatMap(([key, value]) => {
    const at = valuePointer(pointer, key)
    const variable = known.get(key)
    return variable === undefined
      ? [{ pointer: at, message: "The template does not have this variable" }]
      : [...validateKind(value, variable, at), ...validateValue(value, variable, at, isKnown)]
  })
}

/** Returns the same errors, and an error for each variable without a value. */
export const validateVariables = (
  values: Variables,
  surroundings: VariablesContext
): ReadonlyArray<ValidationIssue> => [
  ...surroundings.variables
    .filter(({ isOptional, key }) => isOptional !== true && !has(values, key))
    .map(({ key }) => ({
      pointer: valuePointer(surroundings.pointer, key),
      message: "Expected a value for this variable"
    })),
  ...validateGivenVariables(values, surroundings)
]
