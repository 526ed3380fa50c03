import { type ValidationIssue, maxValidationIssues, ValidationFailed } from "@parley/domain/kernel"
import { Context, Effect, Layer, Predicate } from "effect"
import type { unhandled } from "effect/Types"
import { type HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type HttpApiEndpoint, HttpApiError } from "effect/http-api"
import { ReadsAnyType } from "../api/describe.ts"
import { RequestFaults } from "../api/middleware.ts"
import { ServerConfig } from "./ServerConfig.ts"
import { makeFurtherIssues } from "./furtherIssues.ts"
import { faultsOf, faultsOfQuery, readsCharset, surplusOfBody, surplusOfQuery, takeBody } from "./faults.ts"
import { type Check, checksOf, type RequestPart, requestParts } from "./requestParts.ts"

const isOfRequest = (kind: HttpApiError.HttpApiSchemaError["kind"]): kind is RequestPart => kind in requestParts

const failWith = (faults: ReadonlyArray<ValidationIssue>) =>
  new ValidationFailed({ errors: faults.slice(0, maxValidationIssues) })

const faultsIn = Effect.fnUntraced(function* (part: RequestPart, { decode, input }: Check) {
  const given = yield* input
  return yield* Effect.match(decode(given), {
    onFailure: ({ issue }) => faultsOf(issue, given, part),
    onSuccess: () => []
  })
})

type Checks = ReturnType<typeof checksOf>

/** Collects the issues of all parts. The framework stops at the first invalid part. */
const allFaults = (checks: Checks, but?: RequestPart) =>
  Effect.map(
    Effect.forEach(checks, ([part, check]) => (part === but ? Effect.succeed([]) : faultsIn(part, check))),
    (faults) => faults.flat()
  )

const isWithin = (pointer: string, other: string) => pointer === other || pointer.startsWith(`${other}/`)

/** Issues beyond the schema that are not in a place with an issue of the schema. */
const newIssues = (further: ReadonlyArray<ValidationIssue>, known: ReadonlyArray<ValidationIssue>) =>
  further.filter(
    ({ pointer }) => !known.some((other) => isWithin(pointer, other.pointer) || isWithin(other.pointer, pointer))
  )

type FurtherIssues = Effect.Success<typeof makeFurtherIssues>

const toFailure = Effect.fnUntraced(function* (
  { cause, kind }: HttpApiError.HttpApiSchemaError,
  checks: Checks,
  findFurther: (body: unknown) => ReturnType<FurtherIssues>
) {
  if (!isOfRequest(kind)) return yield* Effect.die(cause)
  const faults = yield* allFaults(checks)
  const body = checks.get("Payload")
  const further = kind === "Payload" && body !== undefined ? yield* findFurther(yield* body.input) : []
  return yield* failWith([...faults, ...newIssues(further, faults)])
})

/** Whether the handler reads the body as a stream and enforces its size limit. */
export const isStreamed = ({ payload }: HttpApiEndpoint.Top): boolean =>
  Array.from(payload.values()).some(({ encoding }) => encoding._tag === "Stream")

/** Whether the body is a file. A file can be large and slow to arrive. */
export const isFile = (endpoint: HttpApiEndpoint.Top): boolean =>
  isStreamed(endpoint) &&
  Array.from(endpoint.payload.values()).every(({ schemas }) =>
    schemas.every((schema) => !Predicate.hasProperty(schema, "maxBytes") || schema.maxBytes === undefined)
  )

/** JSON and CSV must be UTF-8. Other files and signed deliveries can have any charset. Without a body, the charset is ignored. */
const isUtf8Only = ({ annotations, payload }: HttpApiEndpoint.Top): boolean =>
  payload.size > 0 &&
  !Context.get(annotations, ReadsAnyType) &&
  Array.from(payload.keys()).every((type) => type.endsWith("json") || type === "text/csv")

const wrongCharset = HttpServerResponse.empty({ status: 415 })

/** Middleware that reports every issue of a request. */
export const layer = Layer.effect(
  RequestFaults,
  Effect.gen(function* () {
    const take = takeBody((yield* ServerConfig).maxBodyBytes)
    const furtherIssues = yield* makeFurtherIssues
    return RequestFaults.of((effect, { endpoint, group }) => {
      const checks = checksOf(endpoint)
      const findFurther = (body: unknown) => furtherIssues(`${group.identifier}.${endpoint.identifier}`, body)
      const named = Effect.catch(
        effect,
        (error): Effect.Effect<never, unhandled | ValidationFailed, HttpRouter.Provided> =>
          HttpApiError.HttpApiSchemaError.is(error) ? toFailure(error, checks, findFurther) : Effect.fail(error)
      )
      const utf8Only = isUtf8Only(endpoint)
      const takesQuery = endpoint.query !== undefined || Context.get(endpoint.annotations, ReadsAnyType)
      const readsBody = endpoint.payload.size > 0
      const hasBody = endpoint.method !== "GET" && !isStreamed(endpoint)
      return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        if (utf8Only && !readsCharset(request)) return Effect.succeed(wrongCharset)
        const ofQuery = takesQuery ? faultsOfQuery(request.url) : surplusOfQuery(request.url)
        if (!hasBody) {
          return ofQuery.length === 0
            ? named
            : Effect.flatMap(allFaults(checks, "Query"), (others) => failWith([...ofQuery, ...others]))
        }
        return Effect.flatMap(take(request), ({ faults, isJson, request: taken }) =>
          Effect.flatMap(readsBody ? Effect.succeed(faults) : surplusOfBody(faults), (ofBody) =>
            ofQuery.length + ofBody.length === 0
              ? named
              : Effect.flatMap(
                  allFaults(
                    isJson ? checks : new Map([...checks].filter(([part]) => part !== "Payload")),
                    ofQuery.length === 0 ? undefined : "Query"
                  ),
                  (others) => failWith([...ofBody, ...ofQuery, ...others])
                )
          ).pipe(taken === request ? (same) => same : Effect.provideService(HttpServerRequest.HttpServerRequest, taken))
        )
      })
    })
  })
)
