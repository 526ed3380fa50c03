import { Effect, Option, Schema } from "effect"
import type { HttpClientError, HttpClientResponse } from "effect/http"
import { problemJson } from "../api/problem.ts"
import { problems } from "../api/problems.ts"
import type { EdgeFailure } from "./Client.ts"

type Response = HttpClientResponse.HttpClientResponse

const readEdgeFailure = Schema.decodeUnknownOption(
  Schema.Union([
    problems.HeadersTooLarge,
    problems.InternalError,
    problems.MethodNotAllowed,
    problems.PathNotFound,
    problems.PayloadTooLarge,
    problems.RequestMalformed,
    problems.RequestTimeout,
    problems.UnsupportedMediaType
  ])
)

const readCode = Schema.decodeUnknownOption(Schema.Struct({ code: Schema.String }))

const isProblem = (response: Response) => response.headers["content-type"]?.startsWith(problemJson) === true

/** The code of the problem that a response is; `null` when it is none. */
export const codeOfResponse = (response: Response): Effect.Effect<string | null> =>
  isProblem(response)
    ? response.json.pipe(
        Effect.map((body) => Option.match(readCode(body), { onNone: () => null, onSome: ({ code }) => code })),
        Effect.orElseSucceed(() => null)
      )
    : Effect.succeed(null)

const readOpen = Schema.decodeUnknownOption(Schema.Struct({ outcomeUnknown: Schema.Literal(true) }))

/** Whether a response says that the request may have been carried out all the same. */
export const leavesOpen = (response: Response): Effect.Effect<boolean> =>
  response.status === 503 && isProblem(response)
    ? response.json.pipe(
        Effect.map((body) => Option.isSome(readOpen(body))),
        Effect.orElseSucceed(() => false)
      )
    : Effect.succeed(false)

/** Lets a response through unless it is a failure that no endpoint declares. */
export const failOnEdge = (
  response: Response
): Effect.Effect<Response, EdgeFailure | HttpClientError.HttpClientError> =>
  isProblem(response)
    ? Effect.flatMap(response.json, (body) =>
        Option.match(readEdgeFailure(body), {
          onNone: () => Effect.succeed(response),
          onSome: (failure) => Effect.fail(failure)
        })
      )
    : Effect.succeed(response)
