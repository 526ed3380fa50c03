import { isLoopbackUrl } from "@parley/domain/kernel"
import {
  ChannelInDoubt,
  ChannelRefused,
  ChannelUnreachable,
  type ChatChannel,
  type ProviderConnection,
  type NumberHealth,
  type OutgoingMessage,
  type Remedy,
  unknownDetails
} from "@parley/domain/messaging"
import { DateTime, Duration, Effect, type Redacted } from "effect"
import { HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { parsed, storableText, textAt } from "../../json.ts"
import { answerText, wasNeverSent } from "../../outbound/answers.ts"
import { type Lookup, makePublicClient } from "../../outbound/publicClient.ts"
import { partsOfDelivery, readDelivery } from "./read.ts"
import { isSigned, signatureOf } from "../../webhooks/signature.ts"

/** Posted message: its kind and its data. */
export interface Posted {
  readonly id: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Maximum size of an answer in bytes. An answer contains only an id or the reason of a refusal. */
const mostBytes = 64 * 1024

/** Remedy for an answer that certainly accepted nothing; `null` if the answer is not certain. */
const remedyOf = (status: number): Remedy | null => {
  if (status === 401 || status === 403) return "reauthorize"
  if (status === 404 || status === 410) return "stop_account"
  if (status === 429) return "slow_down"
  if (status === 503) return "retry"
  return status >= 300 && status < 500 ? "give_up" : null
}

const patience = /^\d{1,6}$/u

const retryAfterOf = ({ headers }: HttpClientResponse.HttpClientResponse) => {
  const value = headers["retry-after"]
  return value !== undefined && patience.test(value) ? Number(value) * 1_000 : null
}

const encoder = new TextEncoder()

const secretsOf = ({ accessToken, formerToken }: ProviderConnection): ReadonlyArray<Redacted.Redacted> =>
  formerToken === undefined ? [accessToken] : [accessToken, formerToken]

/** Builds a request, signed with the current secret and with the previous one while that is valid. */
const requestOf = (line: ProviderConnection, { data, id, type }: Posted, now: DateTime.Utc) => {
  const timestamp = String(Math.floor(DateTime.toEpochMillis(now) / 1_000))
  const body = encoder.encode(JSON.stringify({ type, timestamp: DateTime.formatIso(now), data }))
  return HttpClientRequest.post(line.url ?? "").pipe(
    HttpClientRequest.bodyUint8Array(body, "application/json"),
    HttpClientRequest.setHeaders({
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": secretsOf(line)
        .map((secret) => signatureOf(secret, { id, timestamp, body }))
        .join(" ")
    })
  )
}

const unreadable = (status: number) =>
  new ChannelInDoubt({ reason: status >= 500 ? "server_fault" : "unreadable_answer" })

const longestReason = 500

/** Posts once, without redirects. Returns the JSON answer of the receiver, if any. */
const post = Effect.fnUntraced(function* (
  client: HttpClient.HttpClient,
  timeout: Duration.Duration,
  line: ProviderConnection,
  posted: Posted
) {
  const request = requestOf(line, posted, yield* DateTime.now)
  const answered = Effect.gen(function* () {
    const response = yield* Effect.mapError(client.execute(request), (error) =>
      wasNeverSent(error) ? new ChannelUnreachable() : new ChannelInDoubt({ reason: "connection_lost" })
    )
    const { status } = response
    const text = yield* Effect.mapError(answerText(response, mostBytes), ({ reason }) => new ChannelInDoubt({ reason }))
    const body = parsed(text)
    if (status >= 200 && status < 300) return body
    const remedy = remedyOf(status)
    if (remedy === null) return yield* unreadable(status)
    const reason = textAt(body, "reason") ?? `The receiver has answered ${status}.`
    return yield* new ChannelRefused({
      remedy,
      code: status,
      reason: storableText(reason, longestReason),
      retryAfterMillis: retryAfterOf(response)
    })
  })
  return yield* Effect.timeoutOrElse(answered, {
    duration: timeout,
    orElse: () => Effect.fail(new ChannelInDoubt({ reason: "timeout" }))
  })
})

export interface WebhookChannelOptions {
  /** Timeout of a call. Default: 10 seconds. */
  readonly timeout?: Duration.Input
  /** Whether accounts can be on this machine, also over plain HTTP. For trials and tests. */
  readonly loopback?: boolean
  /** Resolver of account hosts. Default: the system. */
  readonly lookup?: Lookup
}

const unsupported = (kind: string) =>
  new ChannelRefused({
    remedy: "give_up",
    code: 0,
    reason: `A webhook channel takes texts, and no ${kind}.`,
    retryAfterMillis: null
  })

const recipientOf = ({ kind, value }: OutgoingMessage["to"]) =>
  kind === "phone" ? { phone: value } : { externalId: value }

/** Health of a number after a ping. An answer proves only that the receiver is reachable. */
const there: NumberHealth = {
  displayPhone: "",
  verifiedName: null,
  quality: "unknown",
  messagingLimit: null,
  throughputPerSecond: null,
  sending: "available",
  issues: [],
  details: unknownDetails
}

/** Channel of accounts with an own URL. Sends and receives signed JSON. */
export const make = ({ loopback = false, lookup, timeout = "10 seconds" }: WebhookChannelOptions = {}) =>
  Effect.gen(function* () {
    const anywhere = yield* HttpClient.HttpClient
    const publicOnly = yield* makePublicClient(lookup)
    const patience = Duration.fromInputUnsafe(timeout)
    const clientFor = ({ url = "" }: ProviderConnection) => (loopback && isLoopbackUrl(url) ? anywhere : publicOnly)
    const ask = (line: ProviderConnection, id: string, type: string, data: Readonly<Record<string, unknown>>) =>
      Effect.catchTag(
        post(clientFor(line), patience, line, { id, type, data }),
        "ChannelInDoubt",
        () => new ChannelUnreachable()
      )

    return {
      sending: {
        kinds: new Set(["text"]),
        reaches: new Set(["external", "phone"]),
        hasServiceWindow: false,
        send: Effect.fnUntraced(function* (line, { content, reference: id, replyTo, to }) {
          if (content.kind !== "text") return yield* unsupported(content.kind)
          const data = { id, accountId: line.phoneId, to: recipientOf(to), text: content.text, replyTo }
          const answer = yield* post(clientFor(line), patience, line, { id, type: "message", data })
          return { providerMessageId: storableText(textAt(answer, "id") ?? id, 200), held: false }
        }),
        markRead: (line, id, { isTyping }) =>
          Effect.asVoid(
            ask(line, `${id}.read`, "message.read", { id, accountId: line.phoneId, ...(isTyping && { typing: true }) })
          )
      },
      deliveries: { isSigned, parts: partsOfDelivery, read: readDelivery, handshake: () => null },
      checking: {
        check: (line) => Effect.as(ask(line, "ping", "ping", { accountId: line.phoneId }), there)
      },
      endpoints: { loopback },
      media: null,
      templates: null,
      signup: null,
      onboarding: null
    } satisfies ChatChannel
  })
