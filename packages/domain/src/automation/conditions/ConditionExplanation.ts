import { Schema } from "effect"

/** What became of a condition: as it was written, with what each of its parts saw, and whether it held. */
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

const Nested = Schema.suspend((): Schema.Codec<ConditionExplanation> => ConditionExplanation)

/** What became of a condition. */
export const ConditionExplanation: Schema.Codec<ConditionExplanation> = Schema.Struct({
  all: Schema.optionalKey(Schema.Array(Nested)),
  any: Schema.optionalKey(Schema.Array(Nested)),
  not: Schema.optionalKey(Nested),
  field: Schema.optionalKey(Schema.String),
  key: Schema.optionalKey(Schema.String),
  op: Schema.optionalKey(Schema.String),
  value: Schema.optionalKey(Schema.Json),
  saw: Schema.optionalKey(Schema.Json).annotateKey({
    description:
      "What was there then, at most 200 characters of it; of what is only known of a contact as a whole, whether it held. Null where nothing was, and for those who may not read contacts and conversations."
  }),
  held: Schema.Boolean
}).annotate({ identifier: "ConditionExplanation" })

/** The same without what was seen, for those who may not see it. */
export const withoutSeen = (explanation: ConditionExplanation): ConditionExplanation => ({
  ...explanation,
  ...(explanation.all !== undefined && { all: explanation.all.map(withoutSeen) }),
  ...(explanation.any !== undefined && { any: explanation.any.map(withoutSeen) }),
  ...(explanation.not !== undefined && { not: withoutSeen(explanation.not) }),
  ...(explanation.saw !== undefined && { saw: null })
})
