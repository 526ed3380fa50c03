import { Schema } from "effect"
import type { FilterInput } from "../../../crm/index.ts"

/** A condition as it is written: as a filter of contacts, with more fields. */
export type ConditionInput = FilterInput

const Nested = Schema.suspend((): Schema.Codec<ConditionInput> => ConditionInput)

const word = Schema.optionalKey(
  Schema.String.check(Schema.isMaxCodePoints(40, { message: "Expected at most 40 characters" }))
)

/** The same grammar as that of filters of contacts: what a field may be depends on the event. */
export const ConditionInput: Schema.Codec<ConditionInput> = Schema.Struct({
  all: Schema.optionalKey(Schema.Array(Nested)).annotateKey({ description: "Every one of these must hold." }),
  any: Schema.optionalKey(Schema.Array(Nested)).annotateKey({ description: "At least one of these must hold." }),
  not: Schema.optionalKey(Nested).annotateKey({ description: "This must not hold." }),
  field: word.annotateKey({
    description:
      "What a condition looks at: a field of filters of contacts, or one of the conversation, message, order, cart or event that it is about, or `schedule`."
  }),
  key: word.annotateKey({
    description: "The key of the contact field, where the condition looks at an attribute; the id of a schedule."
  }),
  op: word.annotateKey({ description: "How it compares." }),
  value: Schema.optionalKey(Schema.Json).annotateKey({ description: "What it compares with." })
}).annotate({
  identifier: "Condition",
  description: "A condition, or all, any or not of conditions. `{}` always holds."
})
