import {
  type Answer,
  type Document,
  isRef,
  type Operation,
  type Parameter,
  reflectApi,
  type Reflected
} from "../../packages/http-adapter/src/api/describe.ts"
import { openApi } from "../../packages/http-adapter/src/server/openapi/openApi.ts"
import { Api, problemCode, Problems } from "../../packages/http-adapter/src/api/index.ts"
import { type JsonSchema, nameOfRef } from "./jsonTypes.ts"

/** The contract as an OpenAPI document. The address is not part of the client. */
export const document: Document = openApi("https://parley.example")

/** The type of an answer: a schema of its JSON, a file, a text, or nothing. */
export interface AnswerType {
  readonly json: ReadonlyArray<JsonSchema>
  readonly isFile: boolean
  readonly isText: boolean
}

/** A documented endpoint of the contract. */
export interface Call {
  readonly area: string
  readonly name: string
  readonly method: string
  readonly path: string
  readonly operation: Operation
  readonly parameters: ReadonlyArray<Parameter>
  /** The headers that callers set. */
  readonly headers: ReadonlyArray<Parameter>
  /** The media types of a body that is a file. Empty for other bodies. */
  readonly uploads: ReadonlyArray<string>
  /** Whether callers must specify the media type of a file. */
  readonly isTypeRequired: boolean
  readonly body: JsonSchema | null
  readonly isBodyRequired: boolean
  readonly answer: AnswerType
  /** The parameter that takes the cursor of the next page. */
  readonly page: string | null
  readonly admission: "organization" | "personal" | "public"
  readonly isKeyed: boolean
  readonly codes: ReadonlySet<string>
}

/** Headers that the client sets itself. */
const ownHeaders = new Set(["x-organization-id", "idempotency-key", "x-request-id", "content-type"])

const isFile = (schema: object) => Reflect.get(schema, "_tag") === "StreamUint8Array"

const fieldsIn = (ast: NonNullable<Reflected["endpoint"]["headers"]>["ast"]): ReadonlyArray<PropertyKey> =>
  ast._tag === "Objects" ? ast.propertySignatures.map(({ name }) => name) : []

const parametersOf = ({ parameters }: Operation): ReadonlyArray<Parameter> =>
  parameters.flatMap((parameter) =>
    isRef(parameter) ? (document.components.parameters[nameOfRef(parameter.$ref)] ?? []) : parameter
  )

const answersOf = ({ responses }: Operation) =>
  Object.entries(responses).map(([status, answer]) => {
    const found = isRef(answer) ? document.components.responses[nameOfRef(answer.$ref)] : answer
    if (found === undefined) throw new Error(`There is no answer ${JSON.stringify(answer)}`)
    return [status, found] as const
  })

const resolved = (schema: JsonSchema): JsonSchema =>
  schema.$ref === undefined ? schema : (document.components.schemas[nameOfRef(schema.$ref)] ?? schema)

/** The code of a problem schema. */
export const codeOf = ({ properties = {} }: JsonSchema): string | null => {
  const [code] = properties["code"]?.enum ?? []
  return typeof code === "string" ? code : null
}

const codesIn = (answer: Answer): ReadonlyArray<string> =>
  Object.values(answer.content ?? {}).flatMap(({ schema }) => {
    const { anyOf = [schema] }: JsonSchema = schema
    return anyOf.flatMap((variant) => codeOf(resolved(variant)) ?? [])
  })

const answerTypeOf = (operation: Operation, { endpoint }: Reflected): AnswerType => {
  const contents = answersOf(operation)
    .filter(([status]) => status.startsWith("2"))
    .map(([, { content = {} }]) => content)
  const types = contents.flatMap((content) => Object.keys(content))
  return {
    json: contents.flatMap((content): ReadonlyArray<JsonSchema> => {
      const { schema } = content["application/json"] ?? {}
      return schema === undefined ? [] : [schema]
    }),
    isFile: Array.from(endpoint.success).some(isFile),
    isText: types.some((type) => !["application/json", "text/event-stream", "text/html"].includes(type))
  }
}

/** Name of a field in the input of a call. In the document, the id of a path has the name of its resource. */
const inputName = (parameter: Parameter): string => parameter["x-client-name"] ?? parameter.name

