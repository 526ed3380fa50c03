import { Effect, Schema } from "effect"
import { defineFilterField, everybody, type Filter } from "../../crm/index.ts"
import { amountOperators } from "./amountOperators.ts"
import { known } from "./known.ts"

const most = 1_000_000_000

const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: most }))

const atLeast = (count: number): Filter => (count === 0 ? everybody : known("ordered_at_least")(String(count)))

/** How many orders of a contact count, in all stores. */
export const orderCountField = defineFilterField({
  name: "orderCount",
  permission: "commerce.read",
  conditions: ["ordered_at_least"],
  operators: () =>
    amountOperators(Count, `Expected a whole number from 0 to ${most}`, atLeast, (count) => atLeast(count + 1)),
  names: null,
  find: () => Effect.succeed([])
})
