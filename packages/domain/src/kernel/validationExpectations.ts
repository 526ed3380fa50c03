import { SchemaAST } from "effect"

/** Returns the JSON encoding of a schema node. */
const toEncodedAst = (ast: SchemaAST.AST): SchemaAST.AST => {
  const encoded = SchemaAST.toEncoded(ast)
  return SchemaAST.isSuspend(encoded) ? toEncodedAst(encoded.thunk()) : encoded
}

/** Returns the choices of a schema. Nested choices are flattened. */
export const toChoices = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  const encoded = toEncodedAst(ast)
  return SchemaAST.isUnion(encoded) ? encoded.types.flatMap(toChoices) : [encoded]
}

/** A query spells out the two boolean values. */
const isBooleanPair = (literals: ReadonlyArray<string>) => literals.length === 2 && literals.join() === "true,false"

/** Maximum length of listed choices in a message. */
const maxListLength = 800

/** Lists choices. A list that is too long ends with the number of the others. */
export const listChoices = (choices: ReadonlyArray<string>): string => {
  let length = 0
  const shown = choices.filter((choice) => (length += choice.length + 2) <= maxListLength)
  const others = choices.length - shown.length
  return others === 0 ? shown.join(", ") : `${shown.join(", ")} and ${others} more`
}

const literalValues = (ast: SchemaAST.AST): ReadonlyArray<string> | null => {
  const choices = toChoices(ast)
  return choices.every(SchemaAST.isLiteral) ? choices.map(({ literal }) => String(literal)) : null
}

/** Field that distinguishes the objects of a choice, with its values. */
export interface Discriminator {
  readonly name: string
  readonly values: ReadonlyArray<string>
}

/** Finds the discriminator of a choice, if any. */
export const findDiscriminator = (choices: ReadonlyArray<SchemaAST.AST>): Discriminator | null => {
  const objects = choices.filter(SchemaAST.isObjects)
  const [first] = objects
  if (first === undefined || objects.length < 2) return null
  for (const { name } of first.propertySignatures) {
    const values = objects.map(({ propertySignatures }) => {
      const field = propertySignatures.find((field) => field.name === name)
      return field === undefined || SchemaAST.isOptional(field.type) ? null : literalValues(field.type)
    })
    if (values.every((each) => each !== null)) return { name: String(name), values: [...new Set(values.flat())] }
  }
  return null
}

const typeNoun = (ast: SchemaAST.AST): string | null => {
  switch (ast._tag) {
    case "String":
    case "TemplateLiteral":
      return "a text"
    case "Number":
      return "a number"
    case "Boolean":
      return "true or false"
    case "Arrays":
      return "a list"
    case "Objects":
      return "an object"
    case "Null":
      return "null"
    case "Undefined":
    case "Void":
    case "Never":
      return "nothing"
    default:
      return null
  }
}

/** Returns the texts that a value can be; `null` if other values are possible. */
export const textChoices = (ast: SchemaAST.AST): ReadonlyArray<string> | null => literalValues(ast)

/** Describes the expected value in plain words. */
export const describeExpected = (ast: SchemaAST.AST): string => {
  const choices = toChoices(ast).filter((choice) => !SchemaAST.isUndefined(choice))
  const literals = choices.filter(SchemaAST.isLiteral).map(({ literal }) => String(literal))
  const nouns = [...new Set(choices.map(typeNoun).filter((noun) => noun !== null))]
  const named =
    literals.length < 2 ? literals : [isBooleanPair(literals) ? "true or false" : `one of: ${listChoices(literals)}`]
  const all = [...nouns.filter((noun) => noun !== "null"), ...named, ...nouns.filter((noun) => noun === "null")]
  return all.length === 0 ? "Expected another value" : `Expected ${all.join(", or ")}`
}

/** Returns the possible field names of an object. */
export const fieldNames = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  toChoices(ast)
    .filter(SchemaAST.isObjects)
    .flatMap(({ propertySignatures }) => propertySignatures.map(({ name }) => String(name)))
