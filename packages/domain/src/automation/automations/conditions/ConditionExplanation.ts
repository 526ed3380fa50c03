import { Schema } from "effect"
import { shownWith } from "../../../kernel/index.ts"
import { factPermissions } from "./factPermissions.ts"

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
  saw: Schema.optionalKey(Schema.Json)
    .annotateKey({
      description:
        "The value at that time, at most 200 characters. For fields that are known only as a whole: whether the condition held. Null without a value."
    })
    .pipe(shownWith(...factPermissions)),
  held: Schema.Boolean
}).annotate({ identifier: "ConditionExplanation" })
