// Checks answers of the simulator with the schema that the provider publishes: fields, types, nullability, enums and scalars.
import {
  getNamedType,
  getOperationAST,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isAbstractType,
  isScalarType,
  parse
} from "graphql"
import { readFileSync } from "node:fs"
import { publishedSchema } from "./published.mjs"

const { apiVersion, answers, exports } = JSON.parse(readFileSync(process.argv[2], "utf8"))
const schema = publishedSchema(apiVersion)
const faults = new Set()
const seen = new Set()

const forms = {
  ID: (value) => typeof value === "string" && /^gid:\/\/shopify\/\w+\/\d+$/u.test(value),
  String: (value) => typeof value === "string",
  Int: (value) => Number.isInteger(value) && Math.abs(value) < 2 ** 31,
  Boolean: (value) => typeof value === "boolean",
  DateTime: (value) => typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/u.test(value),
  Decimal: (value) => typeof value === "string" && /^-?\d+(?:\.\d+)?$/u.test(value),
  Money: (value) => typeof value === "string" && /^-?\d+(?:\.\d+)?$/u.test(value),
  URL: (value) => typeof value === "string" && URL.canParse(value),
  UnsignedInt64: (value) => typeof value === "string" && /^\d+$/u.test(value)
}

const fault = (path, reason) => faults.add(`${path}: ${reason}`)

/** The types that an object can have: the type of the field, or the type of a fragment with all its fields. */
const selectedFields = (type, selectionSet, value) => {
  const fields = []
  for (const selection of selectionSet.selections) {
    if (selection.kind === "Field") fields.push([type, selection])
    else {
      const inner = selection.typeCondition ? schema.getType(selection.typeCondition.name.value) : type
      const matches = inner === type || isAbstractType(inner) || Object.keys(value).length > 0
      if (matches) fields.push(...selectedFields(inner, selection.selectionSet, value))
    }
  }
  return fields
}

const checkObject = (type, value, selectionSet, path) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return fault(path, "is no object")
  const known = new Set()
  for (const [owner, field] of selectedFields(type, selectionSet, value)) {
    const name = field.alias?.value ?? field.name.value
    known.add(name)
    if (!(name in value)) fault(`${path}.${name}`, "is missing")
    else check(owner.getFields()[field.name.value].type, value[name], field.selectionSet, `${path}.${name}`)
  }
  for (const name of Object.keys(value)) if (!known.has(name)) fault(`${path}.${name}`, "was not asked for")
}

const check = (type, value, selectionSet, path) => {
  if (isNonNullType(type)) {
    if (value === null) return fault(path, `is null, and ${type} is not nullable`)
    return check(type.ofType, value, selectionSet, path)
  }
  if (value === null) return
  if (isListType(type)) {
    if (!Array.isArray(value)) return fault(path, "is no list")
    for (const each of value) check(type.ofType, each, selectionSet, `${path}[]`)
    return
  }
  seen.add(`${path} ${getNamedType(type)}`)
  if (isEnumType(type)) {
    if (type.getValue(value) === undefined) fault(path, `${value} is no ${type}`)
  } else if (isScalarType(type)) {
    const form = forms[type.name]
    if (form === undefined) fault(path, `${type} has no check`)
    else if (!form(value)) fault(path, `${JSON.stringify(value)} is no ${type}`)
  } else if (isObjectType(type) || isAbstractType(type)) checkObject(type, value, selectionSet, path)
}

for (const { document, data, errors } of answers) {
  const operation = getOperationAST(parse(document))
  const root = schema.getRootType(operation.operation)
  if (data === null || data === undefined) {
    if (errors.length === 0) fault(operation.name?.value ?? "query", "has neither data nor errors")
    continue
  }
  // An error makes the nearest nullable field null, so a field that is not nullable is never null.
  checkObject(root, data, operation.selectionSet, operation.name?.value ?? "query")
}

// A line of an export has the fields of its node, without the connections in it.
for (const { document, lines } of exports) {
  const [connection] = parse(document).definitions[0].selectionSet.selections
  const nodeOf = (field) => field.selectionSet.selections[0].selectionSet.selections[0].selectionSet
  const connectionType = getNamedType(schema.getQueryType().getFields()[connection.name.value].type)
  const typeIn = (type) => getNamedType(getNamedType(type.getFields().edges.type).getFields().node.type)
  const rootType = typeIn(connectionType)
  const all = nodeOf(connection).selections
  const isConnection = (field) => field.selectionSet?.selections[0]?.name?.value === "edges"
  const rootSelection = { selections: all.filter((field) => !isConnection(field)) }
  const inner = all.find(isConnection)
  const innerType = inner && typeIn(getNamedType(rootType.getFields()[inner.name.value].type))
  for (const { __parentId: parent, ...line } of lines) {
    if (parent === undefined) checkObject(rootType, line, rootSelection, `export.${connection.name.value}`)
    else checkObject(innerType, line, nodeOf(inner), `export.${connection.name.value}.${inner.name.value}`)
  }
}

process.stdout.write(JSON.stringify({ faults: [...faults], checked: seen.size }))
