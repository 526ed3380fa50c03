import { ChannelInDoubt, ChannelRefused, ChannelUnreachable, type Line, type Remedy } from "@parley/domain"
import { DateTime, type Duration, Effect, type Redacted } from "effect"
import { type HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { answerText } from "../../outbound/answerText.ts"
import { wasNeverSent } from "../../outbound/wasNeverSent.ts"
import { parsed, textAt } from "../../json.ts"
import { signatureOf } from "./signature.ts"

/** What is posted: its kind, and what it tells. */
export interface Posted {
  readonly id: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** An answer is an id, or the reason of a refusal. */
const mostBytes = 64 * 1024

/** What follows from an answer that says for certain that nothing was taken; `null` where it does not say so. */
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

const secretsOf = ({ accessToken, formerToken }: Line): ReadonlyArray<Redacted.Redacted> =>
  formerToken === undefined ? [accessToken] : [accessToken, formerToken]

/** A request that is signed with the secret of now, and with the one before it while that is good. */
const requestOf = (line: Line, { data, id, type }: Posted, now: DateTime.Utc) => {
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

/** Posts once, without following a redirect; gives what the receiver answered, if that is JSON. */
export const post = Effect.fnUntraced(function* (
  client: HttpClient.HttpClient,
  timeout: Duration.Duration,
  line: Line,
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
      reason: reason.slice(0, longestReason),
      retryAfterMillis: retryAfterOf(response)
    })
  })
  return yield* Effect.timeoutOrElse(answered, {
    duration: timeout,
    orElse: () => Effect.fail(new ChannelInDoubt({ reason: "timeout" }))
  })
})
