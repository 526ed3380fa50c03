// Writes one document for each query of the simulated schema, with every field that can be reached without a cycle.
import { buildSchema, getNamedType, getNullableType, isAbstractType, isLeafType } from "graphql"
import { readFileSync } from "node:fs"

const { simulated } = JSON.parse(readFileSync(process.argv[2], "utf8"))
const schema = buildSchema(simulated)

const selectionOf = (type, above) => {
  if (isAbstractType(type)) {
    const kinds = schema.getPossibleTypes(type).filter((kind) => !above.includes(kind.name))
    return kinds.map((kind) => `... on ${kind.name} { ${selectionOf(kind, [...above, kind.name])} }`).join(" ")
  }
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const named = getNamedType(field.type)
    const size = field.args.some(({ name }) => name === "first") ? "(first: 2)" : ""
    if (isLeafType(named)) return [`${field.name}${size}`]
    if (above.includes(named.name)) return []
    const inner = selectionOf(named, [...above, named.name])
    return inner === "" ? [] : [`${field.name}${size} { ${inner} }`]
  })
  return fields.join(" ")
}

// Records are read by their ids, each type alone: fields of two types can conflict.
const records = ["AbandonedCheckout", "Customer", "Order", "Product"]

const documents = Object.values(schema.getQueryType().getFields()).flatMap((field) => {
  const given = field.args.filter(({ name }) => ["first", "id", "ids"].includes(name))
  const variables = given.map(({ name, type }) => `$${name}: ${getNullableType(type)}!`).join(", ")
  const values = given.map(({ name }) => `${name}: $${name}`).join(", ")
  const named = getNamedType(field.type)
  const documentOf = (selection) =>
    `query All_${field.name}${variables === "" ? "" : `(${variables})`} { ${field.name}${values === "" ? "" : `(${values})`} { ${selection} } }`
  if (!isAbstractType(named)) return [{ type: null, document: documentOf(selectionOf(named, [named.name])) }]
  return records.map((type) => ({
    type,
    document: documentOf(`... on ${type} { ${selectionOf(schema.getType(type), [type])} }`)
  }))
})

process.stdout.write(JSON.stringify(documents))
