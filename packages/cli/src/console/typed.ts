import { Effect, Schema } from "effect"
import { Argument, CliError, Flag } from "effect/cli"

const reader =
  <A>(schema: Schema.ConstraintCodec<A, string>, option: string, kind: "flag" | "argument") =>
  (value: string) =>
    Effect.mapError(
      Schema.decodeEffect(schema)(value),
      (error) => new CliError.InvalidValue({ option, value, expected: error.message, kind })
    )

/** A flag whose value the schema reads; its complaint is the schema's own. */
export const typedFlag = <A>(name: string, schema: Schema.ConstraintCodec<A, string>): Flag.Flag<A> =>
  Flag.mapEffect(Flag.String(name), reader(schema, name, "flag"))

/** The same for an argument. */
export const typedArgument = <A>(name: string, schema: Schema.ConstraintCodec<A, string>): Argument.Argument<A> =>
  Argument.mapEffect(Argument.String(name), reader(schema, name, "argument"))
