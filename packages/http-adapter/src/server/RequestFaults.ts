import { type Fault, invalid, ValidationFailed } from "@parley/domain"
import { Effect, Layer, SchemaIssue } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiError } from "effect/http-api"
import type { unhandled } from "effect/Types"
import { RequestFaults } from "../api/middleware.ts"
import { PayloadTooLarge } from "../api/problems.ts"
import { isDeeperThan } from "./isDeeperThan.ts"
import { ServerConfig } from "./ServerConfig.ts"

const deepestBody = 32

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const place = { Payload: "", Query: "/query", Params: "/path", Headers: "/headers" } as const

const segment = (part: PropertyKey | { readonly key: PropertyKey }) =>
  String(typeof part === "object" ? part.key : part)
    .replaceAll("~", "~0")
    .replaceAll("/", "~1")

const faultsOf = (error: HttpApiError.HttpApiSchemaError, root: string): ReadonlyArray<Fault> =>
  format(error.cause.issue).issues.map((issue) => ({
    pointer: [root, ...(issue.path ?? []).map(segment)].join("/"),
    message: issue.message
  }))

const toFailure = (error: HttpApiError.HttpApiSchemaError) =>
  error.kind === "Body" || error.kind === "ResponseHeaders"
    ? Effect.die(error)
    : Effect.fail(new ValidationFailed({ errors: faultsOf(error, place[error.kind]) }))

/** Reads the body once, within its bounds, before anything else looks at it. */
const checkBody = Effect.fnUntraced(function* (maxBodyBytes: number) {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (request.method === "GET" || request.method === "HEAD") return
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

/** The middleware that names every fault of a request. */
export const layer = Layer.effect(
  RequestFaults,
  Effect.map(ServerConfig, ({ maxBodyBytes }) =>
    RequestFaults.of((effect) =>
      Effect.andThen(
        checkBody(maxBodyBytes),
        Effect.catch(effect, (error): Effect.Effect<never, unhandled | ValidationFailed> =>
          HttpApiError.HttpApiSchemaError.is(error) ? toFailure(error) : Effect.fail(error)
        )
      )
    )
  )
)
