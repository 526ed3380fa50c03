import { Predicate } from "effect"

/** The parameters of a query that are said once. */
export const plainParameters = (query: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(query).filter((entry): entry is [string, string] => Predicate.isString(entry[1])))
