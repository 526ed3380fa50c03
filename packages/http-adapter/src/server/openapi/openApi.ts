import { shownWithKeyword } from "@parley/domain/kernel"
import { describeOperators } from "@parley/domain/crm"
import { contactFilterOperators } from "@parley/domain/composition"
import { Context, type JsonSchema, Predicate } from "effect"
import { type HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import {
  type Components,
  type Document,
  isRef,
  type Operation,
  ReadsAnyType,
  reflectApi,
  type Reflected
} from "../../api/describe.ts"
import { describeFields, describePaths, describeWebhooks } from "./describeFields.ts"
import { edgeAnswers, edgeSchemas, hoistFailures, problemExamples, withEdgeFailures, withProblem } from "./failures.ts"
import { headers, parameters } from "./headers.ts"
import { withParameters } from "./parameters.ts"
import { plainNames, tidy } from "./schemas.ts"
import { withNeeds, withRequestExample, withSuccess } from "./successes.ts"
import { webhookParameters, webhooks, webhookSchemas } from "./webhooks.ts"

type Schemas = Readonly<Record<string, JsonSchema.JsonSchema>>

const described = (schema: unknown, description: string): unknown =>
  Predicate.isObject(schema) ? { ...schema, description } : schema

/** Describes the fields of filters and their operators, from all areas. The schema of a filter does not contain them. */
const withFilterFields = (schemas: Schemas): Schemas => {
  const { ContactFilter: filter } = schemas
  if (filter === undefined || !Predicate.isObject(filter["properties"])) return schemas
  const { field, op } = filter["properties"] as Readonly<Record<string, unknown>>
  const names = Object.keys(contactFilterOperators)
  const properties = {
    ...filter["properties"],
    field: described(field, `Field of the condition: ${names.join(", ")}.`),
    op: described(op, describeOperators(contactFilterOperators))
  }
  return { ...schemas, ContactFilter: { ...filter, properties } }
}

const withDescriptions = (schemas: Schemas): Schemas =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, describeFields(schema, name)]))

const sorted = <A>(entries: ReadonlyArray<readonly [string, A]>): Readonly<Record<string, A>> =>
  Object.fromEntries(entries.toSorted(([one], [other]) => one.localeCompare(other, "en")))

const withAnswers = (operation: Operation, reflected: Reflected, schemas: Schemas): Operation => ({
  ...operation,
  responses: Object.fromEntries(
    Object.entries(operation.responses).map(([status, answer]) => [
      status,
      isRef(answer)
        ? answer
        : status.startsWith("2")
          ? withSuccess(status, answer, reflected)
          : withProblem(status, answer, schemas, reflected)
    ])
  )
})

/** Name of the method in the promise client. Deliveries have none, because providers sign and send them in their own format. */
const withClientMethod = (operation: Operation, { endpoint, group }: Reflected): Operation =>
  Context.get(endpoint.annotations, ReadsAnyType)
    ? operation
    : { ...operation, "x-client-method": `${group}.${endpoint.identifier}` }

const finishOperation = (operation: Operation, reflected: Reflected, schemas: Schemas): Operation => {
  const { description, operationId, security, summary, tags, ...rest } = [
    withNeeds,
    withClientMethod,
    withParameters,
    withRequestExample,
    withEdgeFailures
  ].reduce((finished, step) => step(finished, reflected), operation)
  return withAnswers(
    {
      operationId,
      ...(summary !== undefined && { summary }),
      ...(description !== undefined && { description }),
      tags,
      security,
      ...rest
    },
    reflected,
    schemas
  )
}

/** References only used examples: an example without an answer is left out. */
const shownExamples = (paths: Document["paths"], answers: Components["responses"]) => {
  const shown = JSON.stringify([paths, answers])
  return sorted(Object.entries(problemExamples()).filter(([code]) => shown.includes(`"#/components/examples/${code}"`)))
}

/** Leaves out what only the text of a parameter was called. */
const namedSchemas = (
  schemas: Schemas,
  { paths, webhooks: posted }: Pick<Document, "paths" | "webhooks">,
  answers: Components["responses"]
): Schemas => {
  const named = JSON.stringify([paths, posted, answers, schemas])
  return Object.fromEntries(
    Object.entries(schemas).filter(([name]) => named.includes(`"#/components/schemas/${name}"`))
  )
}

/** Writes the permissions of each field to the document. */
const openApiOptions = { includeAnnotationKey: (key: string) => key === shownWithKeyword }

/** The one place that adds what every endpoint of the contract shares; a new endpoint is covered without a change here. */
const finish = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): Omit<Document, "servers"> => {
  const source = OpenApi.fromApi(api, openApiOptions)
  const definitions = { ...source.components.schemas, ...edgeSchemas() }
  const rename = plainNames(Object.keys(definitions))
  const named = Object.fromEntries(
    Object.entries(definitions).map(([name, schema]) => [rename(name), tidy(schema, rename)])
  )
  const schemas = withFilterFields(sorted(Object.entries({ ...webhookSchemas(), ...named })))
  const written = tidy(source.paths, rename) as Document["paths"]
  const finished: Record<string, Record<string, Operation>> = {}
  for (const reflected of reflectApi(api)) {
    const operation = written[reflected.endpoint.path.replaceAll(/:(\w+)/g, "{$1}")]?.[reflected.method]
    if (operation === undefined) continue
    finished[reflected.path] = {
      ...finished[reflected.path],
      [reflected.method]: finishOperation(operation, reflected, schemas)
    }
  }
  const { answers, paths } = hoistFailures(finished)
  const responses = sorted(Object.entries({ ...edgeAnswers(schemas), ...answers }))
  const posted = webhooks()
  return {
    openapi: source.openapi,
    info: { ...source.info },
    tags: source.tags,
    security: [],
    paths: describePaths(paths),
    webhooks: describeWebhooks(posted),
    components: {
      schemas: withDescriptions(namedSchemas(schemas, { paths, webhooks: posted }, responses)),
      securitySchemes: source.components.securitySchemes,
      parameters: { ...parameters, ...webhookParameters },
      headers,
      examples: shownExamples(paths, responses),
      responses
    }
  }
}

/** Names the service in a document. */
export const withBaseUrl = ({ info, openapi, ...rest }: Omit<Document, "servers">, baseUrl: string): Document => ({
  ...rest,
  openapi,
  info: { ...info, contact: { name: "Parley", url: `${baseUrl}/docs` } },
  servers: [{ url: baseUrl, description: "This service." }]
})

/** Service of the document in a bundle: the default address. */
export const bundledBaseUrl = "http://localhost:8787"

/** The contract as an OpenAPI document, with the shared components of all endpoints. */
export const openApi = (baseUrl: string): Document => withBaseUrl(finish(Api), baseUrl)
