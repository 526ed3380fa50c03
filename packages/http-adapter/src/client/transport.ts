import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpClient, type HttpClientError, HttpClientRequest, type HttpClientResponse } from "effect/http"
import type { EdgeFailure } from "./Client.ts"
import { ChosenHeaders, ChosenKey, ChosenMediaType, ChosenOrganization, CurrentCall } from "./CurrentCall.ts"
import { failOnEdge } from "./edgeFailures.ts"
import { withRetries, type RetryPolicy } from "./retries.ts"

type Request = HttpClientRequest.HttpClientRequest
type Response = HttpClientResponse.HttpClientResponse

/** How failures on the way look. */
export type TransportFailure = EdgeFailure | HttpClientError.HttpClientError

/** Sends a request with a token, through whatever sends it. */
export type Authorize<E> = (
  request: Request,
  execute: (request: Request) => Effect.Effect<Response, HttpClientError.HttpClientError>
) => Effect.Effect<Response, E | HttpClientError.HttpClientError>

/** What every request is sent with. */
export interface TransportSettings {
  readonly baseUrl: string | URL
  readonly organizationId: string | null
  readonly policy: RetryPolicy
  readonly propagatesTraces: boolean
}

const withHeader = (name: string, value: string | null) => (request: Request) =>
  value === null ? request : HttpClientRequest.setHeader(request, name, value)

/** Sends what the contract says that a call carries, repeats what may be repeated, and reads the failures of the edge. */
export const transport = <E>(
  http: HttpClient.HttpClient,
  settings: TransportSettings,
  authorize: Authorize<E> | null
): HttpClient.HttpClient.With<E | TransportFailure> => {
  const execute = withRetries(
    (request) =>
      Effect.provideService(http.execute(request), HttpClient.TracerPropagationEnabled, settings.propagatesTraces),
    settings.policy
  )
  const send = Effect.fnUntraced(function* (request: Request) {
    const carries = yield* CurrentCall
    const organizationId = (yield* ChosenOrganization) ?? settings.organizationId
    const key = (yield* ChosenKey) ?? SecureRandom.uuidV4Unsafe()
    const ready = request.pipe(
      // The service redirects browsers, which do not ask for JSON.
      withHeader("accept", request.headers["accept"] ?? "application/json, */*;q=0.5"),
      HttpClientRequest.setHeaders(yield* ChosenHeaders),
      HttpClientRequest.prependUrl(settings.baseUrl.toString()),
      withHeader("x-organization-id", carries.organization ? organizationId : null),
      withHeader("idempotency-key", carries.idempotencyKey ? key : null),
      withHeader("content-type", yield* ChosenMediaType)
    )
    const response = yield* carries.token && authorize !== null ? authorize(ready, execute) : execute(ready)
    return yield* failOnEdge(response)
  })
  return HttpClient.makeWith<never, never, E | TransportFailure, never>(
    (request) => Effect.flatMap(request, send),
    Effect.succeed
  )
}
