// Holds calls, and the part of the schema that is simulated, to the schema that the provider publishes.
import { buildSchema, isInputObjectType, isEnumType, isInterfaceType, isObjectType, parse, validate } from "graphql"
import { readFileSync } from "node:fs"
import { publishedSchema } from "./published.mjs"

const { apiVersion, documents, simulated } = JSON.parse(readFileSync(process.argv[2], "utf8"))

const published = publishedSchema(apiVersion)

const faults = documents.flatMap(({ document, name }) =>
  validate(published, parse(document)).map(({ message }) => `${name}: ${message}`)
)

// Codes of countries and currencies are plain texts in the simulator.
const written = (type) => String(type).replace(/\b(?:CurrencyCode|CountryCode)\b/gu, "String")

const differences = []
for (const type of Object.values(buildSchema(simulated).getTypeMap())) {
  if (type.name.startsWith("__")) continue
  const real = published.getType(type.name)
  if (real === undefined) differences.push(`There is no ${type.name}.`)
  else if (isEnumType(type)) {
    const known = new Set(real.getValues().map(({ name }) => name))
    for (const { name } of type.getValues()) if (!known.has(name)) differences.push(`There is no ${type.name}.${name}.`)
  } else if (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)) {
    const fields = real.getFields()
    for (const field of Object.values(type.getFields())) {
      const other = fields[field.name]
      if (other === undefined) differences.push(`There is no ${type.name}.${field.name}.`)
      else if (written(other.type) !== String(field.type)) {
        differences.push(`${type.name}.${field.name} is ${other.type}, and not ${field.type}.`)
      }
      for (const argument of field.args ?? []) {
        const known = other?.args.find(({ name }) => name === argument.name)
        if (known === undefined || String(known.type) !== String(argument.type)) {
          differences.push(`${type.name}.${field.name} has no argument ${argument.name} of ${argument.type}.`)
        }
      }
    }
  }
}

process.stdout.write(JSON.stringify({ faults, differences }))