/** Path with the names of the input. */
const inputPath = (path: string, parameters: ReadonlyArray<Parameter>): string =>
  parameters.reduce((text, parameter) => text.replace(`{${parameter.name}}`, `{${inputName(parameter)}}`), path)

const pageOf = ({ json }: AnswerType, parameters: ReadonlyArray<Parameter>) => {
  const isPage = json.some(({ properties = {} }) => "data" in properties && "nextCursor" in properties)
  const field = parameters.find(({ name }) => name === "cursor" || name === "after")?.name
  return isPage && field !== undefined ? field : null
}

const isBehind = ({ behind }: Reflected, ...names: ReadonlyArray<string>) =>
  names.some((name) => behind.has(`@parley/http-adapter/${name}`))

const admissionOf = (reflected: Reflected) => {
  if (isBehind(reflected, "InOrganization", "InOnlyOrganization")) return "organization"
  return isBehind(reflected, "AsOperator", "Authenticated", "WithDocsSession") ? "personal" : "public"
}

const callOf = (reflected: Reflected, operation: Operation): Call => {
  const { endpoint, group, method, path } = reflected
  const documented = parametersOf(operation)
  const parameters = documented.map((parameter) => ({ ...parameter, name: inputName(parameter) }))
  const answer = answerTypeOf(operation, reflected)
  const { content = {}, required = false } = operation.requestBody ?? {}
  const isUpload = Array.from(endpoint.payload.values()).some(({ schemas }) => schemas.some(isFile))
  const id = `${group}.${endpoint.identifier}`
  const call: Call = {
    area: group,
    name: endpoint.identifier,
    method: method.toUpperCase(),
    path: inputPath(path, documented),
    operation,
    parameters,
    headers: parameters.filter(({ in: place, name }) => place === "header" && !ownHeaders.has(name.toLowerCase())),
    uploads: isUpload ? Object.keys(content) : [],
    isTypeRequired: endpoint.headers !== undefined && fieldsIn(endpoint.headers.ast).includes("content-type"),
    body: isUpload ? null : (content["application/json"]?.schema ?? null),
    isBodyRequired: required,
    answer,
    page: pageOf(answer, parameters),
    admission: admissionOf(reflected),
    isKeyed: isBehind(reflected, "Idempotent"),
    codes: new Set(answersOf(operation).flatMap(([status, each]) => (status.startsWith("2") ? [] : codesIn(each))))
  }
  requirePlaces(call, id)
  return call
}

/** The names of the fields of a body. */
const fieldsOf = (schema: JsonSchema): ReadonlyArray<string> => {
  const { anyOf, properties, type } = resolved(schema)
  if (anyOf !== undefined) return anyOf.flatMap(fieldsOf)
  if (type === "null") return []
  if (type !== "object") throw new Error("A body must be an object, because its fields are fields of the input.")
  return Object.keys(properties ?? {})
}

/** An input has one field of each name, and each field has one place. */
const requirePlaces = ({ body, isKeyed, method, parameters, uploads }: Call, id: string) => {
  const placed = new Set(
    parameters.flatMap(({ in: place, name }) => (place === "path" || place === "query" ? name : []))
  )
  const fields = body === null ? [] : fieldsOf(body)
  const both = fields.filter((field) => placed.has(field))
  if (both.length > 0) throw new Error(`${id} has these fields in two places: ${both.join(", ")}.`)
  const isInQuery = method === "GET" || method === "DELETE" || uploads.length > 0
  if (isInQuery && body !== null) throw new Error(`${id} has a body that the client does not send.`)
  if (isKeyed && method !== "POST") throw new Error(`${id} has an idempotency key and is not a POST.`)
}

/** Every documented endpoint, in the order of the contract. */
export const calls: ReadonlyArray<Call> = reflectApi(Api).flatMap((reflected) => {
  const operation = document.paths[reflected.path]?.[reflected.method]
  return operation === undefined ? [] : callOf(reflected, operation)
})

/** Every code that the service can answer with. */
export const codes: ReadonlyArray<string> = Object.keys(Problems.problems).map((tag) => problemCode(tag))
