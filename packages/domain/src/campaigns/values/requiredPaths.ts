import type { ContactPath } from "./ContactPath.ts"
import { analyse } from "./liquid/analyse.ts"
import { distinct, ofContact } from "./liquid/Vocabulary.ts"
import type { Value, Variables } from "./Value.ts"

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
