import { type JsonFault, readJson } from "@parley/domain"
import { Effect, Schema, SchemaGetter, SchemaIssue } from "effect"

const issueOf = ({ message, path }: JsonFault): SchemaIssue.Issue =>
  new SchemaIssue.Pointer(path, new SchemaIssue.InvalidValue({ message }))

const parsed = SchemaGetter.transformEffect((text: string): Effect.Effect<unknown, SchemaIssue.Issue> => {
  const reading = readJson(text)
  if (!("faults" in reading)) return Effect.succeed(reading.value)
  const [first, ...others] = reading.faults.map(issueOf)
  return Effect.fail(
    first === undefined
      ? new SchemaIssue.InvalidValue({ message: "Expected valid JSON" })
      : new SchemaIssue.Composite(Schema.Unknown.ast, [first, ...others])
  )
})

/** JSON in a text of a query, which is read as strictly as a body. */
export const jsonText = <S extends Schema.Top>(text: Schema.Codec<string>, schema: S) =>
  text.pipe(
    Schema.decodeTo(Schema.Unknown, { decode: parsed, encode: SchemaGetter.stringifyJson() }),
    Schema.decodeTo(schema, {
      decode: SchemaGetter.passthrough<S["Encoded"], unknown>({ strict: false }),
      encode: SchemaGetter.passthrough<unknown, S["Encoded"]>({ strict: false })
    })
  )
