import { Effect, type Redacted } from "effect"
import type { HttpClient } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { ChosenKey, CurrentCall } from "./CurrentCall.ts"
import type { TransportFailure } from "./transport.ts"

/** Exchanges refresh tokens over this transport. The key makes the exchange repeatable when its answer was lost. */
export const refreshSession = (httpClient: HttpClient.HttpClient.With<TransportFailure>) =>
  Effect.map(
    HttpApiClient.endpoint(Api, { group: "sessions", endpoint: "refresh", httpClient }),
    (refresh) => (refreshToken: Redacted.Redacted, idempotencyKey: string) =>
      refresh({ payload: { refreshToken } }).pipe(
        Effect.provideService(ChosenKey, idempotencyKey),
        Effect.provideService(CurrentCall, { token: false, organization: false, idempotencyKey: true }),
        Effect.catchTags({
          IdempotencyKeyInvalid: Effect.die,
          IdempotencyKeyReused: Effect.die,
          ValidationFailed: Effect.die
        })
      )
  )
