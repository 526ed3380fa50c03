import { codeOf } from "@parley/domain"
import { Context, type JsonSchema, Predicate, Schema, SchemaAST } from "effect"
import { ReadsAnyType } from "../describe.ts"
import { problemJson } from "../problem.ts"
import { problems } from "../problems.ts"
import { headersOf } from "./answerHeaders.ts"
import { type Answer, type Example, isRef, type Operation, type Ref, refTo } from "./Document.ts"
import { encodeExample } from "./encodeExample.ts"
import { problems as samples } from "./examples/index.ts"
import type { Reflected } from "./reflectApi.ts"

type Json = JsonSchema.JsonSchema
type Schemas = Readonly<Record<string, Json>>

const samplesByTag: Readonly<Record<string, unknown>> = samples

/** An example for every error code. */
export const problemExamples = (): Readonly<Record<string, Example>> =>
  Object.fromEntries(
    Object.entries(problems).map(([tag, schema]) => [codeOf(tag), { value: encodeExample(schema, samplesByTag[tag]) }])
  )

const edge = {
  HeadersTooLarge: { status: "431", schema: problems.HeadersTooLarge },
  InternalError: { status: "500", schema: problems.InternalError },
  PayloadTooLarge: { status: "413", schema: problems.PayloadTooLarge },
  RequestMalformed: { status: "400", schema: problems.RequestMalformed },
  RequestTimeout: { status: "408", schema: problems.RequestTimeout },
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
  ...(endpoint.payload.size === 0 || Context.get(endpoint.annotations, ReadsAnyType)
    ? []
    : (["UnsupportedMediaType"] as const)),
  "HeadersTooLarge",
  "InternalError",
  "RequestMalformed",
  "RequestTimeout"
]

const only = (schema: Json, property: string) => {
  const { properties } = schema
  const found = Predicate.hasProperty(properties, property) ? properties[property] : undefined
  const values = Predicate.hasProperty(found, "enum") && Array.isArray(found.enum) ? found.enum : []
  return String(values[0])
}

const variantsOf = (union: Json, schemas: Schemas): ReadonlyArray<Json> => {
  const variants: ReadonlyArray<Json> = Array.isArray(union.anyOf) ? union.anyOf : [union]
  return variants.flatMap(({ $ref }) => {
    const schema = typeof $ref === "string" ? schemas[$ref.slice($ref.lastIndexOf("/") + 1)] : undefined
    return schema === undefined ? [] : [schema]
  })
}

const says = (field: string) => (variant: Json) => Predicate.hasProperty(variant.properties, field)

/** The codes that an endpoint declares of itself, besides those of the middlewares in front of it. */
const ownCodes = (reflected: Reflected | null): ReadonlySet<string> =>
  new Set(Array.from(reflected?.endpoint.error ?? [], ({ ast }) => codeOf(SchemaAST.resolveIdentifier(ast) ?? "")))

/** A failure with its words, its examples and its headers. */
export const withProblem = (status: string, answer: Answer, schemas: Schemas, reflected: Reflected | null): Answer => {
  const media = answer.content?.[problemJson]
  if (media === undefined) return answer
  const variants = variantsOf(media.schema, schemas)
  const codes = variants.map((variant) => only(variant, "code"))
  const own = ownCodes(reflected)
  return {
    description: variants.map((variant) => `${only(variant, "title")}.`).join(" "),
    headers: headersOf(
      {
        status,
        isRetryable: variants.some(says("retryAfterSeconds")),
        isOwn: codes.some((code) => own.has(code))
      },
      reflected
    ),
    content: {
      [problemJson]: { ...media, examples: Object.fromEntries(codes.map((code) => [code, refTo("examples", code)])) }
    }
  }
}

/** The failures of the edge, each said once. */
export const edgeAnswers = (schemas: Schemas): Readonly<Record<string, Answer>> =>
  Object.fromEntries(
    Object.entries(edge).map(([tag, { status }]) => {
      const schema = { ...refTo("schemas", `${tag}Problem`) }
      return [tag, withProblem(status, { description: "", content: { [problemJson]: { schema } } }, schemas, null)]
    })
  )

/** A failure that the edge gives under the status of an endpoint's own: one more shape of the same answer. */
const alsoMalformed = (answer: Answer | Ref | undefined): Answer | Ref => {
  const media = answer === undefined || isRef(answer) ? undefined : answer.content?.[problemJson]
  if (answer === undefined || isRef(answer) || media === undefined) return refTo("responses", "RequestMalformed")
  const own: ReadonlyArray<Json> = Array.isArray(media.schema.anyOf) ? media.schema.anyOf : [media.schema]
  const anyOf = [...own, { ...refTo("schemas", "RequestMalformedProblem") }]
  return { ...answer, content: { [problemJson]: { ...media, schema: { anyOf } } } }
}

const malformed = edge.RequestMalformed.status

/** Replaces what the contract says of the edge's failures with where they can really occur. */
export const withEdgeFailures = (operation: Operation, reflected: Reflected): Operation => {
  const statuses = new Set<string>(Object.values(edge).map(({ status }) => status))
  const own = Object.entries(operation.responses).filter(([status]) => !statuses.has(status))
  const shared = failuresOf(reflected).map((tag) => [edge[tag].status, refTo("responses", tag)] as const)
  const responses = Object.fromEntries<Answer | Ref>([...own, ...shared])
  return { ...operation, responses: { ...responses, [malformed]: alsoMalformed(operation.responses[malformed]) } }
}
