import { Arbitrary, DateTime, Schema, SchemaAST } from "effect"

const texts = Arbitrary.schema(
  Schema.Literals([
    "",
    "Ada",
    '"quoted" \\ back',
    "línea\n\u2028\u0000",
    "日本語 🧑‍🚀",
    "\ud800",
    "__proto__",
    "null",
    "7"
  ])
)
const numbers = Arbitrary.schema(Schema.Literals([0, -1, 1.5, 1e21, 1e-7, 9_007_199_254_740_991]))
const times = Arbitrary.map(
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: -70_000_000_000_000, maximum: 260_000_000_000_000 }))),
  (millis) => DateTime.formatIso(DateTime.makeUnsafe(millis))
)

const oneOf = (all: ReadonlyArray<Arbitrary.Arbitrary<unknown>>): Arbitrary.Arbitrary<unknown> =>
  Arbitrary.flatMap(
    Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: all.length - 1 }))),
    (index) => all[index] ?? Arbitrary.Constant(null)
  )

const several = (item: Arbitrary.Arbitrary<unknown>, depth: number) =>
  Arbitrary.array(item, { maxLength: depth > 6 ? 0 : 3 })

const isTime = (ast: SchemaAST.AST) =>
  SchemaAST.isDeclaration(ast) && Schema.is(Schema.make(SchemaAST.toType(ast)))(DateTime.makeUnsafe(0))

const field = ({ name, type }: SchemaAST.PropertySignature, depth: number) => {
  const value = Arbitrary.map(drawn(type, depth), (value): ReadonlyArray<readonly [PropertyKey, unknown]> => [
    [name, value]
  ])
  return SchemaAST.isOptional(type) ? oneOf([Arbitrary.Constant([]), value]) : value
}

const drawn = (ast: SchemaAST.AST, depth: number): Arbitrary.Arbitrary<unknown> => {
  const source = ast.encoding?.at(-1)?.to
  if (source !== undefined) return isTime(ast) ? times : drawn(source, depth)
  switch (ast._tag) {
    case "String":
    case "TemplateLiteral":
      return texts
    case "Number":
      return numbers
    case "Boolean":
      return Arbitrary.schema(Schema.Boolean)
    case "Literal":
      return Arbitrary.Constant(ast.literal)
    case "Arrays":
      if (ast.elements.length > 0) return Arbitrary.all(ast.elements.map((element) => drawn(element, depth + 1)))
      return several(oneOf(ast.rest.map((item) => drawn(item, depth + 1))), depth)
    case "Objects":
      return Arbitrary.map(
        Arbitrary.all([
          ...ast.propertySignatures.map((property) => field(property, depth + 1)),
          ...ast.indexSignatures.map(({ type }) => several(Arbitrary.all([texts, drawn(type, depth + 1)]), depth))
        ]),
        (parts) => Object.fromEntries(parts.flat() as ReadonlyArray<readonly [PropertyKey, unknown]>)
      )
    case "Union":
      return oneOf(ast.types.map((type) => drawn(type, depth)))
    case "Suspend":
      return Arbitrary.flatMap(Arbitrary.Constant(null), () => drawn(ast.thunk(), depth + 1))
    case "Null":
      return Arbitrary.Constant(null)
    default:
      return oneOf([Arbitrary.Constant(null), texts, numbers])
  }
}

/** Values that the schema could read without its checks: every branch, every optional field, hostile texts. */
export const uncheckedJson = (schema: Schema.Top): Arbitrary.Arbitrary<unknown> => drawn(schema.ast, 0)
