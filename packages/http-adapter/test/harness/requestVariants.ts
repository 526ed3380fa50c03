import { Arbitrary, Effect, Schema, SchemaAST } from "effect"
import { type Endpoint, readsJson } from "./contract.ts"

/** An optional request field with the schema of its value. */
export interface OptionalField {
  readonly slot: "query" | "body"
  /** Path of field names from the top level. */
  readonly path: ReadonlyArray<string>
  readonly ast: SchemaAST.AST
}

/** Filters nest, and their parts have no separate meaning. */
const isFilter = ({ propertySignatures }: SchemaAST.Objects) => propertySignatures.some(({ name }) => name === "any")

const isStruct = (ast: SchemaAST.AST): ast is SchemaAST.Objects =>
  SchemaAST.isObjects(ast) && ast.propertySignatures.length > 0 && ast.indexSignatures.length === 0 && !isFilter(ast)

/** The struct of a value with a single shape; `null` for lists, texts and unions. */
const structOf = (ast: SchemaAST.AST): SchemaAST.Objects | null => {
  const type = SchemaAST.toType(ast)
  if (isStruct(type)) return type
  if (!SchemaAST.isUnion(type)) return null
  const shapes = type.types.filter((each) => !SchemaAST.isNull(each))
  const [only] = shapes
  return shapes.length === 1 && only !== undefined ? structOf(only) : null
}

const fieldsIn = (
  slot: OptionalField["slot"],
  ast: SchemaAST.AST,
  path: ReadonlyArray<string>
): ReadonlyArray<OptionalField> =>
  (structOf(ast)?.propertySignatures ?? []).flatMap(({ name, type }) => {
    const at = [...path, String(name)]
    const own = SchemaAST.isOptional(type) ? [{ slot, path: at, ast: type }] : []
    return slot === "query" ? own : [...own, ...fieldsIn(slot, type, at)]
  })

/** All optional fields of a request of the endpoint, including nested objects in its body. */
export const optionalFields = (endpoint: Endpoint): ReadonlyArray<OptionalField> => {
  const { contract } = endpoint
  const bodies = readsJson(endpoint) ? Array.from(contract.payload.values()).flatMap(({ schemas }) => schemas) : []
  return [
    ...(contract.query === undefined ? [] : fieldsIn("query", contract.query.ast, [])),
    ...bodies.flatMap(({ ast }) => fieldsIn("body", ast, []))
  ]
}

/** Encoded sample values of the schema of a field. */
export const valuesOf = ({ ast }: OptionalField, count: number): Effect.Effect<ReadonlyArray<unknown>> => {
  const schema = Schema.make<Schema.Codec<unknown>>(ast)
  return Arbitrary.sampleEffect(Arbitrary.schema(schema), { count, seed: 7 }).pipe(
    Effect.map((values) =>
      values.filter((value) => value !== undefined).map((value) => Schema.encodeSync(schema)(value))
    ),
    Effect.orElseSucceed(() => [])
  )
}
