import { Predicate, Schema } from "effect"
import { idParameter, type Operation, type Parameter, type Ref, type Reflected, refTo } from "../../api/describe.ts"
import { Idempotent, InOnlyOrganization, InOrganization } from "../../api/middleware.ts"
import type { parameters as shared } from "./headers.ts"
import { tidy } from "./schemas.ts"

const point = (name: keyof typeof shared) => refTo("parameters", name)

const sharedOf = ({ behind }: Reflected): ReadonlyArray<Ref> => [
  ...(behind.has(InOrganization.key) ? [point("OrganizationId")] : []),
  ...(behind.has(InOnlyOrganization.key) ? [point("OnlyOrganizationId")] : []),
  ...(behind.has(Idempotent.key) ? [point("IdempotencyKey")] : []),
  point("RequestId")
]

/** Meaning of a parameter, independent of its form in a request. */
const meaningOf = (schema: Schema.Top | undefined, name: string) => {
  if (schema === undefined) return {}
  const { properties } = Schema.toJsonSchemaDocument(Schema.toType(schema)).schema
  const meaning = Predicate.hasProperty(properties, name) ? properties[name] : undefined
  return Predicate.isObject(meaning) ? tidy(meaning, (component) => component) : {}
}

const slots = { path: "params", query: "query", header: "headers" } as const

const isSlot = (place: string): place is keyof typeof slots => place in slots

const headerNames: Readonly<Record<string, string>> = {
  "if-match": "If-Match",
  "last-event-id": "Last-Event-ID"
}

const numeric = /^(?:integer|number|boolean)$/

const saidIn = (meaning: object, keyword: string): unknown => {
  const parts = Predicate.hasProperty(meaning, "allOf") && Array.isArray(meaning.allOf) ? meaning.allOf : []
  return [meaning, ...parts].map((part) => (Predicate.isObject(part) ? part[keyword] : undefined)).find(Boolean)
}

/** The component that a structure is. */
const structureIn = (meaning: object): Parameter["schema"] | undefined => {
  const ref = saidIn(meaning, "$ref")
  return typeof ref === "string" ? { $ref: ref.replace("#/$defs/", "#/components/schemas/") } : undefined
}

/** Structured parameters are JSON in a URL. */
const asText = (schema: Parameter["schema"], meaning: object): Parameter["schema"] =>
  "$ref" in schema
    ? { type: "string", contentMediaType: "application/json", contentSchema: structureIn(meaning) ?? schema }
    : schema

/** The name of a parameter in the document, and in the typed client if it differs. */
const namesOf = ({ in: place, name }: Parameter, path: string): Pick<Parameter, "name" | "x-client-name"> => {
  if (place === "header") return { name: headerNames[name] ?? name }
  const documented = place === "path" && name === "id" ? idParameter(path) : name
  return documented === name ? { name } : { name: documented, "x-client-name": name }
}

const described = (parameter: Parameter, { endpoint }: Reflected): Parameter => {
  const meaning = meaningOf(isSlot(parameter.in) ? endpoint[slots[parameter.in]] : undefined, parameter.name)
  const { description: written, ...schema } = parameter.schema
  const description = saidIn(meaning, "description") ?? written
  const { description: _, ...plain } = meaning
  const isPlain = parameter.in === "query" && typeof plain.type === "string" && numeric.test(plain.type)
  return {
    ...parameter,
    ...namesOf(parameter, endpoint.path),
    ...(typeof description === "string" && { description }),
    schema: isPlain ? plain : asText(schema, meaning)
  }
}

/**
 * Parameters whose names are known by their pattern only are one parameter to OpenAPI: an object that is spelled as
 * `form` and exploded, so that each of its properties is a parameter of the query.
 */
const namedByPattern = ({ endpoint }: Reflected): ReadonlyArray<Parameter> => {
  if (endpoint.query === undefined) return []
  const { patternProperties } = Schema.toJsonSchemaDocument(Schema.toType(endpoint.query)).schema
  if (!Predicate.isObject(patternProperties)) return []
  return Object.entries(patternProperties).flatMap(([pattern, property]) =>
    Predicate.isObject(property)
      ? [
          {
            name: /^\^?([a-z]+)/u.exec(pattern)?.[1] ?? pattern,
            in: "query",
            required: false,
            ...(typeof property.description === "string" && { description: property.description }),
            style: "form",
            explode: true,
            schema: { type: "object", patternProperties: { [pattern]: property }, additionalProperties: false }
          }
        ]
      : []
  )
}

/** The type of a body stands where the body is described: to OpenAPI it is no parameter. */
const isOfBody = ({ in: place, name }: Parameter) => place === "header" && name === "content-type"

const isParameter = (parameter: Parameter | Ref): parameter is Parameter => "name" in parameter && !isOfBody(parameter)

/** Describes the parameters of a call, and adds shared ones. */
export const withParameters = (operation: Operation, reflected: Reflected): Operation => ({
  ...operation,
  parameters: [
    ...operation.parameters.filter(isParameter).map((parameter) => described(parameter, reflected)),
    ...namedByPattern(reflected),
    ...sharedOf(reflected)
  ]
})
