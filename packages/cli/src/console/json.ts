import { Effect, FileSystem, Schema } from "effect"
import { CliError, Flag } from "effect/cli"
import { Refused } from "./Failure.ts"
import { faultLines } from "./placed.ts"

const strictly = { errors: "all", onExcessProperty: "error" } as const

const parse = (text: string): Effect.Effect<unknown, string> =>
  Effect.try({ try: (): unknown => JSON.parse(text), catch: () => "Expected JSON" })

const read =
  <A, I>(schema: Schema.ConstraintCodec<A, I>) =>
  (written: unknown): Effect.Effect<A, string> =>
    Effect.mapError(Schema.decodeUnknownEffect(Schema.toCodecJson(schema), strictly)(written), ({ issue }) =>
      faultLines(issue, written)
    )

/** A flag whose value is JSON. Each fault of it is told with its place, and so is a field that nobody reads. */
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

/** What a file has in JSON. `fault` says what the file is not, or has, before each fault with its place. */
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
