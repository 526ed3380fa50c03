import { Effect, Schema } from "effect"
import { defineFilterField, negated, valueReader } from "../../crm/index.ts"
import { known } from "./known.ts"

const yesOrNo = valueReader(Schema.Boolean, "Expected true or false")

const hasOpenCart = known("has_open_cart")()

/** Whether a contact has a cart that is active or abandoned. */
export const openCartField = defineFilterField({
  name: "openCart",
  permission: "commerce.read",
  conditions: ["has_open_cart"],
  operators: () => ({
    is: (value, fail) => yesOrNo(value, fail, (is) => (is ? hasOpenCart : negated(hasOpenCart)))
  }),
  names: null,
  find: () => Effect.succeed([])
})
