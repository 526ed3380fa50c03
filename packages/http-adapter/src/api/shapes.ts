import { type JsonIssue, readJson } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import { MultiLineText } from "@parley/domain/platform"
import { Effect, Schema, SchemaGetter, SchemaIssue } from "effect"

const Digits = Schema.String.check(
  Schema.isPattern(/^(?:0|[1-9]\d{0,14})$/u, { message: "Expected a whole number from 1 to 100" })
)

/** A whole number of a query, in digits and nothing else. */
const Limit = Digits.pipe(
  Schema.decodeTo(
    Schema.Int.check(
      Schema.isBetween({ minimum: 1, maximum: 100 }, { message: "Expected a whole number from 1 to 100" })
    ),
    { decode: SchemaGetter.transform(Number), encode: SchemaGetter.transform(String) }
  )
)

/** Size and start of a page. */
export const PageQuery = {
  limit: Schema.optionalKey(Limit).annotateKey({ description: "Page size, 1 to 100. Default: 25." }),
  cursor: Schema.optionalKey(
    Schema.String.check(Schema.isMaxCodePoints(2048, { message: "Expected at most 2048 characters" }))
  ).annotateKey({
    description: "`nextCursor` of the previous page."
  })
}

/** Page of a list, with defaults. */
export const pageOf = (query: { readonly limit?: number; readonly cursor?: string }) => ({
  limit: query.limit ?? 25,
  cursor: query.cursor ?? null
})

/** Log position of an event, in digits. */
export const Position = Schema.String.check(
  Schema.isPattern(/^[1-9]\d{0,14}$/u, { message: "Expected the position of an event" })
).pipe(Schema.decodeTo(Schema.Int, { decode: SchemaGetter.transform(Number), encode: SchemaGetter.transform(String) }))

/** Part of a name, for searches. */
export const nameQuery = (description: string) =>
  Schema.optionalKey(
    MultiLineText.check(Schema.isBetweenCodePoints(1, 120, { message: "Expected 1 to 120 characters" }))
  ).annotateKey({ description })

/** Several values of a parameter, which is repeated. */
export const several = <A extends Schema.Top>(one: A, things: string) =>
  Schema.Array(one).check(
    Schema.isBetweenLength(1, 5, { message: `Expected 1 to 5 ${things}` }),
    Schema.isUnique({ message: "Expected each once" })
  )

/** Sort order of a list. */
export const sortQuery = <S extends Schema.Top>(sort: S, fallback: S["Type"]) =>
  Schema.optionalKey(sort).annotateKey({
    description: `Sort order; a minus is descending. Default: \`${fallback}\`.`
  })

/** Selects runs of an automation or a workflow. */
export const RunQuery = {
  contactId: Schema.optionalKey(ContactId).annotateKey({ description: "Only runs for this contact." }),
  position: Schema.optionalKey(Position).annotateKey({
    description: "Only runs that the event at this position of the event feed started."
  })
}

/** Selection of runs without the page. */
export const runsOf = <State extends string>(query: {
  readonly state?: State
  readonly contactId?: ContactId
  readonly position?: number
}) => ({ state: query.state ?? null, contactId: query.contactId ?? null, position: query.position ?? null })

/** The id of a resource, in the path. */
export const idOf = <Id extends Schema.Top>(id: Id, resource: string) => ({
  id: id.pipe(Schema.annotateKey({ description: `Id of the ${resource}.` }))
})

const VersionTag = Schema.String.check(
  Schema.isPattern(/^(?:"\d{1,9}"|\d{1,9})$/u, { message: 'Expected the version of the resource, such as "3"' })
).pipe(
  Schema.decodeTo(Schema.Int, {
    decode: SchemaGetter.transform((tag: string) => Number(tag.replaceAll('"', ""))),
    encode: SchemaGetter.transform((version: number) => `"${version}"`)
  })
)

/** The version that the change is meant for. */
export const IfMatch = {
  "if-match": Schema.optionalKey(VersionTag).annotateKey({
    description: "Version that the change expects. If it is not the current version, nothing changes."
  })
}

/** Expected version of a change; `null` accepts every version. */
export const expectedVersion = (headers: { readonly "if-match"?: number }) => headers["if-match"] ?? null

/** A secret that goes over the wire as a text and is never printed. */
export const Secret = Schema.RedactedFromValue(
  Schema.String.check(Schema.isMaxCodePoints(4096, { message: "Expected at most 4096 characters" }))
)

/** A parameter that includes related resources in answers: some of these names, separated by commas. The note explains single names. */
export const expandOf = <const Name extends string>(
  expansions: Schema.Literals<ReadonlyArray<Name>>,
  note: string = ""
) => {
  const names = Schema.Array(expansions)
  const allowed = expansions.literals.join(", ")
  const readNames = Schema.decodeUnknownEffect(names)
  return Schema.optionalKey(
    Schema.String.check(Schema.isMaxCodePoints(200, { message: "Expected at most 200 characters" })).pipe(
      Schema.decodeTo(Schema.toType(names), {
        decode: SchemaGetter.transformEffect((text: string, options) =>
          Effect.mapError(
            readNames([...new Set(text.split(","))]),
            () => new SchemaIssue.InvalidValue({ message: `Expected some of: ${allowed}` }, text, options)
          )
        ),
        encode: SchemaGetter.transform((chosen: ReadonlyArray<Name>) => chosen.join(","))
      })
    )
  ).annotateKey({
    description: `Resources to include under \`expanded\`, separated by commas: ${allowed}.${note === "" ? "" : ` ${note}`}`
  })
}

const issueOf = ({ message, path }: JsonIssue): SchemaIssue.Issue =>
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
