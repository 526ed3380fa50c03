import { Schema } from "effect"
import { isWellFormed } from "../../kernel/index.ts"

const Text = Schema.String.check(
  isWellFormed,
  Schema.isMaxCodePoints(1_024, { message: "Expected at most 1024 characters" })
)

/** What a variable of a template is filled with. */
export const Value = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("constant"), value: Text }),
  Schema.Struct({
    kind: Schema.Literal("field"),
    field: Schema.Literals(["name", "firstName", "phone", "email", "locale", "attribute"]),
    key: Schema.optionalKey(Schema.String),
    fallback: Schema.optionalKey(Text)
  }),
  Schema.Struct({
    kind: Schema.Literal("liquid"),
    source: Schema.String.check(Schema.isBetweenCodePoints(1, 1_000, { message: "Expected 1 to 1000 characters" })),
    fallback: Schema.optionalKey(Text)
  })
]).annotate({ identifier: "BroadcastValue" })
export type Value = typeof Value.Type

/** The values of a template's variables, by their keys. */
export const Variables = Schema.Record(
  Schema.String.check(Schema.isMaxCodePoints(100, { message: "Expected at most 100 characters" })),
  Value
)
export type Variables = typeof Variables.Type
