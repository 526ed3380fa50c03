import { Effect, type Redacted, Ref, Semaphore } from "effect"
import { type HttpClientError, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { SecureRandom } from "effect/crypto"
import { codeOfResponse } from "./edgeFailures.ts"

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

/** What a session needs to go on. */
export interface SessionOptions<E> {
  readonly accessToken: Redacted.Redacted
  readonly refreshToken: Redacted.Redacted | null
  readonly refresh: (refreshToken: Redacted.Redacted, idempotencyKey: string) => Effect.Effect<TokenPair, E>
  readonly onTokens: (tokens: TokenPair) => Effect.Effect<void>
}

/** Sends requests with an access token, and with a new one when it has expired. Of many calls at once, one refreshes it. */
export const makeSession = <E>({ accessToken, onTokens, refresh, refreshToken }: SessionOptions<E>) => {
  const current = Ref.makeUnsafe(hold(accessToken, refreshToken))
  const turn = Semaphore.makeUnsafe(1)

  const keep = (tokens: TokenPair) =>
    Effect.uninterruptible(
      Effect.andThen(Ref.set(current, hold(tokens.accessToken, tokens.refreshToken)), onTokens(tokens))
    )

  const renewed = (expired: Held) =>
    Effect.gen(function* () {
      const held = yield* Ref.get(current)
      if (held.accessToken !== expired.accessToken || held.refreshToken === null) return held.accessToken
      const tokens = yield* refresh(held.refreshToken, held.refreshKey)
      yield* keep(tokens)
      return tokens.accessToken
    }).pipe(turn.withPermits(1))

  return (
    request: Request,
    execute: (request: Request) => Effect.Effect<Response, HttpFailure>
  ): Effect.Effect<Response, E | HttpFailure> =>
    Effect.gen(function* () {
      const held = yield* Ref.get(current)
      const response = yield* execute(HttpClientRequest.bearerToken(request, held.accessToken))
      if (response.status !== 401 || held.refreshToken === null) return response
      if ((yield* codeOfResponse(response)) !== "token_expired") return response
      return yield* execute(HttpClientRequest.bearerToken(request, yield* renewed(held)))
    })
}
