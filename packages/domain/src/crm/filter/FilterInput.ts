import { Schema } from "effect"

/** The most conditions a filter may have, counted through the segments it names. */
export const mostConditions = 50

/** How deep a filter may nest, counted through the segments it names. */
export const mostLevels = 8

/** A filter as it is written: a condition (`field`, `op`, `value`), or `all`, `any` or `not` of others. */
export interface FilterInput {
  readonly all?: ReadonlyArray<FilterInput>
  readonly any?: ReadonlyArray<FilterInput>
  readonly not?: FilterInput
  readonly field?: string
  readonly key?: string
  readonly op?: string
  readonly value?: Schema.Json
}

const Nested = Schema.suspend((): Schema.Codec<FilterInput> => FilterInput)

/**
 * A filter as it is written. The parts of a condition depend on each other, so they are checked when the filter is
 * read, with a pointer to each fault; a schema of all the combinations would name every one that it is not.
 */
export const FilterInput: Schema.Codec<FilterInput> = Schema.Struct({
  all: Schema.optionalKey(Schema.Array(Nested)).annotateKey({ description: "Every one of these must hold." }),
  any: Schema.optionalKey(Schema.Array(Nested)).annotateKey({ description: "At least one of these must hold." }),
  not: Schema.optionalKey(Nested).annotateKey({ description: "This must not hold." }),
  field: Schema.optionalKey(
    Schema.String.check(Schema.isMaxCodePoints(40, { message: "Expected at most 40 characters" }))
  ).annotateKey({ description: "What a condition looks at." }),
  key: Schema.optionalKey(
    Schema.String.check(Schema.isMaxCodePoints(40, { message: "Expected at most 40 characters" }))
  ).annotateKey({
    description: "The key of the contact field, where the condition looks at an attribute."
  }),
  op: Schema.optionalKey(
    Schema.String.check(Schema.isMaxCodePoints(40, { message: "Expected at most 40 characters" }))
  ).annotateKey({ description: "How it compares." }),
  value: Schema.optionalKey(Schema.Json).annotateKey({ description: "What it compares with." })
}).annotate({ identifier: "ContactFilter", description: "A condition, or all, any or not of conditions." })
