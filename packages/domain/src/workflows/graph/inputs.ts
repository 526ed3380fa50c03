import { Schema } from "effect"
import { FilterInput } from "../../crm/index.ts"

const Words = Schema.String.check(Schema.isMaxCodePoints(40, { message: "Expected at most 40 characters" }))

/** A condition as it is written. */
export const ConditionInput = FilterInput
export type ConditionInput = FilterInput

/** An event as it is written, with what it has to be about. */
export const TriggerInput = Schema.StructWithRest(Schema.Struct({ event: Words }), [
  Schema.Record(Schema.String, Schema.Json)
])
export type TriggerInput = typeof TriggerInput.Type
