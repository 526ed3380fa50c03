import { jsonShape, type Permission, findKeyShownWith, findObjectShownWith } from "@parley/domain/kernel"
import { Schema, SchemaAST } from "effect"

/** A text, or any JSON, in an answer or an event. */
export interface FreeText {
  /** The component and the field, as in `Contact.name`. */
  readonly name: string
  /** Permissions that are required to see it. */
  readonly shownWith: ReadonlySet<Permission>
}

const jsonRepresentation = Schema.Json.ast.annotations?.["representation"]

const isJson = (ast: SchemaAST.AST) =>
  SchemaAST.isDeclaration(ast) && ast.annotations?.["representation"] === jsonRepresentation

const annotationsOf = (ast: SchemaAST.AST) => [ast, ...(ast.checks ?? [])].map(({ annotations }) => annotations)

const isId = (ast: SchemaAST.AST) => annotationsOf(ast).some((annotations) => annotations?.["format"] === "uuid")

/** Ids and times are not user text. */
const isFreeText = (ast: SchemaAST.AST): boolean =>
  isJson(ast) ||
  (ast.encoding === undefined && (SchemaAST.isTemplateLiteral(ast) || (SchemaAST.isString(ast) && !isId(ast))))

const identifierOf = (ast: SchemaAST.AST) =>
  annotationsOf(ast)
    .map((annotations) => annotations?.["identifier"])
    .find((identifier) => typeof identifier === "string")

const isTime = (ast: SchemaAST.AST): boolean =>
  ast.encoding !== undefined &&
  annotationsOf(jsonShape(ast)).some((annotations) => annotations?.["format"] === "date-time")

/** All texts that a value of the schema can contain. */
export const freeTextsOf = (schema: Schema.Top, rootName: string): ReadonlyArray<FreeText> =>
  findFields(schema, rootName, isFreeText)

/** All times that a value of the schema can contain. */
export const timesOf = (schema: Schema.Top, rootName: string): ReadonlyArray<FreeText> =>
  findFields(schema, rootName, isTime)

const findFields = (
  { ast: root }: Schema.Top,
  rootName: string,
  isWanted: (ast: SchemaAST.AST) => boolean
): ReadonlyArray<FreeText> => {
  const found: Array<FreeText> = []
  const visit = (
    ast: SchemaAST.AST,
    name: string,
    before: ReadonlySet<Permission>,
    above: ReadonlyArray<SchemaAST.AST>
  ): void => {
    if (above.includes(ast)) return
    const within = [...above, ast]
    const shape = jsonShape(ast)
    const whole = [...(findObjectShownWith(ast)?.permissions ?? []), ...(findObjectShownWith(shape)?.permissions ?? [])]
    const shownWith = new Set([...before, ...whole])
    const identifier = identifierOf(ast) ?? identifierOf(shape)
    const isComponent = identifier !== undefined && (SchemaAST.isObjects(shape) || SchemaAST.isUnion(shape))
    const here = isComponent ? identifier : name
    if (isWanted(ast)) found.push({ name: here, shownWith })
    switch (shape._tag) {
      case "Objects":
        for (const { name: field, type } of shape.propertySignatures) {
          const ofKey = findKeyShownWith(type)?.permissions ?? []
          visit(type, `${here}.${String(field)}`, new Set([...shownWith, ...ofKey]), within)
        }
        for (const { type } of shape.indexSignatures) visit(type, `${here}.*`, shownWith, within)
        break
      case "Arrays":
        for (const item of [...shape.elements, ...shape.rest]) visit(item, here, shownWith, within)
        break
      case "Union":
        for (const member of shape.types) visit(member, here, shownWith, within)
        break
      case "Suspend":
        visit(shape.thunk(), here, shownWith, within)
        break
      default:
    }
  }
  visit(root, rootName, new Set(), [])
  return found
}
