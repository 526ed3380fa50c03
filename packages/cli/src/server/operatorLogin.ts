import { ParleyClient } from "@parley/http-adapter/client"
import { Effect, Option, Redacted, Schema } from "effect"
import { HttpClientError } from "effect/http"
import { type Failure, Refused } from "../console/Failure.ts"
import { type Asker, explained, layerHttp } from "./http.ts"

const Claims = Schema.StringFromBase64Url.pipe(
  Schema.decodeTo(Schema.fromJsonString(Schema.Struct({ aud: Schema.Literal("operator") })))
)

/** Whether this is an operator token. Reads the token without verification. The service verifies it. */
export const isOperatorToken = (token: Redacted.Redacted): boolean => {
  const [, payload = ""] = Redacted.value(token).split(".")
  return Option.isSome(Schema.decodeOption(Claims)(payload))
}

const isUnknownPath = (failure: Failure) =>
  HttpClientError.isHttpClientError(failure) ? failure.response?.status === 404 : failure._tag === "PathNotFound"

/** Fails unless the service accepts the operator token. */
export const requireOperator = Effect.fnUntraced(function* (address: string, token: Redacted.Redacted, asker: Asker) {
  const client = yield* ParleyClient.make({ baseUrl: address, token, retry: { times: 0 } })
  yield* client.operatorRateCards.list({ query: { limit: 1 } }).pipe(
    // A token can be valid without this scope.
    Effect.catchTag("ScopeDenied", () => Effect.void),
    Effect.mapError((failure) =>
      isUnknownPath(failure)
        ? new Refused({
            message: `${address} does not serve the operators' API. Set PARLEY_OPERATOR_PORT or PARLEY_OPERATOR_API=public there, and log in at the address that serves it.`
          })
        : explained(asker)(failure)
    )
  )
}, Effect.provide(layerHttp))
