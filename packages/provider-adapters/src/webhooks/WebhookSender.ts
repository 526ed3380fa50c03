import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { isLoopbackUrl } from "@parley/domain/kernel"
import {
  type AttemptError,
  redactRequestHeaders,
  redactResponse,
  type WebhookResponse,
  type WebhookOutcome,
  type WebhookRequest,
  WebhookSender,
  WebhookSettings
} from "@parley/domain/integrations"
import { Bytes, Clock, DateTime, Duration, Effect, Layer, Option, Predicate, Redacted } from "effect"
import { HttpClient, type HttpClientError, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { createHash } from "node:crypto"
import { type LookupAddress, Resolver } from "node:dns"
import { isIP } from "node:net"
import { signatureOf } from "./signature.ts"
import { answerText } from "../outbound/answers.ts"
import { isPublicAddress, type Lookup, makePublicClient } from "../outbound/publicClient.ts"
import * as PluginHosts from "../plugins/PluginHosts.ts"

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

/** Result of a request without an answer, from the errors of system and client. */
const faultOfTransport = ({ reason }: HttpClientError.HttpClientError): AttemptError => {
  const causes = reason._tag === "TransportError" ? causesOf(reason.cause) : []
  return causes.map(kindOf).find((kind) => kind !== null) ?? "refused"
}

const patience = { timeout: 1_000, tries: 2 }

/**
 * Queries the name servers directly, without the few threads that the system's lookups share: a slow name must not delay
 * others. Default: the name servers of this machine.
 */
export const makeResolvedLookup = (servers?: ReadonlyArray<string>): Lookup => {
  const resolver = new Resolver(patience)
  if (servers !== undefined) resolver.setServers(servers)
  return (hostname, _options, found) => {
    const family = isIP(hostname)
    if (family !== 0) return found(null, [{ address: hostname, family }])
    const addresses: Array<LookupAddress> = []
    const errors: Array<NodeJS.ErrnoException> = []
    let asked = 2
    const answered =
      (answeredFamily: 4 | 6) => (error: NodeJS.ErrnoException | null, some: ReadonlyArray<string> | undefined) => {
        if (error !== null) errors.push(error)
        for (const address of some ?? []) addresses.push({ address, family: answeredFamily })
        asked -= 1
        if (asked > 0) return
        // Addresses of one family come first, regardless of the order of the lookups.
        addresses.sort((one, other) => one.family - other.family)
        found(addresses.length > 0 ? null : (errors[0] ?? null), addresses)
      }
    resolver.resolve4(hostname, answered(4))
    resolver.resolve6(hostname, answered(6))
  }
}

/** Settings of the adapter. */
export interface WebhookSenderOptions {
  /** Whether receivers may be on this machine, also over plain HTTP: for development and for tests. */
  readonly loopback?: boolean
  /** Resolves the addresses of receivers' hosts. Default: the name servers. */
  readonly lookup?: Lookup
  /** Time limit of a request. Default: 10 seconds. */
  readonly timeout?: Duration.Input
}

const connectTimeout = Duration.seconds(3)

/** Maximum read length of an answer, which allows reuse of the connection. */
const mostAnswerBytes = 64 * 1024

const encoder = new TextEncoder()
const utf8 = new TextDecoder()

/** Headers that show their values. All others are signatures or additional headers of the subscription. */
const shownHeaders: ReadonlySet<string> = new Set([
  "content-length",
  "content-type",
  "parley-attempt",
  "user-agent",
  "webhook-id",
  "webhook-timestamp"
])

const bodyOf = (bytes: Uint8Array) =>
  bytes.length === 0
    ? (request: HttpClientRequest.HttpClientRequest) => request
    : HttpClientRequest.bodyUint8Array(bytes, "application/json")

/** The request, signed with each secret. Its own headers come last, because no header of the subscription may replace them. */
const requestOf = ({ at, attempt, headers, id, method = "POST", secrets, url }: WebhookRequest, bytes: Uint8Array) => {
  const timestamp = String(Math.floor(DateTime.toEpochMillis(at) / 1_000))
  const chosen = Object.entries(headers).map(([name, value]): readonly [string, string] => [
    name,
    Redacted.value(value)
  ])
  return HttpClientRequest.make(method)(url).pipe(
    HttpClientRequest.setHeader("user-agent", "Parley-Webhooks/1"),
    HttpClientRequest.setHeaders(Object.fromEntries(chosen)),
    bodyOf(bytes),
    HttpClientRequest.setHeaders({
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      ...(secrets.length > 0 && {
        "webhook-signature": secrets.map((secret) => signatureOf(secret, { id, timestamp, body: bytes })).join(" ")
      }),
      "parley-attempt": String(attempt)
    })
  )
}

const webhookSenderPatience = /^\d{1,9}$/u

/** A number of seconds, or a moment. */
const retryAfterOf = ({ headers }: HttpClientResponse.HttpClientResponse, now: DateTime.Utc): number | null => {
  const value = headers["retry-after"]
  if (value === undefined) return null
  if (webhookSenderPatience.test(value)) return Number(value)
  return Option.match(DateTime.make(value), {
    onNone: () => null,
    onSome: (until) => Math.max(0, Math.ceil((DateTime.toEpochMillis(until) - DateTime.toEpochMillis(now)) / 1_000))
  })
}

const errorOf = (status: number): WebhookOutcome["error"] => {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? "redirected" : "status"
}

type Answered = Pick<WebhookResponse, "error" | "response" | "retryAfterSeconds" | "status" | "text" | "unread">

const failed = (error: WebhookOutcome["error"]): Answered => ({
  status: null,
  error,
  retryAfterSeconds: null,
  text: null,
  response: null
})

/** Text of an answer, or the reason why it is missing. */
interface ReadText {
  readonly text: string | null
  readonly unread: NonNullable<WebhookResponse["unread"]> | null
}

const unreadText = (unread: NonNullable<ReadText["unread"]>): ReadText => ({ text: null, unread })

/** Texts that an answer must not repeat. */
const secretsOf = (sent: HttpClientRequest.HttpClientRequest, { headers, secrets }: WebhookRequest) => [
  ...secrets.map(Redacted.value),
  ...Object.values(headers).map(Redacted.value),
  ...(sent.headers["webhook-signature"] ?? "").split(" ")
]

/** Sends once. The status decides as soon as it arrives, regardless of the rest of the answer. */
const ask = Effect.fnUntraced(function* (
  client: HttpClient.HttpClient,
  request: WebhookRequest,
  sent: HttpClientRequest.HttpClientRequest,
  limit: Duration.Duration
) {
  const begun = yield* Clock.currentTimeMillis
  const answered = yield* client.execute(sent).pipe(
    Effect.match({
      onFailure: (error) => ({ response: null, answer: failed(faultOfTransport(error)) }),
      onSuccess: (response) => ({ response, answer: null })
    }),
    Effect.timeoutOrElse({
      duration: limit,
      orElse: () => Effect.succeed({ response: null, answer: failed("timeout") })
    })
  )
  if (answered.response === null) return answered.answer
  const { response } = answered
  const left = Duration.toMillis(limit) - ((yield* Clock.currentTimeMillis) - begun)
  const read: Array<Uint8Array> = []
  const { text, unread } = yield* answerText(response, mostAnswerBytes, (piece) => void read.push(piece)).pipe(
    Effect.timeoutOption(Math.max(0, left)),
    Effect.match({
      onFailure: ({ reason }) => unreadText(reason === "unreadable_answer" ? "too_large" : "incomplete"),
      onSuccess: Option.match({
        onNone: () => unreadText("incomplete"),
        onSome: (whole): ReadText => ({ text: whole, unread: null })
      })
    })
  )
  const { status } = response
  const retryAfterSeconds = retryAfterOf(response, yield* DateTime.now)
  const answer = { headers: response.headers, text: text ?? utf8.decode(Bytes.concat(read)) }
  return {
    status,
    error: errorOf(status),
    retryAfterSeconds,
    text,
    ...(unread !== null && { unread }),
    response: redactResponse(answer, secretsOf(sent, request))
  } satisfies Answered
})

const make = ({ lookup = makeResolvedLookup(), loopback = false, timeout = "10 seconds" }: WebhookSenderOptions = {}) =>
  Effect.gen(function* () {
    const anywhere = yield* HttpClient.HttpClient
    const publicOnly = yield* makePublicClient(lookup, connectTimeout)
    const limit = Duration.fromInputUnsafe(timeout)
    const answerTo = Effect.fnUntraced(function* (request: WebhookRequest, within: Duration.Duration) {
      const begun = yield* Clock.currentTimeMillis
      const client = loopback && isLoopbackUrl(request.url) ? anywhere : publicOnly
      // Receivers must not see the internal traces of the service.
      const bytes = encoder.encode(request.body)
      const sent = requestOf(request, bytes)
      const answer = yield* Effect.provideService(
        ask(client, request, sent, within),
        HttpClient.TracerPropagationEnabled,
        false
      )
      return {
        ...answer,
        request: {
          headers: redactRequestHeaders(sent.headers, shownHeaders),
          bodySha256: createHash("sha256").update(bytes).digest("hex"),
          bodyBytes: bytes.length
        },
        durationMs: Math.max(0, Math.round((yield* Clock.currentTimeMillis) - begun))
      }
    }, Effect.scoped)
    return WebhookSender.of({
      post: (request) => answerTo(request, limit),
      ask: (request, timeoutSeconds) => answerTo(request, Duration.seconds(timeoutSeconds)),
      isPublic: (url) =>
        Effect.callback<boolean>((resume) => {
          const host = new URL(url).hostname
          lookup(host, { all: true }, (error, addresses) =>
            // If the resolution fails now, each connection resolves the host itself.
            resume(Effect.succeed(error !== null || addresses.every(({ address }) => isPublicAddress(address))))
          )
        }).pipe(Effect.timeoutOrElse({ duration: connectTimeout, orElse: () => Effect.succeed(true) }))
    })
  })

/** Posts to receivers over HTTPS, at public Internet addresses. Receivers cannot be the service itself. */
export const layer = ({ publicUrl, ...options }: WebhookSenderOptions & { readonly publicUrl: string }) =>
  Layer.mergeAll(
    Layer.succeed(WebhookSettings, { publicUrl, loopback: options.loopback ?? false }),
    PluginHosts.layer({ loopback: options.loopback ?? false, lookup: options.lookup ?? makeResolvedLookup() }),
    Layer.effect(WebhookSender, make(options)).pipe(Layer.provide(NodeHttpClient.layerUndici))
  )
