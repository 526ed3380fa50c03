import { Predicate } from "effect"
import type { HttpClientError } from "effect/http"

// Errors of the system name the call that failed; those of the HTTP client for Node are known by their codes.
const beforeTheRequest: ReadonlySet<string> = new Set(["connect", "getaddrinfo"])
const neverConnected = /^(?:UND_ERR_CONNECT_TIMEOUT|ERR_TLS_CERT_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/u

const causesOf = (cause: unknown, depth = 0): ReadonlyArray<object> =>
  Predicate.isObject(cause) && depth < 4 ? [cause, ...causesOf(cause["cause"], depth + 1)] : []

const says = (cause: object) => {
  const syscall = "syscall" in cause ? cause.syscall : undefined
  const code = "code" in cause ? cause.code : undefined
  return (
    (Predicate.isString(syscall) && beforeTheRequest.has(syscall)) ||
    (Predicate.isString(code) && neverConnected.test(code))
  )
}

/** Whether a call failed before any byte of it was written. Where that is not certain, it is not so. */
export const wasNeverSent = ({ reason }: HttpClientError.HttpClientError): boolean => {
  switch (reason._tag) {
    case "InvalidUrlError":
    case "EncodeError":
      return true
    case "TransportError":
      return causesOf(reason.cause).some(says)
    default:
      return false
  }
}
