import { Predicate, Stream } from "effect"
import {
  type DocumentNode,
  executeSync,
  getNamedType,
  type GraphQLSchema,
  Kind,
  parse,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo
} from "graphql"
import { makeNodes } from "./nodes.ts"
import type { Collection } from "./Records.ts"
import { filterIn } from "./search.ts"
import type { BulkOperation, Shop } from "./World.ts"

const collections: ReadonlyArray<Collection> = ["customers", "orders", "products", "abandonedCheckouts"]

const mostConnections = 5
const mostDepth = 2

/** The reason to refuse the connections of an export; `null` without one. */
const tooManyConnections = (schema: GraphQLSchema, document: DocumentNode): string | null => {
  const types = new TypeInfo(schema)
  const isConnection = () => getNamedType(types.getType())?.name.endsWith("Connection") === true
  let [count, depth, deepest] = [0, 0, 0]
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: {
        enter: () => {
          if (!isConnection()) return
          count += 1
          depth += 1
          deepest = Math.max(deepest, depth)
        },
        leave: () => {
          if (isConnection()) depth -= 1
        }
      }
    })
  )
  if (deepest > mostDepth) {
    return `Bulk queries cannot contain connections with a nesting depth greater than ${mostDepth}.`
  }
  return count > mostConnections ? `Bulk queries cannot contain more than ${mostConnections} connections.` : null
}

/** Content of an export, or the reason for a refusal. */
export const exportIn = (
  schema: GraphQLSchema,
  query: string
): { readonly kind: Collection; readonly document: DocumentNode; readonly search: string | null } | string => {
  const document = ((): DocumentNode | string => {
    try {
      return parse(query)
    } catch (thrown) {
      return String(thrown)
    }
  })()
  if (Predicate.isString(document)) return document
  const [error] = validate(schema, document)
  if (error !== undefined) return error.message
  const [operation] = document.definitions
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return "Invalid bulk query: there is no operation."
  if ((operation.variableDefinitions ?? []).length > 0)
    return "Invalid bulk query: Bulk queries cannot contain variables."
  const [root, ...more] = operation.selectionSet.selections
  if (root?.kind !== Kind.FIELD || more.length > 0) {
    return "Invalid bulk query: Bulk queries cannot contain multiple top level fields."
  }
  const kind = collections.find((name) => name === root.name.value)
  if (kind === undefined) return "Invalid bulk query: Bulk queries must contain at least one connection."
  const excess = tooManyConnections(schema, document)
  if (excess !== null) return excess
  const value = root.arguments?.find((argument) => argument.name.value === "query")?.value
  return { kind, document, search: value?.kind === Kind.STRING ? value.value : null }
}

// Lines of nested records follow the line of their parent.
const linesOf = (node: object, parent: string | null): ReadonlyArray<string> => {
  const inner: Array<string> = []
  const own: Record<string, unknown> = {}
  const id: unknown = Reflect.get(node, "id")
  for (const [key, value] of Object.entries(node)) {
    const edges: unknown = Predicate.isObject(value) ? Reflect.get(value, "edges") : undefined
    if (!Array.isArray(edges)) {
      own[key] = value
      continue
    }
    for (const edge of edges) {
      const below: unknown = Predicate.isObject(edge) ? Reflect.get(edge, "node") : undefined
      if (Predicate.isObject(below)) inner.push(...linesOf(below, String(id)))
    }
  }
  return [JSON.stringify(parent === null ? own : { ...own, __parentId: parent }), ...inner]
}

const searchOf = (search: string | null, { createdFrom }: BulkOperation) => {
  const filter = filterIn(search)
  return createdFrom === null ? filter : { ...filter, createdFrom: Math.max(createdFrom, filter.createdFrom ?? 0) }
}

const atOnce = 100
const marksEvery = 20

/** Whether a field of the document is refused to the app: then an export of it fails. */
export const isRefused = (schema: GraphQLSchema, shop: Shop, operation: BulkOperation): boolean => {
  const { value } = records(schema, shop, operation, 0).next()
  return value === "refused"
}

function* records(schema: GraphQLSchema, shop: Shop, operation: BulkOperation, afterId: number) {
  const asked = exportIn(schema, operation.query)
  if (Predicate.isString(asked)) return
  const nodes = makeNodes(shop, operation.shelves)
  const all = nodes.stream(asked.kind, searchOf(asked.search, operation), { at: 0, id: afterId }, "id")
  for (;;) {
    const batch = Array.from({ length: atOnce }, () => all.next()).flatMap(({ done, value }) =>
      done === true ? [] : [value]
    )
    if (batch.length === 0) return
    const result = executeSync({
      schema,
      document: asked.document,
      rootValue: { [asked.kind]: () => ({ edges: batch.map(({ node }) => ({ node })) }) }
    })
    if ((result.errors ?? []).length > 0) {
      yield "refused" as const
      return
    }
    const field: unknown = Predicate.isObject(result.data) ? Object.values(result.data)[0] : undefined
    const edges: unknown = Predicate.isObject(field) ? Reflect.get(field, "edges") : undefined
    if (!Array.isArray(edges)) return
    for (const [index, edge] of edges.entries()) {
      const node: unknown = Predicate.isObject(edge) ? Reflect.get(edge, "node") : undefined
      const id = batch[index]?.row.id ?? 0
      if (Predicate.isObject(node)) yield { id, text: `${linesOf(node, null).join("\n")}\n` }
    }
  }
}

const encoder = new TextEncoder()

/** Returns this number of bytes of an export from an offset, fewer at the end. Only some record offsets are stored. */
export const bytesOf = (
  schema: GraphQLSchema,
  shop: Shop,
  operation: BulkOperation,
  from: number,
  most: number
): Uint8Array => {
  const start = operation.marks.findLast(({ byte }) => byte <= from) ?? { byte: 0, afterId: -1 }
  const pieces: Array<Uint8Array> = []
  let byte = start.byte
  let count = 0
  for (const record of records(schema, shop, operation, start.afterId)) {
    if (record === "refused") break
    const piece = encoder.encode(record.text)
    const next = byte + piece.length
    if (next > from) pieces.push(piece.subarray(Math.max(0, from - byte), Math.min(piece.length, from + most - byte)))
    byte = next
    count += 1
    const last = operation.marks.at(-1)?.byte ?? 0
    if (count % marksEvery === 0 && byte > last) operation.marks.push({ byte, afterId: record.id })
    if (byte >= from + most) break
  }
  return Buffer.concat(pieces)
}

/** The whole of an export, as it is made. */
export const wholeOf = (schema: GraphQLSchema, shop: Shop, operation: BulkOperation): Stream.Stream<Uint8Array> =>
  Stream.fromIterable(
    records(schema, shop, operation, -1).map((record) => encoder.encode(record === "refused" ? "" : record.text))
  )

/** Number of records of an export. */
export const countOf = (schema: GraphQLSchema, shop: Shop, operation: BulkOperation): number => {
  const asked = exportIn(schema, operation.query)
  if (Predicate.isString(asked)) return 0
  const filter = searchOf(asked.search, operation)
  const catalog = operation.shelves[asked.kind]
  if (filter.createdFrom === null && filter.updatedFrom === null) return catalog.size
  return makeNodes(shop, operation.shelves)
    .stream(asked.kind, filter, null, "id")
    .reduce((sum: number) => sum + 1, 0)
}
