import { type JsonSchema, Predicate, Schema } from "effect"
import { codeOf, problemJson } from "../problem.ts"
import { problems } from "../problems.ts"
import { type Answer, type Example, type Media, type Operation, refTo } from "./Document.ts"
import { encodeExample } from "./encodeExample.ts"
import { problems as samples } from "./examples/index.ts"
import type { Reflected } from "./reflectApi.ts"
import { headersOf } from "./answerHeaders.ts"

type Json = JsonSchema.JsonSchema
type Schemas = Readonly<Record<string, Json>>

const samplesByTag: Readonly<Record<string, unknown>> = samples

/** An example for every error code. */
export const problemExamples = (): Readonly<Record<string, Example>> =>
  Object.fromEntries(
    Object.entries(problems).map(([tag, schema]) => [codeOf(tag), { value: encodeExample(schema, samplesByTag[tag]) }])
  )

const edge = {
  InternalError: { status: "500", schema: problems.InternalError },
  PayloadTooLarge: { status: "413", schema: problems.PayloadTooLarge },
  UnsupportedMediaType: { status: "415", schema: problems.UnsupportedMediaType }
} as const

type EdgeFailure = keyof typeof edge

/** The schemas of the failures that the edge gives on its own, wherever they can occur. */
export const edgeSchemas = (): Schemas =>
  Object.fromEntries(
    Object.values(edge).flatMap(({ schema }) =>
      Object.entries(Schema.toJsonSchemaDocument(Schema.toEncoded(schema)).definitions)
    )
  )

const failuresOf = ({ endpoint, method }: Reflected): ReadonlyArray<EdgeFailure> => [
  ...(method === "get" ? [] : (["PayloadTooLarge"] as const)),
  ...(endpoint.payload.size === 0 ? [] : (["UnsupportedMediaType"] as const)),
  "InternalError"
]

const only = (schema: Json | undefined, property: string) => {
  const properties = schema?.properties
  const found = Predicate.hasProperty(properties, property) ? properties[property] : undefined
  const values = Predicate.hasProperty(found, "enum") && Array.isArray(found.enum) ? found.enum : []
  return String(values[0])
}

const variantsOf = (media: Media, schemas: Schemas): ReadonlyArray<Json | undefined> => {
  const variants: ReadonlyArray<Json> = Array.isArray(media.schema.anyOf) ? media.schema.anyOf : [media.schema]
  return variants.map(({ $ref }) =>
    typeof $ref === "string" ? schemas[$ref.slice($ref.lastIndexOf("/") + 1)] : undefined
  )
}

const explained = (media: Media, schemas: Schemas) => {
  const variants = variantsOf(media, schemas)
  const codes = variants.map((variant) => only(variant, "code"))
  return {
    description: variants.map((variant) => `${only(variant, "title")}.`).join(" "),
    media: { ...media, examples: Object.fromEntries(codes.map((code) => [code, refTo("examples", code)])) }
  }
}

const isRetryable = (media: Media, schemas: Schemas) =>
  variantsOf(media, schemas).some((variant) => Predicate.hasProperty(variant?.properties, "retryAfterSeconds"))

/** A failure with its words, its examples and its headers. */
export const withProblem = (status: string, answer: Answer, schemas: Schemas, reflected: Reflected | null): Answer => {
  const problem = answer.content?.[problemJson]
  if (problem === undefined) return answer
  const { description, media } = explained(problem, schemas)
  return {
    description,
    headers: headersOf({ status, isRetryable: isRetryable(problem, schemas) }, reflected),
    content: { [problemJson]: media }
  }
}

/** The failures of the edge, each said once. */
export const edgeAnswers = (schemas: Schemas): Readonly<Record<string, Answer>> =>
  Object.fromEntries(
    Object.entries(edge).map(([tag, { status }]) => {
      const schema = refTo("schemas", `${tag}Problem`)
      return [tag, withProblem(status, { description: "", content: { [problemJson]: { schema } } }, schemas, null)]
    })
  )

/** Replaces what the contract says of the edge's failures with where they can really occur. */
export const withEdgeFailures = (operation: Operation, reflected: Reflected): Operation => {
  const statuses = new Set<string>(Object.values(edge).map(({ status }) => status))
  const own = Object.entries(operation.responses).filter(([status]) => !statuses.has(status))
  const shared = failuresOf(reflected).map((tag) => [edge[tag].status, refTo("responses", tag)] as const)
  return { ...operation, responses: Object.fromEntries([...own, ...shared]) }
}
