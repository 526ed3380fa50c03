import { type Fault, invalid, ValidationFailed } from "@parley/domain"
import { Effect, Layer, Predicate, type Schema, SchemaIssue } from "effect"
import { type HttpRouter, HttpServerRequest } from "effect/http"
import { type HttpApiEndpoint, HttpApiError } from "effect/http-api"
import type { unhandled } from "effect/Types"
import { RequestFaults } from "../api/middleware.ts"
import { PayloadTooLarge } from "../api/problems.ts"
import { isDeeperThan } from "../api/isDeeperThan.ts"
import { checksOf, type RequestPart, requestParts } from "./requestParts.ts"
import { ServerConfig } from "./ServerConfig.ts"

const deepestBody = 32

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const segment = (part: PropertyKey | { readonly key: PropertyKey }) =>
  String(typeof part === "object" ? part.key : part)
    .replaceAll("~", "~0")
    .replaceAll("/", "~1")

const faultsOf = ({ issue }: Schema.SchemaError, part: RequestPart): ReadonlyArray<Fault> =>
  format(issue).issues.map(({ message, path = [] }) => ({
    pointer: [requestParts[part], ...path.map(segment)].join("/"),
    message
  }))

const isOfRequest = (kind: HttpApiError.HttpApiSchemaError["kind"]): kind is RequestPart => kind in requestParts

/** The framework stops at the first part that has faults; a caller wants to know all of them. */
const toFailure = Effect.fnUntraced(function* (
  { cause, kind }: HttpApiError.HttpApiSchemaError,
  checks: ReturnType<typeof checksOf>
) {
  if (!isOfRequest(kind)) return yield* Effect.die(cause)
  const faults = yield* Effect.forEach(checks, ([part, check]) =>
    part === kind
      ? Effect.succeed(faultsOf(cause, part))
      : Effect.match(check, { onFailure: (error) => faultsOf(error, part), onSuccess: () => [] })
  )
  return yield* new ValidationFailed({ errors: faults.flat() })
})

/** Reads the body once, within its bounds, before anything else looks at it. */
const checkBody = Effect.fnUntraced(function* (maxBodyBytes: number) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const body = yield* request.text.pipe(
    Effect.catchTag("HttpServerError", (error) =>
      error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"
        ? Effect.fail(new PayloadTooLarge({ max: maxBodyBytes }))
        : Effect.die(error)
    )
  )
  if (isDeeperThan(body, deepestBody)) {
    return yield* invalid("", `Expected a body that is nested at most ${deepestBody} levels deep`)
  }
})

/** Whether the handler takes the body in piece by piece, and keeps it within its bounds. */
export const isStreamed = ({ payload }: HttpApiEndpoint.Top): boolean =>
  Array.from(payload.values()).some(({ encoding }) => encoding._tag === "Stream")

/** Whether the body is a file, which may be of any size and take its time. */
export const isFile = (endpoint: HttpApiEndpoint.Top): boolean =>
  isStreamed(endpoint) &&
  Array.from(endpoint.payload.values()).every(({ schemas }) =>
    schemas.every((schema) => !Predicate.hasProperty(schema, "maxBytes") || schema.maxBytes === undefined)
  )

/** The middleware that names every fault of a request. */
export const layer = Layer.effect(
  RequestFaults,
  Effect.map(ServerConfig, ({ maxBodyBytes }) =>
    RequestFaults.of((effect, { endpoint }) => {
      const checks = checksOf(endpoint)
      const named = Effect.catch(
        effect,
        (error): Effect.Effect<never, unhandled | ValidationFailed, HttpRouter.Provided> =>
          HttpApiError.HttpApiSchemaError.is(error) ? toFailure(error, checks) : Effect.fail(error)
      )
      return endpoint.method === "GET" || isStreamed(endpoint) ? named : Effect.andThen(checkBody(maxBodyBytes), named)
    })
  )
)
