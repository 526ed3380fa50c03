import { problemCode } from "@parley/domain/kernel"
import { Context, type JsonSchema, Predicate, Schema, SchemaAST } from "effect"
import {
  type Answer,
  type Document,
  type Example,
  isRef,
  type Operation,
  ReadsAnyType,
  type Ref,
  type Reflected,
  refTo
} from "../../api/describe.ts"
import { problemJson } from "../../api/problem.ts"
import { problems } from "../../api/problems.ts"
import { encodeExample } from "./encodeExample.ts"
import { problems as samples } from "../examples/problems.ts"
import { headersOf } from "./headers.ts"

type Json = JsonSchema.JsonSchema
type Schemas = Readonly<Record<string, Json>>

const samplesByTag: Readonly<Record<string, unknown>> = samples

/** An example for every error code. */
export const problemExamples = (): Readonly<Record<string, Example>> =>
  Object.fromEntries(
    Object.entries(problems).map(([tag, schema]) => [
      problemCode(tag),
      { value: encodeExample(schema, samplesByTag[tag]) }
    ])
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

/** Schemas of the errors of the server itself, for every endpoint. */
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

/** Error codes of the endpoint itself, without codes of its middlewares. */
const ownCodes = (reflected: Reflected | null): ReadonlySet<string> =>
  new Set(Array.from(reflected?.endpoint.error ?? [], ({ ast }) => problemCode(SchemaAST.resolveIdentifier(ast) ?? "")))

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

/** Errors of the edge, each defined once. */
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

/** Replaces the contract's locations of edge errors by the actual ones. */
export const withEdgeFailures = (operation: Operation, reflected: Reflected): Operation => {
  const statuses = new Set<string>(Object.values(edge).map(({ status }) => status))
  const own = Object.entries(operation.responses).filter(([status]) => !statuses.has(status))
  const shared = failuresOf(reflected).map((tag) => [edge[tag].status, refTo("responses", tag)] as const)
  const responses = Object.fromEntries<Answer | Ref>([...own, ...shared])
  return { ...operation, responses: { ...responses, [malformed]: alsoMalformed(operation.responses[malformed]) } }
}

type Answers = Readonly<Record<string, Answer>>
type Paths = Document["paths"]

const pascal = (code: string) => code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The codes of a failure, and a suffix for each header that not every failure with these codes has. */
const nameOf = ({ content, headers }: Answer): string => {
  const codes = Object.keys(content?.[problemJson]?.examples ?? {}).map(pascal)
  const replayable = headers?.["Idempotency-Replayed"] === undefined ? "" : "Replayable"
  const unlimited = headers?.["RateLimit"] === undefined ? "Unlimited" : ""
  return `${codes.join("Or")}${replayable}${unlimited}`
}

const isFailure = (answer: Answer) => answer.content?.[problemJson] !== undefined

const mapAnswers = (paths: Paths, f: (answer: Answer) => Answer | Ref): Paths =>
  Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => [
          method,
          {
            ...operation,
            responses: Object.fromEntries(
              Object.entries(operation.responses).map(([status, answer]) => [
                status,
                isRef(answer) ? answer : f(answer)
              ])
            )
          }
        ])
      )
    ])
  )

/** Shared errors of several calls, defined once and referenced. */
export const hoistFailures = (paths: Paths): { readonly paths: Paths; readonly answers: Answers } => {
  const counts = new Map<string, number>()
  mapAnswers(paths, (answer) => {
    const text = JSON.stringify(answer)
    counts.set(text, (counts.get(text) ?? 0) + 1)
    return answer
  })
  const answers: Record<string, Answer> = {}
  const pointed = mapAnswers(paths, (answer) => {
    const text = JSON.stringify(answer)
    if (!isFailure(answer) || (counts.get(text) ?? 0) < 2) return answer
    const name = nameOf(answer)
    const namesake = answers[name]
    if (namesake !== undefined && JSON.stringify(namesake) !== text) throw new Error(`Two failures share ${name}.`)
    answers[name] = answer
    return refTo("responses", name)
  })
  return { paths: pointed, answers }
}
