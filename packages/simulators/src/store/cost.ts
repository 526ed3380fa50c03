import { Predicate } from "effect"
import {
  type DocumentNode,
  type FieldNode,
  getNamedType,
  type GraphQLCompositeType,
  type GraphQLSchema,
  isCompositeType,
  isListType,
  isNullableType,
  isObjectType,
  isInterfaceType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode
} from "graphql"

const mutationCost = 10
const connectionCost = 2

type Variables = Readonly<Record<string, unknown>>

const argumentOf = (field: FieldNode, name: string, variables: Variables): unknown => {
  const value = field.arguments?.find((argument) => argument.name.value === name)?.value
  if (value === undefined) return undefined
  if (value.kind === Kind.VARIABLE) return variables[value.name.value]
  if (value.kind === Kind.INT) return Number(value.value)
  return value.kind === Kind.LIST ? value.values : undefined
}

const isLeftOut = (field: FieldNode | SelectionSetNode["selections"][number], variables: Variables): boolean =>
  (field.directives ?? []).some((directive) => {
    const value = directive.arguments?.[0]?.value
    const isSet =
      value?.kind === Kind.VARIABLE ? variables[value.name.value] === true : value?.kind === Kind.BOOLEAN && value.value
    return directive.name.value === "include" ? !isSet : directive.name.value === "skip" && isSet
  })

/** Returns the maximum cost of a call: 1 point per object, requested size times item cost per list, 10 per mutation. */
export const requestedCost = (
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables
): number => {
  const fragments = new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : []
    )
  )

  const ofSelections = (selections: SelectionSetNode, type: GraphQLCompositeType): number =>
    selections.selections.reduce((sum, selection) => {
      if (isLeftOut(selection, variables)) return sum
      if (selection.kind === Kind.FIELD) return sum + ofField(selection, type)
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        const inner = selection.typeCondition && schema.getType(selection.typeCondition.name.value)
        return sum + ofSelections(selection.selectionSet, isCompositeType(inner) ? inner : type)
      }
      const fragment = fragments.get(selection.name.value)
      const inner = fragment && schema.getType(fragment.typeCondition.name.value)
      return fragment && isCompositeType(inner) ? sum + ofSelections(fragment.selectionSet, inner) : sum
    }, 0)

  const ofField = (field: FieldNode, parent: GraphQLCompositeType): number => {
    const definition =
      isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[field.name.value] : undefined
    if (definition === undefined || field.selectionSet === undefined) return 0
    const named = getNamedType(definition.type)
    if (!isCompositeType(named)) return 0
    const first = argumentOf(field, "first", variables)
    const ids = argumentOf(field, "ids", variables)
    const inner = ofSelections(field.selectionSet, named)
    if (named.name.endsWith("Connection")) {
      return connectionCost + (Predicate.isNumber(first) ? first : 1) * inner
    }
    // Edges and nodes are counted by the connection that they are in.
    if (parent.name.endsWith("Connection"))
      return field.name.value === "pageInfo" ? 0 : inner + (named.name.endsWith("Edge") ? 0 : 1)
    if (parent.name.endsWith("Edge")) return inner + 1
    const nullable = isNullableType(definition.type) ? definition.type : definition.type.ofType
    const many = Array.isArray(ids) ? ids.length : isListType(nullable) ? (Predicate.isNumber(first) ? first : 10) : 1
    return many * (inner + 1)
  }

  const root = schema.getRootType(operation.operation)
  if (root == null) return 0
  return operation.operation === "mutation"
    ? mutationCost * operation.selectionSet.selections.length
    : ofSelections(operation.selectionSet, root)
}

/** Returns the actual cost of a call: one point per returned object. */
export const actualCost = (data: unknown, requested: number): number => {
  const count = (value: unknown): number => {
    if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + count(each), 0)
    if (!Predicate.isObject(value)) return 0
    return Object.values(value).reduce<number>((sum, each) => sum + count(each), 1)
  }
  return Math.min(requested, count(data))
}
