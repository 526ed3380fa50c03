import { Schema } from "effect"
import type { FilterInput } from "../../../crm/index.ts"
import { isStorable, shownWith, StorableJson } from "../../../kernel/index.ts"

/** Conditions and rendered actions can contain facts of these areas. One value can combine all of them. */
export const factPermissions = ["contacts.read", "conversations.read", "commerce.read"] as const

/** Condition in API input: the grammar of contact filters, with more fields. */
export type ConditionInput = FilterInput

const Nested = Schema.suspend((): Schema.Codec<ConditionInput> => ConditionInput)

const word = Schema.optionalKey(
  Schema.String.check(isStorable, Schema.isMaxCodePoints(40, { message: "Expected at most 40 characters" }))
)

/** Same grammar as contact filters. The available fields depend on the event. */
export const ConditionInput: Schema.Codec<ConditionInput> = Schema.Struct({
  all: Schema.optionalKey(Schema.Array(Nested)).annotateKey({ description: "All of these conditions must hold." }),
  any: Schema.optionalKey(Schema.Array(Nested)).annotateKey({
    description: "At least one of these conditions must hold."
  }),
  not: Schema.optionalKey(Nested).annotateKey({ description: "This condition must not hold." }),
  field: word.annotateKey({
    description:
      "Field of the condition: a field of contact filters, of the conversation, message, order, cart or event, `webhook`, `steps`, or `schedule`."
  }),
  key: Schema.optionalKey(
    Schema.String.check(isStorable, Schema.isMaxCodePoints(200, { message: "Expected at most 200 characters" }))
  ).annotateKey({
    description:
      "Key of the contact field for an attribute, id of the schedule, or path in the data of a webhook or in the steps of a workflow, such as `lookup.output.status`."
  }),
  op: word.annotateKey({ description: "How it compares." }),
  value: Schema.optionalKey(StorableJson).annotateKey({ description: "Value to compare with." })
}).annotate({
  identifier: "Condition",
  description: "A condition, or a combination with `all`, `any` or `not`. `{}` always holds."
})

/** Condition without parts, with its pointer. */
export interface ConditionLeaf {
  readonly input: ConditionInput
  readonly pointer: string
}

/** Finds the conditions without parts, in order. */
export const findConditionLeaves = (input: ConditionInput, pointer: string): ReadonlyArray<ConditionLeaf> => [
  ...(input.field === undefined ? [] : [{ input, pointer }]),
  ...(input.all ?? []).flatMap((each, index) => findConditionLeaves(each, `${pointer}/all/${index}`)),
  ...(input.any ?? []).flatMap((each, index) => findConditionLeaves(each, `${pointer}/any/${index}`)),
  ...(input.not === undefined ? [] : findConditionLeaves(input.not, `${pointer}/not`))
]

/** Result of a condition: its input, the observed value of each part, and whether it held. */
export interface ConditionExplanation {
  readonly all?: ReadonlyArray<ConditionExplanation>
  readonly any?: ReadonlyArray<ConditionExplanation>
  readonly not?: ConditionExplanation
  readonly field?: string
  readonly key?: string
  readonly op?: string
  readonly value?: Schema.Json
  readonly saw?: Schema.Json
  readonly held: boolean
}

const NestedExplanation = Schema.suspend((): Schema.Codec<ConditionExplanation> => ConditionExplanation)

export const ConditionExplanation: Schema.Codec<ConditionExplanation> = Schema.Struct({
  all: Schema.optionalKey(Schema.Array(NestedExplanation)),
  any: Schema.optionalKey(Schema.Array(NestedExplanation)),
  not: Schema.optionalKey(NestedExplanation),
  field: Schema.optionalKey(Schema.String),
  key: Schema.optionalKey(Schema.String),
  op: Schema.optionalKey(Schema.String),
  value: Schema.optionalKey(Schema.Json),
  saw: Schema.optionalKey(Schema.Json)
    .annotateKey({
      description:
        "The value at that time, at most 200 characters. For fields that are known only as a whole: whether the condition held. Null without a value."
    })
    .pipe(shownWith(...factPermissions)),
  held: Schema.Boolean
}).annotate({ identifier: "ConditionExplanation" })
