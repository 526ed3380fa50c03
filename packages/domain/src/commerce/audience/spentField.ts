import { Effect } from "effect"
import { defineFilterField, type Filter, negated } from "../../crm/index.ts"
import { Money } from "../../kernel/index.ts"
import { amountOperators } from "./amountOperators.ts"
import { known } from "./known.ts"

const [atLeastOf, belowOf] = [known("spent_at_least"), known("spent_below")]

/** Who has spent nothing in a currency is not known to have: they are those who have not spent less than nothing. */
const atLeast = (currency: string, amountMinor: number): Filter =>
  amountMinor > 0 ? atLeastOf(currency, String(amountMinor)) : negated(belowOf(currency, String(amountMinor)))

/** What a contact has spent in one currency, in all stores. */
export const spentField = defineFilterField({
  name: "spent",
  permission: "commerce.read",
  conditions: ["spent_at_least", "spent_below"],
  operators: () =>
    amountOperators(
      Money,
      'Expected an amount such as { "amountMinor": 5000, "currency": "EUR" }',
      ({ amountMinor, currency }) => atLeast(currency, amountMinor),
      ({ amountMinor, currency }) => atLeast(currency, amountMinor + 1)
    ),
  names: null,
  find: () => Effect.succeed([])
})
