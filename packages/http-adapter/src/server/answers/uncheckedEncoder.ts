import { type DateTime, Effect, Exit, Schema, SchemaAST, type SchemaGetter } from "effect"
import { isoTime } from "./isoTime.ts"

type Encode = (value: unknown) => unknown

// Reflection cannot see that the schemas of the contract need no services.
type Getter = SchemaGetter.Getter<unknown, unknown>

const unchecked = { disableChecks: true } as const

/** Writes the value unchanged. */
const asItIs: Encode = (value) => value

const then = (first: Encode, second: Encode): Encode =>
  first === asItIs ? second : second === asItIs ? first : (value) => second(first(value))

/** Uses the schema itself where no rule below applies. */
const bySchema = (ast: SchemaAST.AST): Encode =>
  Schema.decodeUnknownSync(Schema.make<Schema.Codec<unknown>>(ast), unchecked)

const fromTime: unknown = Schema.DateTimeUtcFromString.ast.encoding?.[0].transformation.encode

/** `null` if the getter can create a value from a missing one. */
const byGetter = (getter: Getter): Encode | null => {
  if (getter === fromTime) return (value) => isoTime(value as DateTime.Utc)
  switch (getter._tag) {
    case "Passthrough":
      return asItIs
    case "Transform":
      return getter.transform
    case "TransformEffect":
      return (value) => {
        const result = getter.transform(value, unchecked)
        return Exit.isExit(result) && Exit.isSuccess(result) ? result.value : Effect.runSync(result)
      }
    case "TransformOptional":
    case "TransformOptionalEffect":
      return null
  }
}

const getterOf = ({ transformation }: SchemaAST.Link): Getter | null =>
  transformation._tag === "Middleware" ? null : (transformation.decode as Getter)

const mayComeOfNothing = ({ encoding }: SchemaAST.AST) =>
  encoding?.some((link) => getterOf(link)?._tag.startsWith("TransformOptional") ?? true) === true

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const primitives: ReadonlySet<string> = new Set([
  "Null",
  "String",
  "Number",
  "Boolean",
  "Literal",
  "Enum",
  "TemplateLiteral"
])

const isPrimitive = ({ _tag, encoding }: SchemaAST.AST) => encoding === undefined && primitives.has(_tag)

/** Returns the type of a value before encoding. */
const sourceOf = (ast: SchemaAST.AST): SchemaAST.AST => {
  const link = ast.encoding?.at(-1)
  return link === undefined ? ast : sourceOf(link.to)
}

const objects: ReadonlySet<string> = new Set(["Objects", "Arrays", "Declaration"])

const literalsOf = (ast: SchemaAST.AST): ReadonlyMap<PropertyKey, unknown> =>
  new Map(
    SchemaAST.isObjects(ast)
      ? ast.propertySignatures.flatMap(({ name, type }) =>
          SchemaAST.isLiteral(type) && type.encoding === undefined ? [[name, type.literal] as const] : []
        )
      : []
  )

/** Returns the property whose literal distinguishes all members. */
const tagOf = (members: ReadonlyArray<SchemaAST.AST>): string | undefined => {
  const literals = members.map(literalsOf)
  return Array.from(literals[0]?.keys() ?? []).find((name): name is string => {
    const values = new Set(literals.map((of) => of.get(name)))
    return typeof name === "string" && values.size === members.length && !values.has(undefined)
  })
}

class Compiler {
  private readonly compiled = new Map<SchemaAST.AST, Encode>()

  encode(ast: SchemaAST.AST): Encode {
    const known = this.compiled.get(ast)
    if (known !== undefined) return known
    const encode = this.encoding(ast) ?? bySchema(ast)
    this.compiled.set(ast, encode)
    return encode
  }

  private encoding(ast: SchemaAST.AST): Encode | null {
    let encode = asItIs
    for (const link of ast.encoding?.toReversed() ?? []) {
      const getter = getterOf(link)
      const step = getter === null ? null : byGetter(getter)
      if (step === null) return null
      // The struct of its fields reads an instance of a class.
      const isInstance = SchemaAST.isDeclaration(link.to) && step === asItIs
      encode = then(encode, then(isInstance ? asItIs : this.encode(link.to), step))
    }
    const own = this.own(ast)
    return own === null ? null : then(encode, own)
  }

  private own(ast: SchemaAST.AST): Encode | null {
    switch (ast._tag) {
      case "Arrays":
        return this.array(ast)
      case "Objects":
        return ast.propertySignatures.length === 0 ? this.record(ast) : this.struct(ast)
      case "Union":
        return this.union(ast)
      case "Suspend": {
        let encode: Encode | null = null
        return (value) => {
          encode ??= this.encode(ast.thunk())
          return encode(value)
        }
      }
      case "Declaration":
        return ast.typeParameters.length === 0 ? asItIs : null
      default:
        return asItIs
    }
  }

  private array({ elements, rest }: SchemaAST.Arrays): Encode | null {
    const [item] = rest
    if (item === undefined || elements.length > 0 || rest.length > 1) return null
    const encode = this.encode(item)
    return encode === asItIs ? asItIs : (value) => (value as ReadonlyArray<unknown>).map((one) => encode(one))
  }

  private record({ indexSignatures }: SchemaAST.Objects): Encode | null {
    const isPlain = indexSignatures.every(
      ({ parameter, type }) => parameter.encoding === undefined && this.encode(type) === asItIs
    )
    return isPlain ? asItIs : null
  }

  private struct({ indexSignatures, propertySignatures }: SchemaAST.Objects): Encode | null {
    if (indexSignatures.length > 0) return null
    const fields: Array<{ readonly name: string; readonly encode: Encode }> = []
    for (const { name, type } of propertySignatures) {
      if (typeof name !== "string" || mayComeOfNothing(type)) return null
      fields.push({ name, encode: this.encode(type) })
    }
    return (value) => {
      const from = value as Readonly<Record<string, unknown>>
      const written: Record<string, unknown> = {}
      for (const { encode, name } of fields) {
        const field = from[name]
        if (field !== undefined) written[name] = encode === asItIs ? field : encode(field)
      }
      return written
    }
  }

  private union({ types }: SchemaAST.Union): Encode | null {
    const members = types.filter((ast) => !isPrimitive(ast))
    if (types.every((ast) => this.encode(ast) === asItIs)) return asItIs
    if (!members.every((ast) => objects.has(sourceOf(ast)._tag))) return null
    const [only, ...others] = members
    if (only !== undefined && others.length === 0) {
      const encode = this.encode(only)
      return (value) => (isObject(value) ? encode(value) : value)
    }
    const tag = tagOf(members)
    if (tag === undefined) return null
    const byTag = new Map(members.map((ast) => [literalsOf(ast).get(tag), this.encode(ast)]))
    return (value) => {
      if (!isObject(value)) return value
      const encode = byTag.get(value[tag])
      if (encode === undefined) throw new TypeError(`The schema has no case with the ${tag} ${String(value[tag])}.`)
      return encode(value)
    }
  }
}

/** Compiles an encoder from a schema that does not validate its input, because domain values are validated on creation. */
export const uncheckedEncoder = (schema: Schema.Top): Encode => new Compiler().encode(SchemaAST.flip(schema.ast))
