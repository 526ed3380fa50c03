import { Result } from "effect"
import { everybody, type FilterFieldOfArea, type Operators } from "../../../crm/index.ts"
import type { Groups } from "../triggers/groups.ts"
import { type FactFieldName, factFieldNames, factFields, isKnownIn, permissionOfFact } from "./factFields.ts"

const scheduleField: FilterFieldOfArea = {
  name: "schedule",
  permission: "organization.read",
  takesKey: true,
  names: null,
  operators: () => ({
    is: (value, fail) => (value === "open" || value === "closed" ? everybody : fail("Expected one of: open, closed"))
  })
}

/** A fact as a field of filters, whose values it reads: whom it finds is nobody's question. */
const asFilterField = (name: FactFieldName): FilterFieldOfArea => {
  const operators: Operators = Object.fromEntries(
    Object.entries(factFields[name].operators).map(([op, read]): [string, Operators[string]] => [
      op,
      (value, fail) => Result.match(read(value), { onFailure: fail, onSuccess: () => everybody })
    ])
  )
  return { name, permission: permissionOfFact(name), names: null, operators: () => operators }
}

// Made once: conditions are read for each event.
const fields = factFieldNames.map((name) => ({ name, field: asFilterField(name) }))

/** The fields of conditions that are none of filters of contacts, for their reader: it finds the faults. */
export const fieldsBeside = (groups: Groups): ReadonlyArray<FilterFieldOfArea> => [
  ...fields.flatMap(({ field, name }) => (isKnownIn(name, groups) ? [field] : [])),
  scheduleField
]
