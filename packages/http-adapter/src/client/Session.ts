import { Effect, Equivalence, Predicate, Redacted, Ref, Semaphore } from "effect"
import { SecureRandom } from "effect/crypto"
import { type HttpClient, type HttpClientError, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { ChosenKey, CurrentCall } from "./CurrentCall.ts"
import { codeOfResponse, type TransportFailure } from "./transport.ts"

type Request = HttpClientRequest.HttpClientRequest
type Response = HttpClientResponse.HttpClientResponse
type HttpFailure = HttpClientError.HttpClientError

/** An access token, and the refresh token that is exchanged for the next pair. */
export interface TokenPair {
  readonly accessToken: Redacted.Redacted
  readonly refreshToken: Redacted.Redacted
}

interface Held {
  readonly accessToken: Redacted.Redacted
  readonly refreshToken: Redacted.Redacted | null
  /** Repeats the exchange of this refresh token safely, when its answer was lost. */
  readonly refreshKey: string
}

const hold = (accessToken: Redacted.Redacted, refreshToken: Redacted.Redacted | null): Held => ({
  accessToken,
  refreshToken,
  refreshKey: SecureRandom.uuidV4Unsafe()
})

/** Dependencies of a session. */
export interface SessionOptions<E> {
  readonly accessToken: Redacted.Redacted
  readonly refreshToken: Redacted.Redacted | null
  readonly refresh: (refreshToken: Redacted.Redacted, idempotencyKey: string) => Effect.Effect<TokenPair, E>
  readonly onTokens: (tokens: TokenPair) => Effect.Effect<void>
  /** The pair that processes of the same session share; `null` where they share none. */
  readonly sharedTokens: Effect.Effect<TokenPair | null> | null
}

/** Number of attempts to read the pair of another process, and the pause after each. */
const looks = { times: 100, pause: "100 millis" } as const

/** Compares tokens of the same user, so constant time is not necessary. */
const isSame = Redacted.makeEquivalence(Equivalence.String)

const isSuperseded = (failure: unknown) =>
  Predicate.hasProperty(failure, "_tag") && failure._tag === "RefreshSuperseded"

/** Sends requests with an access token, and with a new one after expiry. One of many concurrent calls refreshes it. */
export const makeSession = <E>({ accessToken, onTokens, refresh, refreshToken, sharedTokens }: SessionOptions<E>) => {
  const current = Ref.makeUnsafe(hold(accessToken, refreshToken))
  const turn = Semaphore.makeUnsafe(1)

  const keep = (tokens: TokenPair) =>
    Effect.uninterruptible(
      Effect.andThen(Ref.set(current, hold(tokens.accessToken, tokens.refreshToken)), onTokens(tokens))
    )

  /** Takes the shared pair over, if it is another than this one. */
  const takeOver = Effect.fnUntraced(function* (held: Held) {
    const shared = sharedTokens === null ? null : yield* sharedTokens
    if (shared === null || isSame(shared.accessToken, held.accessToken)) return false
    yield* Ref.set(current, hold(shared.accessToken, shared.refreshToken))
    return true
  })

  /** Waits for the shared tokens of another process that just exchanged the token. */
  const awaitShared = Effect.fnUntraced(function* (held: Held, failure: E) {
    const times = sharedTokens === null ? 0 : looks.times
    for (let look = 0; look < times; look++) {
      if (yield* takeOver(held)) return
      yield* Effect.sleep(looks.pause)
    }
    return yield* Effect.fail(failure)
  })

  const renew = (expired: Held) =>
    Effect.gen(function* () {
      const held = yield* Ref.get(current)
      if (held.accessToken !== expired.accessToken || held.refreshToken === null) return
      if (yield* takeOver(held)) return
      yield* refresh(held.refreshToken, held.refreshKey).pipe(
        Effect.flatMap(keep),
        Effect.catchIf(isSuperseded, (failure) => awaitShared(held, failure))
      )
    }).pipe(turn.withPermits(1))

  // Shared tokens of another process can be expired too.
  const mostRenewals = sharedTokens === null ? 1 : 2

  const send = (
    request: Request,
    execute: (request: Request) => Effect.Effect<Response, HttpFailure>,
    renewals: number
  ): Effect.Effect<Response, E | HttpFailure> =>
    Effect.gen(function* () {
      const held = yield* Ref.get(current)
      const response = yield* execute(HttpClientRequest.bearerToken(request, held.accessToken))
      if (response.status !== 401 || held.refreshToken === null || renewals === mostRenewals) return response
      if ((yield* codeOfResponse(response)) !== "token_expired") return response
      yield* renew(held)
      return yield* send(request, execute, renewals + 1)
    })

  return (request: Request, execute: (request: Request) => Effect.Effect<Response, HttpFailure>) =>
    send(request, execute, 0)
}

/** Exchanges refresh tokens over this transport. The key makes the exchange repeatable when its answer was lost. */
export const refreshSession = (httpClient: HttpClient.HttpClient.With<TransportFailure>) =>
  Effect.map(
    HttpApiClient.endpoint(Api, { group: "sessions", endpoint: "refresh", httpClient }),
    (refresh) => (refreshToken: Redacted.Redacted, idempotencyKey: string) =>
      refresh({ payload: { refreshToken } }).pipe(
        Effect.provideService(ChosenKey, idempotencyKey),
        Effect.provideService(CurrentCall, { token: false, organization: false, idempotencyKey: true }),
        Effect.catchTags({
          // The answer to a refresh depends on no permission and holds no data of contacts.
          IdempotencyAnswerWithdrawn: Effect.die,
          IdempotencyKeyInvalid: Effect.die,
          IdempotencyKeyReused: Effect.die,
          ValidationFailed: Effect.die
        })
      )
  )
