import { Result } from "effect"
import { everybody, type FilterFieldOfArea, type Operators } from "../../crm/index.ts"
import type { Groups } from "../triggers/groups.ts"
import { factFieldNames, factFields, isKnownIn } from "./factFields.ts"

const scheduleField: FilterFieldOfArea = {
  name: "schedule",
  takesKey: true,
  names: null,
  operators: () => ({
    is: (value, fail) => (value === "open" || value === "closed" ? everybody : fail("Expected one of: open, closed"))
  })
}

/** The fields of conditions that are none of filters of contacts, for their reader: it finds the faults. */
export const fieldsBeside = (groups: Groups): ReadonlyArray<FilterFieldOfArea> => [
  ...factFieldNames
    .filter((name) => isKnownIn(name, groups))
    .map((name): FilterFieldOfArea => ({
      name,
      names: null,
      operators: (): Operators =>
        Object.fromEntries(
          Object.entries(factFields[name].operators).map(([op, read]): [string, Operators[string]] => [
            op,
            (value, fail) => Result.match(read(value), { onFailure: fail, onSuccess: () => everybody })
          ])
        )
    })),
  scheduleField
]
