import { Effect, Redacted } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"

/** Tries to log in at a running service; gives the status. */
export const logIn = Effect.fnUntraced(function* (address: string, email: string, password: Redacted.Redacted) {
  const request = HttpClientRequest.post(`${address}/api/v1/auth/login`).pipe(
    HttpClientRequest.bodyJsonUnsafe({ email, password: Redacted.value(password) })
  )
  const answer = yield* HttpClient.execute(request)
  return answer.status
}, Effect.provide(FetchHttpClient.layer))

/** Status of the exchange of the code in a link to the documentation. */
export const exchangedAt = Effect.fnUntraced(function* (address: string, link: string) {
  const request = HttpClientRequest.post(`${address}/api/v1/docs/exchange`).pipe(
    HttpClientRequest.bodyJsonUnsafe({ code: link.trim().split("#code=")[1] })
  )
  const answer = yield* HttpClient.execute(request)
  return answer.status
}, Effect.provide(FetchHttpClient.layer))
