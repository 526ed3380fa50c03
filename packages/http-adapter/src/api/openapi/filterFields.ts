import { contactFilterOperators, operatorsInWords } from "@parley/domain"
import { type JsonSchema, Predicate } from "effect"

type Schemas = Readonly<Record<string, JsonSchema.JsonSchema>>

const described = (schema: unknown, description: string): unknown =>
  Predicate.isObject(schema) ? { ...schema, description } : schema

/** Says of filters which fields they have, and how those compare: those of all areas, which the schema of a filter does not know. */
export const withFilterFields = (schemas: Schemas): Schemas => {
  const { ContactFilter: filter } = schemas
  if (filter === undefined || !Predicate.isObject(filter["properties"])) return schemas
  const { field, op } = filter["properties"] as Readonly<Record<string, unknown>>
  const names = Object.keys(contactFilterOperators)
  const properties = {
    ...filter["properties"],
    field: described(field, `What a condition looks at: ${names.join(", ")}.`),
    op: described(op, operatorsInWords(contactFilterOperators))
  }
  return { ...schemas, ContactFilter: { ...filter, properties } }
}
