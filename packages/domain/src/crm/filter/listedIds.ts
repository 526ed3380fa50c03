import type { Schema } from "effect"
import { Predicate } from "effect"
import type { FilterFieldOfArea } from "./ContactFilterFields.ts"

/** An entry of a list of ids, with the steps from the value that it stands in. */
export interface ListedId {
  readonly id: Schema.Json
  readonly step: string
}

/** What the value of a condition lists by ids. Whether they are ids is not said. */
export const listedIds = (
  { namedAt }: Pick<FilterFieldOfArea, "namedAt">,
  value: Schema.Json | undefined
): ReadonlyArray<ListedId> => {
  const list = namedAt === undefined ? value : Predicate.isObject(value) ? Reflect.get(value, namedAt) : undefined
  const steps = namedAt === undefined ? "" : `${namedAt}/`
  return Array.isArray(list) ? list.map((id: Schema.Json, place) => ({ id, step: `${steps}${place}` })) : []
}
