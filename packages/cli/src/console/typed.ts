import { Timestamp } from "@parley/domain/kernel"
import { DateTime, Duration, Effect, FileSystem, Schema } from "effect"
import { Argument, CliError, Flag } from "effect/cli"
import { faultLines, Refused } from "./Failure.ts"

const reader =
  <A>(schema: Schema.ConstraintCodec<A, string>, option: string, kind: "flag" | "argument") =>
  (value: string) =>
    Effect.mapError(
      Schema.decodeEffect(schema)(value),
      (error) => new CliError.InvalidValue({ option, value, expected: error.message, kind })
    )

/** Creates a flag with a schema. Its error message comes from the schema. */
export const typedFlag = <A>(name: string, schema: Schema.ConstraintCodec<A, string>): Flag.Flag<A> =>
  Flag.mapEffect(Flag.String(name), reader(schema, name, "flag"))

/** Creates an argument with a schema. */
export const typedArgument = <A>(name: string, schema: Schema.ConstraintCodec<A, string>): Argument.Argument<A> =>
  Argument.mapEffect(Argument.String(name), reader(schema, name, "argument"))

const strictly = { errors: "all", onExcessProperty: "error" } as const

const parse = (text: string): Effect.Effect<unknown, string> =>
  Effect.try({ try: (): unknown => JSON.parse(text), catch: () => "Expected JSON" })

const read =
  <A, I>(schema: Schema.ConstraintCodec<A, I>) =>
  (written: unknown): Effect.Effect<A, string> =>
    Effect.mapError(Schema.decodeUnknownEffect(Schema.toCodecJson(schema), strictly)(written), ({ issue }) =>
      faultLines(issue, written)
    )

/** Creates a flag with a JSON value. Each issue has its place. An unknown field is an issue. */
export const jsonFlag = <A, I>(name: string, schema: Schema.ConstraintCodec<A, I>): Flag.Flag<A> =>
  Flag.String(name).pipe(
    Flag.mapEffect((value) =>
      Effect.mapError(
        Effect.flatMap(parse(value), read(schema)),
        (expected) => new CliError.InvalidValue({ option: name, value, expected, kind: "flag" })
      )
    ),
    Flag.withMetavar("json")
  )

/** Reads a JSON file. `fault` is the first line of the error message, before the issues and their places. */
export const jsonFile = Effect.fnUntraced(function* <A, I>(
  path: string,
  schema: Schema.ConstraintCodec<A, I>,
  fault: string
) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* Effect.mapError(
    fs.readFileString(path),
    ({ reason }) => new Refused({ message: `The file ${path} cannot be read: ${reason._tag}.` })
  )
  const written = yield* Effect.mapError(
    parse(text),
    () => new Refused({ message: `The file ${path} is not valid JSON.` })
  )
  return yield* Effect.mapError(read(schema)(written), (faults) => new Refused({ message: `${fault}\n${faults}` }))
})

const units = { s: Duration.seconds, m: Duration.minutes, h: Duration.hours, d: Duration.days } as const

const ago = /^(\d{1,6})([smhd])$/u

const isUnit = (text: string | undefined): text is keyof typeof units => text !== undefined && text in units

const readSince = Effect.fnUntraced(function* (text: string) {
  const [, count, unit] = ago.exec(text) ?? []
  if (isUnit(unit)) return DateTime.subtractDuration(yield* DateTime.now, units[unit](Number(count)))
  const expected = "Expected a duration such as 10m or 2h, or a time such as 2026-11-20T09:30:00Z"
  return yield* Effect.mapError(
    Schema.decodeEffect(Timestamp)(text),
    () => new CliError.InvalidValue({ option: "since", value: text, expected, kind: "flag" })
  )
})

/** A past time: an age or a timestamp. */
export const sinceFlag = (description: string) =>
  Flag.String("since").pipe(
    Flag.withMetavar("time"),
    Flag.withDescription(description),
    Flag.mapEffect(readSince),
    Flag.optional
  )
