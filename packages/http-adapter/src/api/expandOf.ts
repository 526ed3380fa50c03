import { Effect, Schema, SchemaGetter, SchemaIssue } from "effect"

/** A parameter that asks for what answers have beside ids: some of these names, with commas between them. */
export const expandOf = <const Name extends string>(expansions: Schema.Literals<ReadonlyArray<Name>>) => {
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
    description: `What is to stand beside its ids, under \`expanded\`, with commas between several: ${allowed}.`
  })
}
