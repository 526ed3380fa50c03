import { DateTime, Effect } from "effect"
import { type ContactFilterField, defineFilterField, timeOperators } from "../../crm/index.ts"
import { known } from "./known.ts"

type TimeCondition<Event extends string> = `${Event}_ever` | `${Event}_before` | `${Event}_since`

/** A field that is a time at which something happened with a contact in a store. */
const timeField = <const Event extends string>(
  name: string,
  event: Event
): ContactFilterField<TimeCondition<Event>, never> =>
  defineFilterField({
    name,
    permission: "commerce.read",
    conditions: [`${event}_ever`, `${event}_before`, `${event}_since`],
    operators: (now) =>
      timeOperators(
        {
          set: known(`${event}_ever`)(),
          before: (at) => known(`${event}_before`)(DateTime.formatIso(at)),
          since: (at) => known(`${event}_since`)(DateTime.formatIso(at))
        },
        now
      ),
    names: null,
    find: () => Effect.succeed([])
  })

/** When a contact placed the first order that counts. */
export const firstOrderAtField = timeField("firstOrderAt", "first_order")

/** When a contact placed the last order that counts. */
export const lastOrderAtField = timeField("lastOrderAt", "last_order")

/** When a contact abandoned a cart last, whether or not something was ordered from it later. */
export const cartAbandonedAtField = timeField("cartAbandonedAt", "cart_abandoned")
