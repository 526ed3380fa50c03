import type { Filter } from "../../crm/index.ts"

/** What this area knows of contacts, as a condition with the values that it compares with. */
export const known =
  (condition: string) =>
  (...values: ReadonlyArray<string>): Filter => ({ kind: "known", condition, values })
