import { Predicate, type Schema } from "effect"

/** Names of all fields of a body, as JSON pointers with `*` for the items of lists. */
export const fieldsIn = (value: Schema.Json, path = ""): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap((each) => fieldsIn(each, `${path}/*`))
  if (!Predicate.isObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => [
    `${path}/${key}`,
    ...fieldsIn(inner as Schema.Json, `${path}/${key}`)
  ])
}
