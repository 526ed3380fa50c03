import { Layer, Schema } from "effect"
import { FetchHttpClient, HttpClientError } from "effect/http"
import { type Failure, faultLines, Refused, ServiceUnusable } from "../console/Failure.ts"

/** HTTP client without redirects. A server that redirects to another address gets no token. */
export const layerHttp = FetchHttpClient.layer.pipe(
  Layer.provideMerge(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
)

/** Service of a call, and its login. */
export interface Asker {
  readonly address: string
  /** Command that logs in again. */
  readonly logIn: string
}

/** The service answers differently than this version expects. */
const incompatible = (address: string): Failure =>
  new ServiceUnusable({
    message: `The service at ${address} and this parley have incompatible versions. Compare them: parley --version, and curl ${address}/openapi.json`
  })

const unanswered = ({ reason, response }: HttpClientError.HttpClientError, { address, logIn }: Asker): Failure => {
  if (reason._tag === "DecodeError" && Schema.isSchemaError(reason.cause)) return incompatible(address)
  const status = response?.status ?? 0
  if (status >= 300 && status < 400) {
    const other = response?.headers["location"] ?? "another address"
    return new Refused({
      message: `${address} redirects to ${other}. Parley does not follow redirects. If that is the service, log in there: parley login --server https://…`
    })
  }
  if (response !== undefined) {
    return new ServiceUnusable({
      message: `${address} does not answer like a Parley service (status ${status}). Check it: curl -i ${address}/healthz`
    })
  }
  return reason._tag === "TransportError"
    ? new ServiceUnusable({
        message: `The service at ${address} does not answer. Check it: curl -i ${address}/healthz. To use another service: ${logIn}`
      })
    : new ServiceUnusable({ message: `The request to the service at ${address} failed: ${reason._tag}.` })
}

const overs: ReadonlySet<string> = new Set([
  "RefreshSuperseded",
  "SessionReuseDetected",
  "TokenExpired",
  "TokenInvalid",
  "TokenRevoked",
  "Unauthenticated"
])

/** Explains a failed call and the next command to type. Rejections by rules have the same text as on the database. */
export const explained =
  (asker: Asker) =>
  (failure: Failure): Failure => {
    if (HttpClientError.isHttpClientError(failure)) return unanswered(failure, asker)
    if (Schema.isSchemaError(failure)) return new Refused({ message: faultLines(failure.issue, undefined) })
    if (overs.has(failure._tag)) {
      return new Refused({ message: `Your login at ${asker.address} has ended. Log in again: ${asker.logIn}` })
    }
    switch (failure._tag) {
      case "ServiceUnavailable":
        return new ServiceUnusable({ message: `${failure.message} Repeat the command later.` })
      case "PasswordChangeRequired":
        return new Refused({
          message: `The password of this login must be replaced first. Replace it: ${asker.logIn} --new-password`
        })
      case "PermissionDenied":
        return new Refused({
          message: `${failure.message} Ask an owner for a role with this permission, or log in as another user: ${asker.logIn}`
        })
      default:
        return failure
    }
  }
