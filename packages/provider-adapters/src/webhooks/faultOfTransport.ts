import type { AttemptError } from "@parley/domain"
import { Predicate } from "effect"
import type { HttpClientError } from "effect/http"

const causesOf = (cause: unknown, depth = 0): ReadonlyArray<object> =>
  Predicate.isObject(cause) && depth < 4 ? [cause, ...causesOf(cause["cause"], depth + 1)] : []

const textIn = (cause: object, name: "code" | "syscall"): string => {
  const value = name in cause ? (cause as Readonly<Record<string, unknown>>)[name] : undefined
  return Predicate.isString(value) ? value : ""
}

const tls = /^(?:ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_OSSL_|EPROTO)/u

const kindOf = (cause: object): AttemptError | null => {
  const [code, syscall] = [textIn(cause, "code"), textIn(cause, "syscall")]
  if (code === "EACCES" && syscall === "connect") return "not_public"
  if (syscall === "getaddrinfo" || syscall.startsWith("query")) return "dns"
  if (tls.test(code)) return "tls"
  return code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT" ? "timeout" : null
}

/** What a request that got no answer came to, by what the system and the client say of it. */
export const faultOfTransport = ({ reason }: HttpClientError.HttpClientError): AttemptError => {
  const causes = reason._tag === "TransportError" ? causesOf(reason.cause) : []
  return causes.map(kindOf).find((kind) => kind !== null) ?? "refused"
}
